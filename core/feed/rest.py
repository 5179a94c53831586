"""`GET changes/`: what changed of what is public, in an order in which nothing is missed, whatever commits late.

Changes are served in the order (xid, id), and only those of transactions older than every transaction still running:
nothing can ever appear before a position that was handed out.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import orjson
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, path, reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from core.api import parameters
from core.api.addresses import public_base
from core.api.errors import Problem, RequestRefused, bad_request
from core.api.keyset import fingerprint
from core.api.representations import InstantField
from core.feed.models import Change
from core.feed.services import announce_due, read_horizon
from core.feed.views import PublicView

CURSOR_LIFE = timedelta(days=90)
MAXIMUM_LIMIT = 200
_LAST_ID = 2**63 - 1

_PAGE = """
with edge as materialized (
    select pg_snapshot_xmin(pg_current_snapshot()) as xmin, pg_snapshot_xmax(pg_current_snapshot()) as xmax
), page as (
    select * from feed_change
    where (xid, id) > (%(xid)s::xid8, %(id)s::bigint) and xid < (select xmin from edge)
      and (%(kind)s::text is null or kind = %(kind)s::text)
    order by xid, id limit %(limit)s::int
)
select (select value::text from feed_epoch), edge.xmin::text, edge.xmax::text,
       (select at from feed_change where xid < edge.xmin order by xid, id limit 1),
       least((select min(at) from feed_change where xid >= edge.xmin),
             (select min(at) from feed_instant where not announced and at <= statement_timestamp())),
       (select coalesce(json_agg(json_build_array(
            xid::text, id, kind, object_id, change_kind, reason,
            to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by xid, id), '[]')::text from page)
from edge
"""

# The kinds that triggers announce are the kinds that there are; each such function takes its kind first.
_KINDS = r"""
select distinct split_part(encode(t.tgargs, 'escape'), '\000', 1)
from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where p.proname like '%\_announce%' and t.tgnargs > 0 order by 1
"""


@dataclass(frozen=True)
class Position:
    """How far a consumer has come, as its cursor says."""

    epoch: str = ""
    xid: int = 0
    id: int = 0
    issued_at: datetime | None = None
    covered_to: datetime | None = None


@dataclass(frozen=True)
class Question:
    position: Position
    kind: str | None
    limit: int
    bound_to: str


@dataclass(frozen=True)
class Page:
    """Some changes after a position, and how far the feed reaches."""

    changes: list[list[Any]]
    position: Position
    lag: timedelta
    earliest_available: datetime | None


@cache
def known_kinds() -> tuple[str, ...]:
    """Return the kinds of records whose changes are told."""
    with connection.cursor() as cursor:
        cursor.execute(_KINDS)
        return tuple(kind for (kind,) in cursor.fetchall())


def read_page(question: Question) -> Page:
    """Return the changes after a position, once what is due has been announced.

    Everything that took effect before `covered_to` is in the feed: in this page, before it, or in one that follows.
    Raises RequestRefused with 410: `cursor_of_other_epoch`, `cursor_expired`.
    """
    after = question.position
    announce_due()
    now, begun = read_horizon()
    with connection.cursor() as cursor:
        cursor.execute(_PAGE, {"xid": str(after.xid), "id": after.id, "kind": question.kind, "limit": question.limit})
        epoch, xmin, xmax, earliest, held_back, rows = cursor.fetchone()
    if after.issued_at is not None:
        # A position that this database has not reached is of what it was before it was set back.
        if after.epoch != epoch or after.xid >= int(xmax):
            raise _gone("cursor_of_other_epoch", "This cursor is of another life of the database; begin anew.")
        if now - after.issued_at > CURSOR_LIFE:
            raise _gone("cursor_expired", f"This cursor is older than {CURSOR_LIFE.days} days; begin anew.")
    changes = orjson.loads(rows)
    if len(changes) == question.limit:
        xid, last = int(changes[-1][0]), changes[-1][1]
    else:
        xid, last = int(xmin) - 1, _LAST_ID
    covered_to = min(begun, held_back or begun)
    if after.covered_to is not None:
        covered_to = max(covered_to, after.covered_to)  # What was covered once is.
    return Page(changes, Position(epoch, xid, last, now, covered_to), now - covered_to, earliest)


def _gone(code: str, message: str) -> RequestRefused:
    return RequestRefused(410, [Problem("cursor", code, message)])


def write_position(position: Position, *, bound_to: str) -> str:
    """Return the cursor of a position: opaque to the consumer."""
    values = [
        bound_to,
        position.epoch,
        position.xid,
        position.id,
        position.issued_at and position.issued_at.isoformat(),
        position.covered_to and position.covered_to.isoformat(),
    ]
    return base64.urlsafe_b64encode(orjson.dumps(values)).rstrip(b"=").decode()


def read_position(text: str, *, bound_to: str) -> Position:
    """Return the position that a cursor holds. Raises RequestRefused: `invalid_cursor`, `cursor_of_other_question`."""
    try:
        made_for, epoch, xid, last, issued_at, covered_to = orjson.loads(
            base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        )
        position = Position(
            str(UUID(epoch)), xid, last, datetime.fromisoformat(issued_at), datetime.fromisoformat(covered_to)
        )
        if not (type(xid) is int and 0 <= xid < 2**64 and type(last) is int and 0 <= last <= _LAST_ID):
            raise ValueError(text)
        if position.issued_at.tzinfo is None or position.covered_to.tzinfo is None:  # type: ignore[union-attr]
            raise ValueError(text)
    except (ValueError, TypeError, AttributeError, binascii.Error) as error:
        raise bad_request("cursor", "invalid_cursor", "This is no cursor of ours; begin again without it.") from error
    if made_for != bound_to:
        raise bad_request(
            "cursor", "cursor_of_other_question", "This cursor belongs to another kind; begin again without it."
        )
    return position


class ChangeRepresentation(serializers.Serializer[Any]):
    """One change. Read the record anew at `url`; without one, or on a 404, nothing of it is public any more."""

    kind = serializers.CharField()
    id = serializers.UUIDField()
    change_kind = serializers.ChoiceField(choices=Change.ChangeKind.choices)
    reason = serializers.CharField(help_text="published, withdrawn, saved, deleted.")
    at = serializers.DateTimeField(help_text="When it took effect.")
    tags = serializers.ListField(child=serializers.CharField(), help_text="As in Cache-Tag.")
    url = serializers.URLField(required=False)


class ChangesRepresentation(serializers.Serializer[Any]):
    """A page of the feed. `next` is always there: poll it. Fewer results than `limit` mean that you have them all."""

    results = ChangeRepresentation(many=True)
    next = serializers.URLField()
    cursor = serializers.CharField()
    covered_to = serializers.DateTimeField(
        help_text="What took effect before is in the feed: in these results, or in those behind `next`."
    )
    lag_seconds = serializers.FloatField(help_text="How long ago `covered_to` is.")
    earliest_available = serializers.DateTimeField(allow_null=True)
    epoch = serializers.UUIDField(help_text="The life of the database. Cursors of another one are answered with 410.")


class Changes(PublicView):
    """What changed of what is public, the oldest first. Follow `next`, and your copy ends with exactly what is public.

    Without a cursor it begins at the earliest change. A cursor lives 90 days; an older one, and one from before a
    restore of the database, is answered with 410 and `restart`, the address to begin anew.
    """

    representation = ChangesRepresentation
    operation_id = "changes_list"

    def known_parameters(self) -> set[str]:
        return {"cursor", "limit", "kind"}

    def describe_parameters(self) -> list[OpenApiParameter]:
        return [
            OpenApiParameter("cursor", str, description="From `cursor` or `next`; opaque."),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAXIMUM_LIMIT, "default": 20}),
            OpenApiParameter("kind", str, description="Only changes of this kind, such as vendor."),
        ]

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> Question:
        limit = parameters.read_limit(asked.get("limit"), default=20, maximum=MAXIMUM_LIMIT)
        kind = parameters.one_of(*known_kinds())("kind", asked["kind"]) if "kind" in asked else None
        bound_to = fingerprint({"list": "changes", "kind": kind or ""})
        position = read_position(asked["cursor"], bound_to=bound_to) if "cursor" in asked else Position()
        return Question(position, kind, limit, bound_to)

    def read(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        question = self.question(parameters.only_known(request.GET, self.known_parameters()), **kwargs)
        here = f"{public_base(request)}{request.path}"
        asked = {name: request.GET[name] for name in request.GET if name != "cursor"}
        try:
            page = read_page(question)
        except RequestRefused as refusal:
            refusal.extra["restart"] = f"{here}?{urlencode(asked)}".removesuffix("?")
            raise
        cursor = write_position(page.position, bound_to=question.bound_to)
        base = public_base(request)
        following = f"{here}?{urlencode({**asked, 'cursor': cursor})}"
        body = {
            "results": [_shown(change, base) for change in page.changes],
            "next": following,
            "cursor": cursor,
            "covered_to": _instant(page.position.covered_to),
            "lag_seconds": round(page.lag.total_seconds(), 3),
            "earliest_available": _instant(page.earliest_available),
            "epoch": page.position.epoch,
        }
        response = HttpResponse(orjson.dumps(body), content_type="application/json")
        response["Cache-Control"] = "no-store"
        response["Link"] = f'<{following}>; rel="next"'
        return response


def _shown(change: list[Any], base: str) -> dict[str, Any]:
    _, _, kind, record, change_kind, reason, at = change
    shown = {
        "kind": kind,
        "id": record,
        "change_kind": change_kind,
        "reason": reason,
        "at": at,
        "tags": [kind, f"{kind}:{record}"],
    }
    if change_kind == Change.ChangeKind.UPSERT and (address := _address_of(kind, record)):
        shown["url"] = base + address
    return shown


def _address_of(kind: str, record: str) -> str | None:
    """Return the path of a record, where its kind has one: its app names it `vendor-item`."""
    try:
        return reverse(f"{kind}-item", kwargs={"key": record})
    except NoReverseMatch:
        return None


def _instant(at: datetime | None) -> str | None:
    return InstantField().to_representation(at) if at is not None else None


urlpatterns = [path("changes/", Changes.as_view(), name="change-list")]
