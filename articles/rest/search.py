"""Search over articles, devices and vendors: PostgreSQL's full text, over what is public and nothing else."""

import math
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import orjson
from django.contrib.postgres.search import SearchHeadline, SearchQuery, SearchRank
from django.db import models
from django.db.models import F, Func, QuerySet, Value
from django.db.models.expressions import Combinable, RawSQL
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from articles.models import Edition
from catalog.models import Device
from core.api import parameters
from core.api.as_of import is_history
from core.api.compiled import JsonObject, Parameter, Statement, statement, text_of
from core.api.errors import bad_request
from core.api.keyset import Key, fingerprint, id_key, read_cursor, write_cursor
from core.feed import conditional
from core.feed.views import PublicView
from sponsors.models import VendorEdition

KINDS = ("article", "device", "vendor")


def _read_rank(value: Any) -> float:
    if type(value) is not float or not math.isfinite(value):
        raise ValueError(value)
    return value


RANK = Key("rank", models.FloatField(), _read_rank)


@dataclass
class Question:
    words: str
    kinds: tuple[str, ...]
    limit: int
    keys: list[Any] = field(default_factory=list)
    backwards: bool = False
    bound_to: str = ""


class ResultRepresentation(serializers.Serializer):
    """A hit. `excerpt` is text, with the words that were found between « and »."""

    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField()
    rank = serializers.FloatField()


class Search(PublicView):
    """The best hits first. Payment changes nothing here."""

    representation = ResultRepresentation
    is_page = True
    kinds = ("article", "device", "vendor", "manufacturer")
    takes_as_of = True

    def known_parameters(self) -> set[str]:
        return super().known_parameters() | {"q", "kind", "limit", "cursor"}

    def describe_parameters(self) -> list[OpenApiParameter]:
        return [
            *super().describe_parameters(),
            OpenApiParameter("q", str, required=True, description='Words, "a phrase", or, -not.'),
            OpenApiParameter("kind", str, enum=KINDS),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
            OpenApiParameter("cursor", str, description="From `next`; opaque."),
        ]

    def question(self, asked: Any, **kwargs: Any) -> Question:
        if "q" not in asked:
            raise bad_request("q", "missing", "q holds the words to look for.")
        words = parameters.read_text("q", asked["q"])
        kinds = (parameters.one_of(*KINDS)("kind", asked["kind"]),) if "kind" in asked else KINDS
        limit = parameters.read_limit(asked.get("limit"), default=20, maximum=100)
        bound = fingerprint({name: asked[name] for name in ("q", "kind", "as_of") if name in asked})
        found = Question(words, kinds, limit, bound_to=bound)
        if "cursor" in asked:
            found.keys, found.backwards = read_cursor(asked["cursor"], (RANK, id_key("id")), bound_to=bound)
        return found

    def body(self, request: HttpRequest, question: Question, at: datetime, etag: str) -> HttpResponse:
        rows = find(
            question.words, question.kinds, at=at, limit=question.limit + 1,
            after=(question.keys[0], question.keys[1]) if question.keys else None,
        )  # fmt: skip
        more = len(rows) > question.limit
        rows = rows[: question.limit]
        next_url = None
        if more:
            query = {name: request.GET[name] for name in request.GET if name != "cursor"}
            query["cursor"] = write_cursor([rows[-1][1], rows[-1][0]], backwards=False, bound_to=question.bound_to)
            next_url = f"{conditional.public_base(request)}{request.path}?{urlencode(query)}"
        body = b'{"results":[' + ",".join(row[2] for row in rows).encode() + b"],"
        body += orjson.dumps({"next": next_url, "previous": None})[1:]
        response = conditional.answer(body, etag, tags=self.kinds)
        if next_url:
            response["Link"] = f'<{next_url}>; rel="next"'
        return response


def find(
    words: str, kinds: tuple[str, ...], *, at: datetime, limit: int, after: tuple[float, UUID] | None = None
) -> list[tuple[UUID, float, str]]:
    """Return the hits (id, rank, JSON text) of the public at `at`, the best first, in one statement.

    `after` is (rank, id) of the last hit of the page before.
    """
    return _statement(kinds, after is not None, is_history(at)).rows(
        {"at": at, "words": words, "limit": limit, "rank": after and after[0], "id": after and after[1]}
    )


@cache
def _statement(kinds: tuple[str, ...], after: bool, history: bool) -> Statement:
    """Return the statement of a page. The excerpts are made of the hits of the page only: each costs a millisecond."""
    hits = [_hits(kind, history) for kind in kinds]
    bodies = [_body(kind, history) for kind in kinds]
    cases = " ".join(f"WHEN '{kind}' THEN ({body.sql})" for kind, body in zip(kinds, bodies, strict=True))
    union = " UNION ALL ".join(f"({part.sql})" for part in hits)
    where = "WHERE (rank, id) < (%s::float8, %s::uuid)" if after else ""
    names = ["rank", "id"] if after else []
    return Statement(
        f"SELECT hit.id, hit.rank, CASE hit.kind {cases} END FROM ("
        f"SELECT * FROM ({union}) AS found (kind, pk, id, rank) {where} ORDER BY rank DESC, id DESC LIMIT %s"
        ") AS hit ORDER BY hit.rank DESC, hit.id DESC",
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
    query: SearchQuery

    @property
    def rank(self) -> Func:
        # ts_rank is a real; as a double it goes through a cursor unchanged.
        rank = SearchRank(F("search"), self.query, normalization=1)
        return Func(rank, template="(%(expressions)s)::float8", output_field=models.FloatField())


def _part(kind: str, history: bool) -> _Part:
    at = Parameter("at", models.DateTimeField(), is_history=history)
    words = Parameter("words", models.TextField())
    english = SearchQuery(words, config="english", search_type="websearch")
    if kind == "article":
        rows = Edition.objects.visible(at).filter(search=english)
        return _Part(rows, "article_id", F("title"), F("plain_text"), english)
    if kind == "device":
        either = SearchQuery(words, config="simple", search_type="websearch") | english
        name = Func(F("manufacturer__name"), Value(" "), F("model"), function="concat", output_field=models.TextField())
        return _Part(Device.objects.visible(at).filter(search=either), "id", name, F("description"), either)
    rows = VendorEdition.objects.visible(at).filter(search=english)
    return _Part(rows, "vendor_id", F("name"), F("description"), english)


def _hits(kind: str, history: bool) -> Statement:
    """Return the statement of all hits of a kind; rows are (kind, key of the row, public id, rank)."""
    part = _part(kind, history)
    named = Value(kind, output_field=models.TextField())
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
            "kind": Value(kind, output_field=models.TextField()),
            "id": F(part.key),
            "slug": F("slug"),
            "title": part.title,
            "excerpt": excerpt,
            "rank": part.rank,
        }
    )
    rows = part.rows.order_by().filter(pk=RawSQL("hit.pk", [], output_field=models.UUIDField()))
    return statement(rows.annotate(hit_body=text_of(body)).values_list("hit_body"))
