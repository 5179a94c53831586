"""Kinds of things that are published, what freezing one gives, and how their rows are locked and read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.db.models import F, Func, Value

from core.publishing.models import BaseEdition, Drafted, Reference
from core.publishing.rules import rules_of


@dataclass(frozen=True)
class Frozen:
    """What freezing a draft gives: the document, the columns derived from it, and the references it makes."""

    content: dict[str, Any]
    columns: Mapping[str, Any]
    references: list[Reference] = field(default_factory=list)
    rows: Callable[[Any], Iterable[models.Model]] = lambda edition: ()
    """Returns the join rows of the edition, not yet written: authors in order, tags."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing that is published, as its app declares it."""

    name: str
    edition: type[BaseEdition]
    subject: str
    approvals: int
    independent: bool

    @property
    def rules(self) -> dict[str, tuple[str | None, str, str]]:
        return rules_of(self.edition._meta.db_table, self.name)

    def editions_of(self, subject: Drafted) -> Any:
        return self.edition.objects.filter(**{self.subject: subject})

    def editions_of_all(self, ids: Iterable[Any]) -> Any:
        """Return the editions of many subjects, without what is large: that is read where somebody asks for it."""
        return self._light().filter(**{f"{self.subject}__in": list(ids)})

    def subject_id(self, edition: Any) -> Any:
        return getattr(edition, f"{self.subject}_id")

    def lock_subjects(self, editions: Sequence[Any]) -> list[Any]:
        """Lock the subjects of `editions`, in their order, and return the editions as they are now, without content."""
        model: Any = self.edition._meta.get_field(self.subject).related_model
        subjects = lock_all(model, [self.subject_id(edition) for edition in editions])
        rows = self._light().in_bulk([edition.pk for edition in editions])
        current = []
        for edition, subject in zip(editions, subjects, strict=True):
            if edition.pk not in rows:
                raise self.edition.DoesNotExist(f"Edition {edition.pk} is gone.")
            row = rows[edition.pk]
            setattr(row, self.subject, subject)
            current.append(row)
        return current

    def _light(self) -> Any:
        own = {each.name for each in BaseEdition._meta.fields} - {"content"}
        large = (models.JSONField, models.TextField, models.GeneratedField)
        names = [each.name for each in self.edition._meta.fields if isinstance(each, large) and each.name not in own]
        return self.edition.objects.defer(*names)


def database_now() -> datetime:
    """Return the database's clock: the only one that decides what is live."""
    with connection.cursor() as cursor:
        cursor.execute("select clock_timestamp()")
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


def lock(subject: Drafted) -> Any:
    """Lock the identity for this transaction and return it as it is now: one verb at a time on one subject.

    Who keeps it (`keep`) waits too, and is waited for: so locks what takes something from readers.
    """
    return _locked(type(subject), [subject.pk], may_be_kept=False)[0]


def lock_draft(subject: Drafted) -> Any:
    """Lock the identity as `lock` does, for what takes nothing from readers: who keeps it and this do not wait."""
    return _locked(type(subject), [subject.pk], may_be_kept=True)[0]


def lock_all(model: Any, ids: Sequence[Any]) -> list[Any]:
    """Lock identities for this transaction and return them as they are now, in the order of `ids`.

    They are locked by id, so that two batches do not wait for each other in a circle. Raises DoesNotExist of the model.
    """
    return _locked(model, ids, may_be_kept=True)


def keep(model: Any, ids: Iterable[Any]) -> None:
    """Let nobody take what readers see of these until the transaction ends. Drafts, reviews, publications go on."""
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"select from {table} where id = any (%s) order by id for key share", [list(ids)])


def _locked(model: Any, ids: Sequence[Any], *, may_be_kept: bool) -> list[Any]:
    if len(set(ids)) != len(ids):
        raise ValueError("A batch names each subject once.")
    locked = model._default_manager.select_for_update(no_key=may_be_kept)
    rows = {row.pk: row for row in locked.filter(pk__in=ids).order_by("pk")}
    gone = [str(pk) for pk in ids if pk not in rows]
    if gone:
        raise model.DoesNotExist(f"{model.__name__} {', '.join(gone)} is gone.")
    return [rows[pk] for pk in ids]


def excluded_reviewers(kind: Kind, edition: Any) -> list[int]:
    """Return the accounts whose approval of `edition` does not count: its writers, under the four-eyes rule."""
    return list(edition.writer_ids) if _excludes_writers(kind) else []


def _excludes_writers(kind: Kind) -> bool:
    return kind.independent or settings.PLENUM_FOUR_EYES


def approvals_of(kind_name: str, target_id: Any, sha256: str, excluded: Iterable[int]) -> int:
    """Return how many people approve of exactly this content; 0 where somebody asks for changes."""
    with connection.cursor() as cursor:
        cursor.execute("select publishing_approvals(%s, %s, %s::int[])", [target_id, sha256, list(excluded)])
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


def approved(kind: Kind, editions: Sequence[Any]) -> set[Any]:
    """Return the ids of those editions that enough people approve of, as `approvals_of` counts."""
    excluded: Any = F("writer_ids") if _excludes_writers(kind) else Value([], ArrayField(models.IntegerField()))
    count = Func(F("pk"), F("sha256"), excluded, function="publishing_approvals", output_field=models.IntegerField())
    rows = kind.edition.objects.filter(pk__in=[edition.pk for edition in editions]).order_by()
    return set(rows.alias(count=count).filter(count__gte=kind.approvals).values_list("pk", flat=True))
