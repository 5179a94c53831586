"""Verbs for many: all of a batch or nothing, in statements that do not grow with it, and a refusal that names its item.

A verb for one is the batch of one (`of_one`), so that no rule is written twice.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

T = TypeVar("T")
R = TypeVar("R")


class BatchRefused(ValidationError):  # noqa: N818 - it reads as what happened
    """Nothing of a batch was done: `errors` says what stands in the way, by position in the batch."""

    def __init__(self, errors: Mapping[int, ValidationError]) -> None:
        super().__init__(list(errors.values()))
        self.errors = dict(errors)


class Refusals:
    """What is refused of a batch, so that all of it is said at once."""

    def __init__(self) -> None:
        self.errors: dict[int, ValidationError] = {}

    @contextmanager
    def of(self, position: int) -> Iterator[None]:
        """Take a ValidationError of the block as what is refused of one item."""
        try:
            yield
        except ValidationError as error:
            self.errors[position] = error

    def stop(self) -> None:
        """Raise BatchRefused where anything was refused."""
        if self.errors:
            raise BatchRefused(self.errors)


@contextmanager
def of_one() -> Iterator[None]:
    """Let the refusal of a batch of one be that of its item."""
    try:
        yield
    except BatchRefused as refused:
        error = refused.errors[0]
        raise error from error.__cause__


def accepted(
    items: Sequence[T], verb: Callable[[Sequence[T]], Sequence[R]], *, refused: Callable[[T, ValidationError], None]
) -> list[tuple[T, R]]:
    """Call `verb`, again without what it refuses, and return the items that it took with what came of them.

    `refused` is told of each of the others. A verb that refuses leaves nothing behind, so this repeats what it did.
    """
    left = list(items)
    while left:
        try:
            return list(zip(left, verb(left), strict=True))
        except BatchRefused as error:
            for position, each in sorted(error.errors.items()):
                refused(left[position], each)
            left = [item for position, item in enumerate(left) if position not in error.errors]
    return []


def insert_all(rows: Sequence[models.Model]) -> None:
    """Write new rows of one model in one statement. Raises BatchRefused as `full_clean` of each would.

    What a row alone can tell is asked of it first. What takes the database (another row has this address) the database
    holds itself; where it refuses, the rows are written one by one, so that the refusal has its usual words.
    """

    def insert(some: Iterable[int]) -> None:
        type(rows[0])._default_manager.bulk_create(rows[position] for position in some)

    _write_all(rows, insert)


def update_all(rows: Sequence[models.Model], *, only: Collection[int]) -> None:
    """Write those rows of one model that were changed, at the positions `only`, as `insert_all` does new ones.

    A statement each. All are checked: a draft that was sound may name what has gone.
    """

    def save(some: Iterable[int]) -> None:
        for position in some:
            if position in only:
                rows[position].save(force_update=True)

    _write_all(rows, save)


def _write_all(rows: Sequence[models.Model], write: Callable[[Iterable[int]], None]) -> None:
    """`write` those at the positions it is given: all of them together, and each alone where the database refuses."""
    if not rows:
        return
    refusals = Refusals()
    for position in sorted(_unsound(rows)):
        with refusals.of(position):
            rows[position].full_clean()
    refusals.stop()
    try:
        with transaction.atomic():
            write(range(len(rows)))
    except IntegrityError:
        with transaction.atomic():
            for position, row in enumerate(rows):
                with refusals.of(position):
                    row.full_clean()
                    write([position])
            refusals.stop()


def _unsound(rows: Sequence[models.Model]) -> set[int]:
    """Return the positions of rows that are wrong in themselves, or that name a record that has gone."""
    keys = [field for field in type(rows[0])._meta.fields if isinstance(field, models.ForeignKey)]
    names = [field.name for field in keys]
    found = set()
    for position, row in enumerate(rows):
        try:
            row.clean_fields(exclude=names)
            row.clean()
        except ValidationError:
            found.add(position)
    for field in keys:
        named = {pk for row in rows if (pk := getattr(row, field.attname)) is not None}
        if named:
            # Foreign keys are looked at when the transaction ends, too late to say whose it was.
            model: Any = field.related_model
            gone = named - set(model._base_manager.filter(pk__in=named).values_list("pk", flat=True))
            found |= {position for position, row in enumerate(rows) if getattr(row, field.attname) in gone}
    return found
