"""Pages: `edges { node cursor } pageInfo { hasNextPage endCursor } totalCount`, forward only.

A cursor is that of REST (core/api/keyset.py): opaque, and bound to the list, its filters, its order and its parent.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Generic, TypeVar

import strawberry

from core.api import parameters
from core.api.errors import bad_request
from core.api.graphql import reads
from core.api.graphql.context import Context, Info
from core.api.graphql.reads import Listing, Page, Question, Row
from core.api.keyset import fingerprint, read_cursor, write_cursor

R = TypeVar("R", bound=Row)

First = Annotated[int, strawberry.argument(description="How many, 1 to 100.")]
After = Annotated[str | None, strawberry.argument(description="The cursor to go on after.")]
Slug = Annotated[str | None, strawberry.argument(description="A slug.")]
DEFAULT_FIRST = 20


@strawberry.type
class PageInfo:
    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class Edge(Generic[R]):
    node: R
    keys: strawberry.Private[tuple[Any, ...]]
    bound_to: strawberry.Private[str]

    @strawberry.field
    def cursor(self) -> str:
        return write_cursor(self.keys, backwards=False, bound_to=self.bound_to)


@strawberry.type
class Connection(Generic[R]):
    edges: list[Edge[R]]
    page_info: PageInfo
    counted: strawberry.Private[Callable[[], int]]

    @strawberry.field(description="How many there are on all pages. It is counted when it is asked for.")
    def total_count(self) -> int:
        return self.counted()


def root_page(
    listing: Listing[R],
    info: Info,
    *,
    first: int,
    after: str | None,
    filters: Mapping[str, Any],
    order: Enum | None = None,
) -> Connection[R]:
    """Return a page of all rows of `listing`. Filters that are None are left out."""
    question, bound_to = _question(listing, info.context, first, after, filters, order)
    page = reads.read_page(listing, info.context, question)
    return connection(page, bound_to, lambda: reads.count(listing, info.context, question))


def page_of(
    row: Row,
    info: Info,
    listing: Listing[R],
    by: str,
    *,
    first: int,
    after: str | None,
    name: str = "id",
    filters: Mapping[str, Any] | None = None,
    order: Enum | None = None,
) -> Connection[R]:
    """Return a page of the rows of `listing` that, narrowed `by` its attribute `name`, belong to `row`."""
    parent = {"parent": f"{by}={getattr(row, name)}"}
    question, bound_to = _question(listing, info.context, first, after, filters or {}, order, parent)
    page = reads.page_of(row, info.context, listing, by, name, question)
    return connection(page, bound_to, lambda: reads.count_of(row, info.context, listing, by, name, question))


def _question(
    listing: Listing[Any],
    context: Context,
    first: int,
    after: str | None,
    filters: Mapping[str, Any],
    order: Enum | None,
    parent: Mapping[str, str] = {},
) -> tuple[Question, str]:
    given = {name: value for name, value in filters.items() if value is not None}
    order_name = order.value if order else next(iter(listing.orders))
    bound = {name: value.isoformat() if isinstance(value, datetime) else str(value) for name, value in given.items()}
    if context.is_past:
        bound["as_of"] = context.at.isoformat()
    bound_to = fingerprint({**bound, **parent, "order": order_name, "list": f"graphql {listing.row.__name__}"})
    keys = None
    if after is not None:
        found, _ = read_cursor(after, listing.orders[order_name].keys, bound_to=bound_to, field="after")
        keys = tuple(found)
    return Question(given, order_name, first, keys), bound_to


def connection(page: Page[R], bound_to: str, counted: Callable[[], int]) -> Connection[R]:
    """Return `page` as it goes out. Its cursors are bound to the question that has the fingerprint `bound_to`."""
    edges = [Edge(node=row, keys=keys, bound_to=bound_to) for row, keys in zip(page.rows, page.keys, strict=True)]
    end = write_cursor(page.keys[-1], backwards=False, bound_to=bound_to) if page.keys else None
    return Connection(edges=edges, page_info=PageInfo(has_next_page=page.has_more, end_cursor=end), counted=counted)


def text(name: str, value: str | None) -> str | None:
    """Return a filter that is text, as REST reads it: not empty, at most 200 characters. None stays None."""
    if value is not None and "\x00" in value:
        raise bad_request(name, "invalid", f"{name} holds a NUL character.")
    return None if value is None else parameters.read_text(name, value)
