"""Pictures over REST: each as SVG, as its numbers in JSON, and as a page with both. They are read, so they are kept."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn

import orjson
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api import parameters
from core.api.addresses import public_base
from core.api.errors import Problem, RequestRefused, bad_request, problems_of
from core.api.openapi import shared
from core.feed import conditional
from core.feed.views import PublicView
from simulator.engine import ENGINE_VERSION, Layer, as_data
from simulator.engine.inputs import LINES_MAX
from simulator.plots import elevation
from simulator.plots.cooling import cooling
from simulator.plots.curves import CURVES_MAX
from simulator.plots.elevation import elevation_picture, rack_elevation
from simulator.plots.grids import sweep_curves
from simulator.plots.ladder import ladder
from simulator.plots.picture import Cell, Column, Picture
from simulator.plots.svg import KEPT, drawn
from simulator.plots.theme import PAGE_STYLE, STYLE_CSP, hash_of
from simulator.plots.waterfall import waterfall
from simulator.services import layer_report, run_rack
from simulator.sweeping import SweepInput, read_sweep, sweep_report, too_many_at_once

WIDTHS = ("wide", "narrow")
FORMATS = {"svg": "image/svg+xml", "json": "application/json", "html": "text/html; charset=utf-8"}
LONGEST_INPUT = 20_000
"""Characters of JSON in an address: servers take no longer ones."""


@dataclass(frozen=True)
class Made:
    """A picture, its drawing by width (True for the narrow one), and the records of the catalogue that went into it."""

    picture: Picture
    svg: Callable[[bool], str]
    style: str = STYLE_CSP
    tags: tuple[str, ...] = ()
    has_widths: bool = True


@dataclass(frozen=True)
class Question:
    """What is asked for: an input, whether it stood in `items`, and how it is to be drawn."""

    data: Any
    is_of_items: bool = False
    is_narrow: bool = False
    shown: tuple[str, ...] = ()
    """The quantities of a sweep."""


@dataclass(frozen=True)
class Kind:
    """One picture: what it shows, the layer whose input it takes, and how it is made of that."""

    about: str
    layer: str
    make: Callable[["Question"], Made]
    kinds: tuple[str, ...] = ()

    @property
    def takes_items(self) -> bool:
        """Whether `items` may stand for the input."""
        return self.layer == "rack"


def _of_rack(draw: Callable[[Any], Picture]) -> Callable[[Question], Made]:
    def make(asked: Question) -> Made:
        run = run_rack(asked.data)
        return _drawn(draw(run.report), _tags(run.made_of))

    return make


def _of_ladder(draw: Callable[[Any], Picture]) -> Callable[[Question], Made]:
    return lambda asked: _drawn(draw(layer_report("ladder", asked.data)))


def _sweep(asked: Question) -> Made:
    wanted, layer, given = read_sweep(asked.data)
    if message := too_many_at_once(wanted, layer, given):
        raise bad_request("input.axes", "too_many", f"{message} A picture waits for no worker.")
    try:
        return _drawn(_curves(wanted, layer, given, asked.shown))
    except KeyError as error:
        names = ", ".join(each["quantity"] for each in sweep_report(wanted, layer, given)["quantities"])
        message = f"show names {error.args[0]!r}, which {wanted.layer} does not tell; it tells {names}."
        raise bad_request("show", "not_a_choice", message) from None


@lru_cache(maxsize=KEPT)
def _curves(wanted: SweepInput, layer: Layer, given: Any, shown: tuple[str, ...]) -> Picture:
    """Return the picture of a sweep: some hundred points, which every reader of a page asks for."""
    return sweep_curves(sweep_report(wanted, layer, given), shown)


def _drawn(picture: Picture, tags: tuple[str, ...] = ()) -> Made:
    return Made(picture, lambda is_narrow: drawn(picture, is_narrow=is_narrow), tags=tags)


def _elevation(asked: Question) -> Made:
    run = run_rack(asked.data)
    drawing = rack_elevation(run.given, run.report)
    picture = elevation_picture(run.given, run.report)
    return Made(picture, lambda _: drawing, elevation.STYLE_CSP, _tags(run.made_of), has_widths=False)


def _tags(made_of: Iterable[tuple[str, Any, str]]) -> tuple[str, ...]:
    return tuple(f"{kind}:{pk}" for kind, pk, _ in made_of)


_CATALOGUE = ("device", "manufacturer", "rack_type")
PICTURES = {
    "rack": Kind("Draw the elevation of a rack, front and rear.", "rack", _elevation, _CATALOGUE),
    "cooling": Kind(
        "Show how far each cooling method reaches, and where a rack stands.", "rack", _of_rack(cooling), _CATALOGUE
    ),
    "ladder": Kind(
        "Show the power of one chip, node, rack, hall and campus on a log axis.", "ladder", _of_ladder(ladder)
    ),
    "waterfall": Kind(
        "Show what each rung adds to the power of the chips until the grid.", "ladder", _of_ladder(waterfall)
    ),
    "sweep": Kind("Show how quantities move over one or two numbers of a layer.", "sweep", _sweep, _CATALOGUE),
}


class PictureView(PublicView):
    """One picture in one format. A number of its input may be a range; a picture says how far it reaches."""

    kind: Kind
    picture_name: str
    written_as: str

    def known_parameters(self) -> set[str]:
        more = {"rack": ["items", "units"], "sweep": ["show"]}.get(self.kind.layer, [])
        return {"input", *more, *self._widths()}

    def _widths(self) -> list[str]:
        return ["width"] if self.written_as == "svg" and self.picture_name != "rack" else []

    def describe_parameters(self) -> list[OpenApiParameter]:
        """Return the parameters, for OpenAPI."""
        text = f"JSON, as `POST simulator/{self.kind.layer}/` takes it."
        found = [OpenApiParameter("input", str, required=not self.kind.takes_items, description=text)]
        if self.kind.takes_items:
            found += [
                OpenApiParameter(
                    "items", str, description="Instead of `input`: devices and quantities, slug:n,slug:n."
                ),
                OpenApiParameter("units", int, default=42, description="With `items`: height of the rack, 1 to 100."),
            ]
        if self.kind.layer == "sweep":
            text = f"Names of quantities of the report, 1 to {CURVES_MAX}: campus_kw,grid_over_chips."
            found.append(OpenApiParameter("show", str, required=True, description=text))
        if self._widths():
            text = "720 or 360 pixels: for a column of text, or for a telephone."
            found.append(OpenApiParameter("width", str, enum=WIDTHS, default="wide", description=text))
        return found

    def kinds_of(self, asked: Mapping[str, str]) -> tuple[str, ...]:
        return self.kind.kinds

    def variant(self) -> str:
        return ENGINE_VERSION

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> Question:
        """Read the parameters."""
        width = asked.get("width", "wide")
        parameters.one_of(*WIDTHS)("width", width)
        shown = _read_shown(asked.get("show", "")) if self.kind.layer == "sweep" else ()
        if "input" in asked:
            if "items" in asked or "units" in asked:
                raise bad_request("items", "conflict", "input says it all; leave out items and units.")
            return Question(_read_input(asked["input"]), is_narrow=width == "narrow", shown=shown)
        if not self.kind.takes_items:
            message = f"input is missing: give it as JSON, as POST simulator/{self.kind.layer}/ takes it."
            raise bad_request("input", "required", message)
        if "items" not in asked:
            raise bad_request("items", "required", "items is missing: say what to draw, as in items=nvidia-dgx-h100:4.")
        data: dict[str, Any] = {"items": _read_items(asked["items"])}
        if "units" in asked:
            data["rack"] = {"units": parameters.read_int("units", asked["units"])}
        return Question(data, is_of_items=True, is_narrow=width == "narrow")

    def body(self, request: HttpRequest, question: Question, at: datetime, etag: str) -> HttpResponse:
        try:
            made = self.kind.make(question)
        except ValidationError as error:
            _refuse(error, is_of_items=question.is_of_items)
        tags = [*self.kind.kinds, *made.tags, "simulator"]
        return picture_answer(request, made, self.written_as, etag, tags=tags, is_narrow=question.is_narrow)


def picture_answer(
    request: HttpRequest, made: Made, written_as: str, etag: str, *, tags: list[str], is_narrow: bool
) -> HttpResponse:
    """Return a picture in a format (svg, json, html)."""
    body = _WRITERS[written_as](request, made, is_narrow)
    response = conditional.answer(body.encode(), etag, tags=tags, media_type=FORMATS[written_as])
    if written_as != "json":
        # Opened by itself, it is a page, and its style is all that it needs.
        styles = made.style if written_as == "svg" else f"{made.style} {hash_of(PAGE_STYLE)}"
        response["Content-Security-Policy"] = f"default-src 'none'; style-src {styles}"
    return response


def _write_svg(request: HttpRequest, made: Made, is_narrow: bool) -> str:
    return made.svg(is_narrow)


def _write_json(request: HttpRequest, made: Made, is_narrow: bool) -> str:
    picture = made.picture
    names = [column.name for column in picture.columns]
    query = f"?{request.META['QUERY_STRING']}" if request.META["QUERY_STRING"] else ""
    found = {
        "title": picture.title,
        "subtitle": picture.subtitle,
        "description": picture.description,
        "columns": [as_data(column) for column in picture.columns],
        "rows": [dict(zip(names, as_data(row), strict=True)) for row in picture.rows],
        "notes": list(picture.notes),
        "svg": f"{public_base(request)}{request.path.removesuffix('json')}svg{query}",
    }
    return orjson.dumps(found).decode()


def _write_html(request: HttpRequest, made: Made, is_narrow: bool) -> str:
    picture = made.picture
    numeric = {n for row in picture.rows for n, cell in enumerate(row) if isinstance(cell, int | Decimal)}
    told = {
        "picture": picture,
        "style": PAGE_STYLE,
        "wide": made.svg(False),
        "narrow": made.svg(True) if made.has_widths else "",
        "heads": [{"text": _head(column), "is_number": n in numeric} for n, column in enumerate(picture.columns)],
        "rows": [
            [{"text": _cell(cell), "is_number": n in numeric} for n, cell in enumerate(row)] for row in picture.rows
        ],
    }
    return render_to_string("simulator/picture.html", told)


_WRITERS: dict[str, Callable[[HttpRequest, Made, bool], str]] = {
    "svg": _write_svg,
    "json": _write_json,
    "html": _write_html,
}


def _head(column: Column) -> str:
    return f"{column.label}, {column.unit}" if column.unit else column.label


def _cell(cell: Cell) -> str:
    if cell is None:
        return "unknown"
    return cell if isinstance(cell, str) else f"{Decimal(cell).normalize():,f}"


def _read_input(text: str) -> Any:
    """Read an input that stands in an address. Raises RequestRefused."""
    if len(text) > LONGEST_INPUT:
        raise bad_request("input", "too_long", f"input has {len(text):,} characters; {LONGEST_INPUT:,} is the most.")
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise bad_request("input", "parse_error", f"input is no JSON: {error}.") from None


def _read_shown(text: str) -> tuple[str, ...]:
    """Read the names of quantities. Raises RequestRefused."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        message = "show is missing: name quantities of the report, as in show=campus_kw,grid_over_chips."
        raise bad_request("show", "required", message)
    if len(names) > CURVES_MAX:
        raise bad_request("show", "too_many", f"show names {len(names)} quantities; {CURVES_MAX} is the most.")
    return names


def _read_items(text: str) -> list[dict[str, Any]]:
    """Read `slug:n,slug:n`. Raises RequestRefused."""
    parts = text.split(",")
    if len(parts) > LINES_MAX:
        raise bad_request("items", "too_many", f"items has {len(parts)} devices; {LINES_MAX} is the most.")
    found = []
    for part in parts:
        slug, _, quantity = part.strip().partition(":")
        if not slug or not quantity.isascii() or not quantity.isdigit() or len(quantity) > 6:
            message = f"items is written slug:n,slug:n with whole numbers; {part[:60]!r} is not."
            raise bad_request("items", "malformed_items", message)
        found.append({"device": slug, "quantity": int(quantity)})
    return found


def _refuse(error: ValidationError, *, is_of_items: bool) -> NoReturn:
    """Raise what is wrong with an input as being wrong with the parameter that it came from."""
    names = {"rack.units": "units"}
    problems = [
        Problem(
            names.get(problem.field or "", "items") if is_of_items else _in_input(problem.field),
            problem.code,
            problem.message,
        )
        for problem in problems_of(error)
    ]
    raise RequestRefused(400, problems) from error


def _in_input(path: str | None) -> str:
    return "input" if path in (None, "", NON_FIELD_ERRORS) else f"input.{path}"


_TABLE = {
    "type": "object",
    "required": ["title", "subtitle", "description", "columns", "rows", "notes", "svg"],
    "properties": {
        "title": {"type": "string"},
        "subtitle": {"type": "string"},
        "description": {"type": "string", "description": "What is seen, for those who do not see it."},
        "columns": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "label", "unit"],
                "properties": {name: {"type": "string"} for name in ("name", "label", "unit")},
            },
        },
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "description": "By the names of the columns; null is unknown.",
                "additionalProperties": {"type": ["string", "number", "null"]},
            },
        },
        "notes": {"type": "array", "items": {"type": "string"}, "description": "Warnings of the report."},
        "svg": {"type": "string", "format": "uri", "description": "The same picture, drawn."},
    },
}


def table_schema() -> dict[str, Any]:
    """Return the schema of a picture as its numbers."""
    return shared("SimulatorPicture", _TABLE)


OPERATIONS = {"svg": "svg", "json": "table", "html": "page"}


def picture_view(name: str, format_name: str) -> type[PictureView]:
    """Return the view of a picture in a format."""
    schema = table_schema() if format_name == "json" else {"type": "string"}
    media_type_of = FORMATS[format_name].partition(";")[0]

    class View(PictureView):
        __doc__ = PICTURES[name].about
        kind = PICTURES[name]
        written_as = format_name
        media_type = FORMATS[format_name]

        @extend_schema(
            operation_id=f"simulator_{name}_{OPERATIONS[format_name]}", responses={(200, media_type_of): schema}
        )
        def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
            return self.dispatch(request, **kwargs)

    View.picture_name = name
    return View


VIEWS = {f"{name}.{format_name}": picture_view(name, format_name) for name in PICTURES for format_name in FORMATS}
"""Each address below `simulator/`: rack.svg, rack.json, rack.html, cooling.svg…"""
