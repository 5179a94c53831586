"""Records by their id: the interface that they have in common, and how one is found among all kinds."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import strawberry
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Value

from core.api import parameters
from core.api.compiled import AnyOf, Parameter, Statement, statement
from core.api.errors import bad_request
from core.api.graphql.context import Context
from core.api.graphql.reads import UUIDS, Listing, Question, Row, read_keys, read_page

R = TypeVar("R", bound=Row)

LISTINGS: dict[str, Listing[Any]] = {}
"""The listings whose rows are nodes, by kind."""


@strawberry.interface(description="A record with an id: a UUID, the same in REST, in the feed and here.")
class Node:
    id: strawberry.ID


def node(listing: Listing[R]) -> Listing[R]:
    """Let the rows of `listing` be found by their id alone, and return it."""
    LISTINGS[listing.kind] = listing
    return listing


def find_nodes(context: Context, ids: Sequence[str]) -> list[Row | None]:
    """Return the public record of each id, in the order of `ids`; None where there is none.

    One statement finds out the kinds, and one reads the records of each.
    """
    keys = [parameters.read_uuid("ids", text) for text in ids]
    if not keys:
        return []
    kinds: dict[str, list[UUID]] = {}
    for kind, key in _kinds_statement(context.is_past, tuple(LISTINGS)).rows(
        {"at": context.at, "now": context.now, "keys": keys}
    ):
        kinds.setdefault(kind, []).append(key)
    found: dict[UUID, Row] = {}
    for kind, some in kinds.items():
        found |= read_keys(LISTINGS[kind], context, some)
    return [found.get(key) for key in keys]


def find_item(listing: Listing[R], context: Context, *, slug: str | None, id: str | None) -> R | None:  # noqa: A002
    """Return the public record at `slug`, or with `id`; None where there is none.

    Raises RequestRefused: `slug_or_id` unless one of them is given, `not_an_id`.
    """
    if (slug is None) == (id is None):
        raise bad_request(None, "slug_or_id", "Give slug or id, one of the two.")
    if id is not None:
        key = parameters.read_uuid("id", id)
        return read_keys(listing, context, [key]).get(key)
    # A NUL, which PostgreSQL takes in no text, stands in no slug.
    return None if "\x00" in str(slug) else read_keys(listing, context, [slug], "slug").get(slug)


def find_moved(listing: Listing[R], context: Context, slug: str | None) -> R | None:
    """Return the public record that once stood at `slug`; None where there is none.

    `listing` is of those that stood at the parameter `by_slug`, and is narrowed by it.
    """
    if slug is None or "\x00" in slug:
        return None
    rows = read_page(listing, context, Question({"slug": slug}, first=1)).rows
    return rows[0] if rows else None


def find_related(row: Row, context: Context, kind: str, name: str) -> Any:
    """Return the public record that `row` names by two attributes, its kind and its id; None where there is none.

    All rows of the batch are looked up together, with a statement for each kind that they name.
    """
    listing = LISTINGS.get(getattr(row, kind))
    if listing is None:
        return None
    named = listing.kind

    def read() -> dict[Any, Row]:
        keys = {getattr(other, name): None for other in row.batch.rows if getattr(other, kind) == named}
        return read_keys(listing, context, list(keys))

    return row.batch.once((kind, name, named), read).get(getattr(row, name))


@cache
def _kinds_statement(is_past: bool, kinds: tuple[str, ...]) -> Statement:
    """Return the statement whose rows are (kind, id) of the public records among some ids."""
    keys = Parameter("keys", ArrayField(UUIDS))
    parts = []
    for kind in kinds:
        listing = LISTINGS[kind]
        rows = listing.rows(is_past=is_past).filter(AnyOf(listing.key, keys)).order_by()
        named = Value(kind, output_field=models.TextField())
        parts.append(statement(rows.annotate(kind_0=named, key_0=F(listing.key)).values_list("kind_0", "key_0")))
    return Statement(
        " UNION ALL ".join(f"({part.sql})" for part in parts), tuple(param for part in parts for param in part.params)
    )
