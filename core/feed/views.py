"""Public reads over REST: a list or an item of a representation, compiled, conditional, strict about its parameters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Protocol
from urllib.parse import urlencode

import orjson
from django.db import models
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView

from core.api import parameters
from core.api.addresses import public_base
from core.api.as_of import AsOf, is_history
from core.api.compiled import Parameter, Statement, json_of, statement, text_of
from core.api.errors import Problem, bad_request, not_found, problem_json, respond_to
from core.api.ids import as_uuid
from core.api.keyset import Order, fingerprint, read_cursor, write_cursor
from core.api.representations import Representation
from core.feed import conditional
from core.feed.moment import Moment, read_moment


class Source(Protocol):
    """What gives the rows that the public may see at `at`: an instant, or a parameter that will be one."""

    def __call__(self, at: Any) -> QuerySet[Any]: ...


class Moved(Protocol):
    """What gives the row that stands elsewhere now and once stood at `slug`."""

    def __call__(self, slug: Any, at: Any) -> QuerySet[Any]: ...


@dataclass(frozen=True)
class Filter:
    """A parameter that narrows a list: how its text is read, and what it does to the rows."""

    read: parameters.Reader
    narrow: Callable[[Any, Parameter], QuerySet[Any]]  # (rows of the queryset class of the list, value) -> rows
    field: "models.Field[Any, Any]"
    description: str = ""
    kinds: tuple[str, ...] = ()
    """Of the records that it looks at, where the list depends on none of them without it."""


@dataclass(frozen=True)
class Choice:
    """A parameter that changes how rows are shown, and not which: a `Parameter` of its name stands in the SQL."""

    read: parameters.Reader
    among: tuple[str, ...]
    description: str = ""


class PublicView(APIView):
    """A GET of what is public. No DRF request is made: reading is the hot path, and there is nothing to negotiate."""

    permission_classes = [AllowAny]
    kinds: ClassVar[Sequence[str]] = ()
    takes_as_of: ClassVar[bool] = False
    media_type: ClassVar[str] = "application/json"
    choices: ClassVar[Mapping[str, Choice]] = {}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            if request.method == "OPTIONS":
                response = HttpResponse(status=204)
            else:
                response = problem_json(405, [Problem(None, "method_not_allowed", "This address is only read.")])
            response["Allow"] = "GET, HEAD, OPTIONS"
            return response
        try:
            return self.read(request, **kwargs)
        except Exception as error:
            answer = respond_to(error)
            if answer is None:
                raise
            return answer

    def read(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Answer with a 304, or with what `body` gives."""
        asked, problems = parameters.sorted_out(request.GET, self.known_parameters())
        question = problems.read(self.question, asked, **kwargs)
        choices = {name: choice for name, choice in self.choices.items() if name in asked}
        self.shown_as = {name: problems.read(choice.read, name, asked[name]) for name, choice in choices.items()}
        if problems.found and question is not None:
            problems.read(self.judge, question)
        problems.refuse()
        moment = read_moment()
        at = self.instant(asked, moment)
        etag = conditional.etag_of(request, moment, self.kinds_of(asked), self.media_type + self.variant())
        if conditional.matches(request, etag):
            return conditional.not_modified(etag)
        response = self.body(request, question, at, etag)
        # `*` asks whether there is anything at all, so it is answered only when there turned out to be.
        if response.status_code == 200 and request.headers.get("If-None-Match", "").strip() == "*":
            return conditional.not_modified(etag)
        return response

    def judge(self, question: Any) -> None:
        """Raise RequestRefused for what only the answer would find: it belongs beside what is wrong already."""

    def variant(self) -> str:
        """Return what else the answer depends on, such as settings: it is a part of the ETag."""
        return ""

    def kinds_of(self, asked: Mapping[str, str]) -> Sequence[str]:
        """Return the kinds of records that the answer depends on."""
        return self.kinds

    def instant(self, asked: Mapping[str, str], moment: Moment) -> datetime:
        """Return the instant that the answer is of: `as_of`, or the database's clock."""
        if "as_of" not in asked:
            return moment.at
        at = AsOf.of(parameters.read_instant("as_of", asked["as_of"]))
        if at > moment.at:
            raise bad_request(
                "as_of", "as_of_in_future", "as_of lies in the future; what will be public is not public."
            )
        return at

    def known_parameters(self) -> set[str]:
        return {*self.choices, *(["as_of"] if self.takes_as_of else [])}

    def describe_parameters(self) -> list[OpenApiParameter]:
        """Return the parameters, for OpenAPI."""
        found = [
            OpenApiParameter(name, str, enum=choice.among, description=choice.description)
            for name, choice in self.choices.items()
        ]
        if self.takes_as_of:
            found.append(
                OpenApiParameter("as_of", OpenApiTypes.DATETIME, description="What was public at another instant.")
            )
        return found

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.dispatch(request, **kwargs)

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> Any:
        """Read the parameters, before any SQL."""
        raise NotImplementedError

    def body(self, request: HttpRequest, question: Any, at: datetime, etag: str) -> HttpResponse:
        raise NotImplementedError


@dataclass
class Question:
    """A list as it is asked for."""

    filters: dict[str, Any]
    order: str
    limit: int
    keys: list[Any] = field(default_factory=list)
    backwards: bool = False
    count: bool = False
    bound_to: str = ""


class ListView(PublicView):
    """A page of a list: `{"results": […], "next": …, "previous": …}`, the same links in `Link`."""

    representation: ClassVar[type[Representation]]
    source: ClassVar[Source]
    filters: ClassVar[Mapping[str, Filter]] = {}
    orders: ClassVar[Mapping[str, Order]]
    tag: ClassVar[str] = "id"
    default_limit: ClassVar[int] = 20
    maximum_limit: ClassVar[int] = 100

    is_page: ClassVar[bool] = True

    def known_parameters(self) -> set[str]:
        return super().known_parameters() | {"limit", "cursor", "order", "count", *self.filters}

    def describe_parameters(self) -> list[OpenApiParameter]:
        limit = {"type": "integer", "minimum": 1, "maximum": self.maximum_limit, "default": self.default_limit}
        return [
            *super().describe_parameters(),
            *(
                OpenApiParameter(name, _schema_of(f.field), description=f.description)
                for name, f in self.filters.items()
            ),
            OpenApiParameter("order", str, enum=list(self.orders), default=next(iter(self.orders))),
            OpenApiParameter("limit", limit),
            OpenApiParameter("cursor", str, description="From `next` or `previous`; opaque."),
            OpenApiParameter("count", bool, description="true adds `count`, the number of all results."),
        ]

    def kinds_of(self, asked: Mapping[str, str]) -> Sequence[str]:
        more = [kind for name, one in self.filters.items() if name in asked for kind in one.kinds]
        return [*self.kinds, *dict.fromkeys(kind for kind in more if kind not in self.kinds)]

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> Question:
        default = next(iter(self.orders))
        order = asked.get("order", default)
        problems = parameters.Problems()
        problems.read(parameters.one_of(*self.orders), "order", order)
        limit = problems.read(self.read_limit, asked.get("limit"))
        filters = {name: problems.read(f.read, name, asked[name]) for name, f in self.filters.items() if name in asked}
        count = problems.read(parameters.read_bool, "count", asked["count"]) if "count" in asked else False
        problems.refuse()
        bound = {name: asked[name] for name in (*self.filters, "as_of") if name in asked}
        found = Question(
            filters,
            order,
            limit,
            count=count,
            bound_to=fingerprint({**bound, "order": order, "list": type(self).__name__}),
        )
        if "cursor" in asked:
            found.keys, found.backwards = read_cursor(asked["cursor"], self.orders[order].keys, bound_to=found.bound_to)
        return found

    def read_limit(self, text: str | None) -> int:
        return parameters.read_limit(text, default=self.default_limit, maximum=self.maximum_limit)

    def body(self, request: HttpRequest, question: Question, at: datetime, etag: str) -> HttpResponse:
        view: Any = self.reading(question)
        head = self.head(question, at)
        prepared = page_statement(
            view, tuple(question.filters), question.order, bool(question.keys), question.backwards, is_history(at)
        )
        values = {"at": at, "limit": question.limit + 1, **self.shown_as, **question.filters}
        values |= {f"key{n}": key for n, key in enumerate(question.keys)}
        rows = prepared.rows(values)
        page = Page([(list(row[1:-1]), row[-1]) for row in rows], question)
        named = self.names([row[0] for row in rows[: question.limit]])
        return page.answer(request, etag, tags=[*self.kinds_of(question.filters), *named], head=head)

    def reading(self, question: Question) -> type["ListView"]:
        """Return the view whose source, filters and representation the page is read with."""
        return type(self)

    def head(self, question: Question, at: datetime) -> dict[str, Any]:
        """Return what stands beside the results."""
        if not question.count:
            return {}
        view: Any = self.reading(question)
        counting = count_statement(view, tuple(question.filters), is_history(at))
        return {"count": counting.rows({"at": at, **question.filters})[0][0]}

    def names(self, ids: list[Any]) -> list[str]:
        """Return the cache tags of the records on a page."""
        return [f"{self.kinds[0]}:{identifier}" for identifier in ids]


class Asked(Protocol):
    """What a page is asked for with: its size, and where its cursor stands."""

    limit: int
    keys: list[Any]
    backwards: bool
    bound_to: str


class Page:
    """A page of rows (keys, JSON text), one more of which was read than asked for, in the direction of the walk."""

    def __init__(self, rows: list[tuple[list[Any], str]], asked: Asked) -> None:
        more = len(rows) > asked.limit
        self.asked = asked
        self.rows = rows[: asked.limit]
        if asked.backwards:
            self.rows.reverse()
        # Where we came from there is a page, unless what was on it has gone.
        self.has_next = bool(self.rows) and (more or asked.backwards)
        self.has_previous = bool(self.rows) and (more if asked.backwards else bool(asked.keys))

    def answer(self, request: HttpRequest, etag: str, *, tags: Sequence[str], head: Mapping[str, Any]) -> HttpResponse:
        """Return the response: the results, the links both in the body and in `Link`, and what `head` adds."""
        links = {
            "next": self._link(request, self.rows[-1][0], backwards=False) if self.has_next else None,
            "previous": self._link(request, self.rows[0][0], backwards=True) if self.has_previous else None,
        }
        results = b'{"results":[' + ",".join(text for _, text in self.rows).encode() + b"],"
        response = conditional.answer(results + orjson.dumps({**links, **head})[1:], etag, tags=tags)
        relations = {"next": "next", "previous": "prev"}
        header = ", ".join(f'<{url}>; rel="{relations[name]}"' for name, url in links.items() if url)
        if header:
            response["Link"] = header
        return response

    def _link(self, request: HttpRequest, keys: Sequence[Any], *, backwards: bool) -> str:
        query = {name: request.GET[name] for name in request.GET if name != "cursor"}
        query["cursor"] = write_cursor(keys, backwards=backwards, bound_to=self.asked.bound_to)
        return f"{public_base(request)}{request.path}?{urlencode(query)}"


def _schema_of(field: "models.Field[Any, Any]") -> Any:
    """Return the type of a parameter, for OpenAPI. A quantity may name its unit, so it is text."""
    return {
        models.UUIDField: OpenApiTypes.UUID,
        models.BooleanField: bool,
        models.DateTimeField: OpenApiTypes.DATETIME,
    }.get(type(field), str)


@cache
def page_statement(
    view: type[Any], filters: tuple[str, ...], order_name: str, after: bool, backwards: bool, history: bool
) -> Statement:
    """Return the statement of a page; rows are (id, keys…, JSON text)."""
    order = view.orders[order_name]
    at = Parameter("at", models.DateTimeField(), is_history=history)
    rows = _narrowed(view, filters, at)
    if after:
        rows = rows.filter(order.after(backwards=backwards))
    rows = rows.order_by(*order.by(backwards=backwards))
    keys = {f"key_{n}": F(key.path) for n, key in enumerate(order.keys)}
    rows = rows.annotate(tag_id=F(view.tag), **keys, body_json=text_of(json_of(view.representation, at)))
    prepared = statement(rows.values_list("tag_id", *keys, "body_json"))
    return Statement(prepared.sql + " LIMIT %s", (*prepared.params, Parameter("limit", models.IntegerField())))


@cache
def count_statement(view: type[Any], filters: tuple[str, ...], history: bool) -> Statement:
    """Return the statement that counts a list."""
    prepared = statement(
        _narrowed(view, filters, Parameter("at", models.DateTimeField(), is_history=history))
        .order_by()
        .values_list("pk")
    )
    return Statement(f"SELECT count(*) FROM ({prepared.sql}) AS counted", prepared.params)


def _narrowed(view: type[ListView], filters: tuple[str, ...], at: Parameter) -> QuerySet[Any]:
    rows = view.source(at)
    for name in filters:
        rows = view.filters[name].narrow(rows, Parameter(name, view.filters[name].field))
    return rows


class ItemView(PublicView):
    """One record, by slug or id. An old slug redirects to the one of today."""

    representation: ClassVar[type[Representation]]
    source: ClassVar[Source]
    id_column: ClassVar[str] = "id"
    slug_column: ClassVar[str] = "slug"
    moved: ClassVar[Moved | None] = None

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> str:
        if "\x00" in kwargs["key"]:
            raise not_found()
        return str(kwargs["key"])

    def body(self, request: HttpRequest, question: str, at: datetime, etag: str) -> HttpResponse:
        identifier = as_uuid(question)
        column = self.slug_column if identifier is None else self.id_column
        view: Any = type(self)
        rows = item_statement(view, column, is_history(at)).rows(
            {"at": at, "key": identifier or question, **self.shown_as}
        )
        if not rows:
            return self._elsewhere(request, question, at)
        tag_id, text = rows[0]
        return conditional.answer(text.encode(), etag, tags=[*self.kinds, f"{self.kinds[0]}:{tag_id}"])

    def _elsewhere(self, request: HttpRequest, slug: str, at: datetime) -> HttpResponse:
        moved = type(self).moved
        if moved is not None and as_uuid(slug) is None:
            today = moved(slug, at).values_list("slug", flat=True).first()
            if today is not None:
                query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
                base = request.path.removesuffix(f"{slug}/")
                response = HttpResponsePermanentRedirect(f"{public_base(request)}{base}{today}/{query}")
                # A slug can come back into use, so nobody may keep this for ever.
                response["Cache-Control"] = conditional.CACHE_CONTROL
                return response
        raise not_found()


@cache
def item_statement(view: type[Any], column: str, history: bool) -> Statement:
    """Return the statement of an item; its row is (id, JSON text)."""
    at = Parameter("at", models.DateTimeField(), is_history=history)
    field: models.Field[Any, Any] = models.UUIDField() if column == view.id_column else models.TextField()
    rows = view.source(at).filter(**{column: Parameter("key", field)})
    rows = rows.annotate(tag_id=F(view.id_column), body_json=text_of(json_of(view.representation, at)))
    return statement(rows.values_list("tag_id", "body_json")[:1])
