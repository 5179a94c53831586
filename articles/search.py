"""Full-text search over articles, devices and vendors, with PostgreSQL: what is public, and nothing else."""

import math
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchHeadline, SearchQueryCombinable, SearchRank
from django.db import models
from django.db.models import F, Func, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from articles.models import Edition
from catalog.models import Device
from core.api.as_of import is_history
from core.api.compiled import JsonObject, Parameter, Statement, constant, statement, text_of
from core.api.keyset import Key
from core.api.words import words_query
from sponsors.models import VendorEdition

KINDS = ("article", "device", "vendor")


def _read_rank(value: Any) -> float:
    if type(value) is not float or not math.isfinite(value):
        raise ValueError(value)
    return value


RANK = Key("rank", models.FloatField(), _read_rank)


def find(
    words: str,
    kinds: tuple[str, ...],
    *,
    at: datetime,
    limit: int,
    after: tuple[float, UUID] | None = None,
    backwards: bool = False,
) -> list[tuple[UUID, float, str]]:
    """Return the hits (id, rank, JSON text) of the public at `at`, the best first, in one statement.

    `after` is (rank, id) of the hit where the page before ended. `backwards` walks up from it, so the nearest is first.
    """
    return _statement(kinds, after is not None, backwards, is_history(at)).rows(
        {"at": at, "words": words, "limit": limit, "rank": after and after[0], "id": after and after[1]}
    )


@cache
def _statement(kinds: tuple[str, ...], after: bool, backwards: bool, history: bool) -> Statement:
    """Return the statement of a page. The excerpts are made of the hits of the page only: each costs a millisecond."""
    hits = [_hits(kind, history) for kind in kinds]
    bodies = [_body(kind, history) for kind in kinds]
    cases = " ".join(f"WHEN '{kind}' THEN ({body.sql})" for kind, body in zip(kinds, bodies, strict=True))
    union = " UNION ALL ".join(f"({part.sql})" for part in hits)
    sign, way = (">", "ASC") if backwards else ("<", "DESC")
    where = f"WHERE (rank, id) {sign} (%s::float8, %s::uuid)" if after else ""
    names = ["rank", "id"] if after else []
    return Statement(
        f"SELECT hit.id, hit.rank, CASE hit.kind {cases} END FROM ("
        f"SELECT * FROM ({union}) AS found (kind, pk, id, rank) {where} ORDER BY rank {way}, id {way} LIMIT %s"
        f") AS hit ORDER BY hit.rank {way}, hit.id {way}",
        (
            *[param for body in bodies for param in body.params],
            *[param for part in hits for param in part.params],
            *[Parameter(name, models.TextField()) for name in names],
            Parameter("limit", models.IntegerField()),
        ),
    )


@dataclass(frozen=True)
class _Part:
    """How one kind is searched: its rows, the column of its public id, title, text to excerpt, and the query."""

    rows: QuerySet[Any]
    key: str
    title: Combinable
    text: Combinable
    query: SearchQueryCombinable

    @property
    def rank(self) -> Func:
        # ts_rank is a real; as a double it goes through a cursor unchanged.
        rank = SearchRank(F("search"), self.query, normalization=1)
        return Func(rank, template="(%(expressions)s)::float8", output_field=models.FloatField())


def _part(kind: str, history: bool) -> _Part:
    at = Parameter("at", models.DateTimeField(), is_history=history)
    words = Parameter("words", models.TextField())
    english = words_query(words, "english")
    if kind == "article":
        articles = Edition.objects.visible(at).matching(words)
        return _Part(articles, "article_id", F("title"), F("plain_text"), english)
    either = words_query(words, "simple", "english")
    if kind == "device":
        name = Func(
            F("manufacturer__name"), constant(" "), F("model"), function="concat", output_field=models.TextField()
        )
        return _Part(Device.objects.visible(at).matching(words), "id", name, F("description"), either)
    vendors = VendorEdition.objects.visible(at).matching(words)
    return _Part(vendors, "vendor_id", F("name"), F("description"), either)


def _hits(kind: str, history: bool) -> Statement:
    """Return the statement of all hits of a kind; rows are (kind, key of the row, public id, rank)."""
    part = _part(kind, history)
    named = constant(kind)
    rows = part.rows.order_by().annotate(hit_kind=named, hit_pk=F("pk"), hit_id=F(part.key), hit_rank=part.rank)
    return statement(rows.values_list("hit_kind", "hit_pk", "hit_id", "hit_rank"))


def _body(kind: str, history: bool) -> Statement:
    """Return the statement of the JSON of one hit, whose row is `hit` of the statement around it."""
    part = _part(kind, history)
    excerpt = SearchHeadline(
        part.text, part.query, config="english", start_sel="«", stop_sel="»", max_words=30, min_words=12
    )
    body = JsonObject(
        {
            "kind": constant(kind),
            "id": F(part.key),
            "slug": F("slug"),
            "title": part.title,
            "excerpt": excerpt,
            "rank": part.rank,
        }
    )
    rows = part.rows.order_by().filter(pk=RawSQL("hit.pk", [], output_field=models.UUIDField()))
    return statement(rows.annotate(hit_body=text_of(body)).values_list("hit_body"))


def count_hits(words: str, kinds: tuple[str, ...], *, at: datetime) -> int:
    """Return how many hits there are on all pages, with one statement."""
    return int(_count_statement(kinds, is_history(at)).rows({"at": at, "words": words})[0][0])


@cache
def _count_statement(kinds: tuple[str, ...], history: bool) -> Statement:
    hits = [_hits(kind, history) for kind in kinds]
    union = " UNION ALL ".join(f"({part.sql})" for part in hits)
    return Statement(f"SELECT count(*) FROM ({union}) AS found", tuple(p for part in hits for p in part.params))
