"""Search over GraphQL."""

from collections.abc import Sequence
from enum import Enum
from typing import Any
from uuid import UUID

import orjson
import strawberry

from articles.search import KINDS, RANK, count_hits, find
from core.api.graphql.connections import Connection, connection, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, find_related
from core.api.graphql.reads import Batch, Page, Row
from core.api.keyset import fingerprint, id_key, read_cursor


@strawberry.enum
class SearchKind(Enum):
    ARTICLE = "article"
    DEVICE = "device"
    VENDOR = "vendor"


@strawberry.type(description="A hit. The best come first, and payment changes nothing in that.")
class SearchHit(Row):
    kind: SearchKind
    id: strawberry.ID
    slug: str
    title: str
    excerpt: str = strawberry.field(description="Text, with the words that were found between « and ».")
    rank: float

    @strawberry.field(description="The record itself.")
    def node(self, info: Info) -> Node | None:
        return find_related(self, info.context, "found_in", "uuid")


def search(
    info: Info, words: str, kinds: Sequence[SearchKind] | None, first: int, after: str | None
) -> Connection[SearchHit]:
    """Return a page of hits."""
    words = text("q", words) or ""
    wanted = tuple(kind for kind in KINDS if kinds is None or SearchKind(kind) in kinds)
    as_of = info.context.at.isoformat() if info.context.is_past else ""
    bound_to = fingerprint({"q": words, "kinds": ",".join(wanted), "as_of": as_of})
    keys = None
    if after is not None:
        rank, identifier = read_cursor(after, (RANK, id_key()), bound_to=bound_to, field="after")[0]
        keys = (rank, identifier)
    found = find(words, wanted, at=info.context.at, limit=first + 1, after=keys) if wanted else []
    rows = [_hit(identifier, body) for identifier, _, body in found[:first]]
    Batch(rows)
    page = Page(rows, [(rank, identifier) for identifier, rank, _ in found[:first]], len(found) > first)
    return connection(page, bound_to, lambda: count_hits(words, wanted, at=info.context.at) if wanted else 0)


def _hit(identifier: UUID, body: str) -> SearchHit:
    fields: dict[str, Any] = orjson.loads(body)
    hit = SearchHit(**{**fields, "kind": SearchKind(fields["kind"])})
    hit.__dict__.update(found_in=fields["kind"], uuid=identifier)
    return hit
