"""Reads of GraphQL: each relation is read once for all rows that were read together: pages of 5 and 50 cost the same.

A `Listing` declares how the rows of a type are read. A resolver asks for what belongs to its row; the first row of a
batch reads it for all of them. Lists inside of rows are cut by LATERAL: PostgreSQL reads the top few of each parent and
no more. Statements are compiled once for each shape of question, as those of REST are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.db.models import Expression, F, Func, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.sql.compiler import SQLCompiler

from core.api.compiled import AnyOf, Parameter, Statement, statement
from core.api.errors import RequestRefused, bad_request
from core.api.graphql.context import Context
from core.api.keyset import Order

MAX_LIST = 100
"""Rows of a list that has no pages."""
MAX_PARTS = 1_000
"""Rows of one parent where they are parts of something else, as the images of a text are."""

TEXT = models.TextField()
UUIDS = models.UUIDField()


class Row:
    """A record as resolvers have it: the columns of its listing as attributes, and the rows that it was read with."""

    batch: "Batch"


def text_or_null(column: str) -> Func:
    """Return a text column that is null where it is blank, as REST gives it."""
    return Func(column, Value(""), function="nullif", output_field=models.TextField())


R = TypeVar("R", bound=Row)
V = TypeVar("V")


class Batch:
    """Rows that were read together, and what has been read for all of them since."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._found: dict[Any, Any] = {}
        for row in rows:
            row.batch = self

    def once(self, key: Any, read: Callable[[], V]) -> V:
        """Return what `read` gives, which is asked the first time only."""
        if key not in self._found:
            self._found[key] = read()
        return self._found[key]

    def values(self, name: str) -> list[Any]:
        """Return the different values that the rows have of an attribute, null left out."""
        return list(dict.fromkeys(value for row in self.rows if (value := getattr(row, name)) is not None))


@dataclass(frozen=True)
class Narrow:
    """A way to narrow a listing: by a value that a request gives, or by the key of a parent."""

    by: Callable[[Any, Any], QuerySet[Any]]  # (rows of the queryset class of the listing, value) -> rows
    field: models.Field = field(default_factory=lambda: TEXT)


@dataclass(frozen=True, eq=False)
class Listing(Generic[R]):
    """How the rows of a type are read.

    `visible` gives the rows that the public sees at an instant, and decides that alone; the instant is now, or, where
    the type `has_history`, the one that was asked for with `asOf`. `columns` maps attributes to columns or expressions.
    The first of `orders` is the default; each ends in a unique key. `kind` is what the feed calls it, "" where that
    announces the record it belongs to; `key` is the column of the public id.
    """

    kind: str
    row: type[R]
    visible: Callable[[Any], QuerySet[Any]]
    columns: Mapping[str, str | Combinable]
    orders: Mapping[str, Order]
    narrows: Mapping[str, Narrow] = field(default_factory=dict)
    key: str = "id"
    has_history: bool = False

    def rows(self, *, is_past: bool) -> QuerySet[Any]:
        """Return the visible rows, for a statement whose instants are the parameters `at` and `now`."""
        if self.has_history:
            return self.visible(Parameter("at", models.DateTimeField(), is_history=is_past))
        return self.visible(Parameter("now", models.DateTimeField()))


class ParentKey(Expression):
    """The key of the parent, inside of a LATERAL subquery."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return "parent.key", []


@dataclass(frozen=True)
class Page(Generic[R]):
    """Some rows of a listing, with their keys of its order, and whether there are more."""

    rows: list[R]
    keys: list[tuple[Any, ...]]
    has_more: bool


@dataclass(frozen=True)
class Question:
    """What is asked of a listing: how it is narrowed, in which order, how many rows, after which keys."""

    filters: Mapping[str, Any] = field(default_factory=dict)
    order: str = ""
    first: int = MAX_LIST
    after: tuple[Any, ...] | None = None

    def values(self, context: Context) -> dict[str, Any]:
        """Return the parameters of a statement. One row more than `first` is read, to see whether there is one."""
        found = {f"by_{name}": value for name, value in self.filters.items()}
        found |= {f"key{n}": key for n, key in enumerate(self.after or ())}
        return found | {"at": context.at, "now": context.now, "limit": self.first + 1}


def read_page(listing: Listing[R], context: Context, question: Question) -> Page[R]:
    """Return a page of all rows, with one statement."""
    rows = _statement(listing, _shape(question, context)).rows(question.values(context))
    page = _page(listing, context, rows, question.first)
    Batch(page.rows)
    return page


def read_pages(
    listing: Listing[R], context: Context, question: Question, by: str, parents: Sequence[Any]
) -> dict[Any, Page[R]]:
    """Return a page for each of `parents`, whose keys narrow `by`, with one statement. All their rows are one batch."""
    prepared = _statement(listing, _shape(question, context), by)
    found: dict[Any, list[tuple[Any, ...]]] = {}
    if parents:
        for parent, *values in prepared.rows({**question.values(context), "parents": parents}):
            found.setdefault(parent, []).append(tuple(values))
    pages = {key: _page(listing, context, rows, question.first) for key, rows in found.items()}
    Batch([row for page in pages.values() for row in page.rows])
    return pages


def read_parts(listing: Listing[R], context: Context, by: str, parents: Sequence[Any]) -> dict[Any, list[R]]:
    """Return all rows of each of `parents`, with one statement. Raises a 400 where one has more than MAX_PARTS."""
    pages = read_pages(listing, context, Question(first=MAX_PARTS), by, parents)
    if any(page.has_more for page in pages.values()):
        raise _too_long(MAX_PARTS)
    return {parent: page.rows for parent, page in pages.items()}


def _too_long(most: int) -> RequestRefused:
    return bad_request(None, "list_too_long", f"There are more than {most}; this list has no pages, REST has.")


def count(listing: Listing[R], context: Context, question: Question) -> int:
    """Return how many rows there are, with one statement."""
    rows = _count_statement(listing, _shape(question, context)).rows(question.values(context))
    return int(rows[0][0])


def counts(
    listing: Listing[R], context: Context, question: Question, by: str, parents: Sequence[Any]
) -> dict[Any, int]:
    """Return how many rows each of `parents` has, with one statement."""
    if not parents:
        return {}
    prepared = _count_statement(listing, _shape(question, context), by)
    return dict(prepared.rows({**question.values(context), "parents": parents}))


def read_keys(listing: Listing[R], context: Context, keys: Sequence[Any], column: str = "") -> dict[Any, R]:
    """Return the rows whose `column` (the public id, if empty) is one of `keys`, by that value, with one statement."""
    if not keys:
        return {}
    prepared = _keys_statement(listing, column or listing.key, context.is_past)
    rows = prepared.rows({"at": context.at, "now": context.now, "keys": keys})
    made = [_make(listing, context, values[1:]) for values in rows]
    Batch(made)
    return {values[0]: row for values, row in zip(rows, made, strict=True)}


def one(row: Row, context: Context, listing: Listing[R], name: str) -> R | None:
    """Return the record whose id is the attribute `name` of `row`; None where there is none, or none that is public."""
    batch = row.batch
    found = batch.once((listing, name), lambda: read_keys(listing, context, batch.values(name)))
    return found.get(getattr(row, name))


def many(row: Row, context: Context, listing: Listing[R], by: str, name: str = "id", order: str = "") -> list[R]:
    """Return the records that belong to `row`: those of a listing narrowed `by` its attribute `name`."""
    page = page_of(row, context, listing, by, name, Question(order=order))
    if page.has_more:
        raise _too_long(MAX_LIST)
    return page.rows


def page_of(row: Row, context: Context, listing: Listing[R], by: str, name: str, question: Question) -> Page[R]:
    """Return a page of the records that belong to `row`."""
    batch = row.batch
    key = (listing, by, name, _frozen(question))
    pages = batch.once(key, lambda: read_pages(listing, context, question, by, batch.values(name)))
    return pages.get(getattr(row, name)) or Page([], [], False)


def count_of(row: Row, context: Context, listing: Listing[R], by: str, name: str, question: Question) -> int:
    """Return how many records belong to `row`."""
    batch = row.batch
    key = (listing, by, name, _frozen(question), "count")
    found = batch.once(key, lambda: counts(listing, context, question, by, batch.values(name)))
    return found.get(getattr(row, name), 0)


def _frozen(question: Question) -> tuple[Any, ...]:
    return (tuple(question.filters.items()), question.order, question.first, question.after)


def _page(listing: Listing[R], context: Context, rows: Sequence[tuple[Any, ...]], first: int) -> Page[R]:
    width = len(rows[0]) - len(listing.columns) if rows else 0
    made = [_make(listing, context, values[width:]) for values in rows[:first]]
    return Page(made, [values[:width] for values in rows[:first]], len(rows) > first)


def _make(listing: Listing[R], context: Context, values: Sequence[Any]) -> R:
    row = object.__new__(listing.row)
    row.__dict__.update(zip(listing.columns, values, strict=True))
    identifier = row.__dict__.get("id")
    if listing.kind and isinstance(identifier, UUID):
        context.note(listing.kind, identifier)
    return row


@dataclass(frozen=True)
class _Shape:
    """What of a question changes its SQL, not only its parameters."""

    names: tuple[str, ...]
    order: str
    is_after: bool
    is_past: bool


def _shape(question: Question, context: Context) -> _Shape:
    return _Shape(tuple(question.filters), question.order, question.after is not None, context.is_past)


@cache
def _statement(listing: Listing[Any], shape: _Shape, by: str = "") -> Statement:
    """Return the statement of a page; rows are (the parent if any, keys of the order…, columns…)."""
    order = listing.orders[shape.order or next(iter(listing.orders))]
    rows = _narrowed(listing, shape, by)
    if shape.is_after:
        rows = rows.filter(order.after(backwards=False))
    rows = rows.order_by(*order.by(backwards=False))
    keys = {f"key_{n}": key.expression for n, key in enumerate(order.keys)}
    prepared = _columns(listing, rows.annotate(**keys), list(keys))
    sql = prepared.sql + " LIMIT %s"
    params = (*prepared.params, Parameter("limit", models.IntegerField()))
    if not by:
        return Statement(sql, params)
    falling = " DESC" if order.falling else ""
    sorting = ", ".join(f"child.{key}{falling}" for key in keys)
    parents, parents_sql = _parents(listing, by)
    return Statement(
        f"SELECT parent.key, child.* FROM {parents_sql} CROSS JOIN LATERAL ({sql}) AS child ORDER BY {sorting}",
        (parents, *params),
    )


@cache
def _count_statement(listing: Listing[Any], shape: _Shape, by: str = "") -> Statement:
    prepared = statement(_narrowed(listing, shape, by).order_by().values_list("pk"))
    counting = f"SELECT count(*) FROM ({prepared.sql}) AS counted"
    if not by:
        return Statement(counting, prepared.params)
    parents, parents_sql = _parents(listing, by)
    return Statement(f"SELECT parent.key, ({counting}) FROM {parents_sql}", (*prepared.params, parents))


@cache
def _keys_statement(listing: Listing[Any], column: str, is_past: bool) -> Statement:
    keys = Parameter("keys", ArrayField(TEXT if column == "slug" else UUIDS))
    rows = listing.rows(is_past=is_past).filter(AnyOf(column, keys)).annotate(key_0=F(column)).order_by()
    return _columns(listing, rows, ["key_0"])


def _parents(listing: Listing[Any], by: str) -> tuple[Parameter, str]:
    field = listing.narrows[by].field
    return Parameter("parents", field), f"unnest(%s::{field.cast_db_type(connection)}[]) AS parent(key)"


def _narrowed(listing: Listing[Any], shape: _Shape, by: str) -> QuerySet[Any]:
    rows = listing.rows(is_past=shape.is_past)
    for name in shape.names:
        narrow = listing.narrows[name]
        rows = narrow.by(rows, Parameter(f"by_{name}", narrow.field))
    if by:
        rows = listing.narrows[by].by(rows, ParentKey(output_field=listing.narrows[by].field))
    return rows


def _columns(listing: Listing[Any], rows: QuerySet[Any], before: list[str]) -> Statement:
    """Return the statement that gives the columns of `before`, then those of the listing."""
    columns = {
        f"column_{n}": F(column) if isinstance(column, str) else column
        for n, column in enumerate(listing.columns.values())
    }
    return statement(rows.annotate(**columns).values_list(*before, *columns))
