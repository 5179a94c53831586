"""A picture in a format: as SVG, as its numbers in JSON, or as a page with both."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from drf_spectacular.utils import OpenApiParameter

from core.api.addresses import public_base
from core.api.openapi import shared
from core.feed import conditional
from simulator.engine import as_data
from simulator.picturing import Drawing
from simulator.plots.picture import Cell, Column
from simulator.plots.theme import PAGE_STYLE, hash_of

WIDTHS = ("wide", "narrow")
FORMATS = {"svg": "image/svg+xml", "json": "application/json", "html": "text/html; charset=utf-8"}
WIDTHS_OF_RACK = "Wide: the rear beside the front. Narrow: below it."
WIDTHS_OF_OTHERS = "720 or 360 pixels: for a column of text, or for a telephone."
OPERATIONS = {"svg": "svg", "json": "table", "html": "page"}
"""What an operation of OpenAPI is called by its format."""


def picture_answer(
    request: HttpRequest, made: Drawing, written_as: str, etag: str, *, tags: list[str], is_narrow: bool
) -> HttpResponse:
    """Return a picture in a format (svg, json, html)."""
    body = _WRITERS[written_as](request, made, is_narrow)
    response = conditional.answer(body.encode(), etag, tags=tags, media_type=FORMATS[written_as])
    if written_as != "json":
        # Opened by itself, it is a page, and its style is all that it needs.
        styles = made.style if written_as == "svg" else f"{made.style} {hash_of(PAGE_STYLE)}"
        response["Content-Security-Policy"] = f"default-src 'none'; style-src {styles}"
    return response


def _write_svg(request: HttpRequest, made: Drawing, is_narrow: bool) -> str:
    return made.svg(is_narrow)


def _write_json(request: HttpRequest, made: Drawing, is_narrow: bool) -> str:
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


def _write_html(request: HttpRequest, made: Drawing, is_narrow: bool) -> str:
    picture = made.picture
    numeric = {n for row in picture.rows for n, cell in enumerate(row) if isinstance(cell, int | Decimal)}
    # Also where all of them are unknown.
    numeric |= {n for n, column in enumerate(picture.columns) if column.unit}
    told = {
        "picture": picture,
        "style": PAGE_STYLE,
        "wide": made.svg(False),
        "narrow": made.svg(True),
        "heads": [{"text": _head(column), "is_number": n in numeric} for n, column in enumerate(picture.columns)],
        "rows": [
            [{"text": _cell(cell), "is_number": n in numeric} for n, cell in enumerate(row)] for row in picture.rows
        ],
    }
    return render_to_string("simulator/picture.html", told)


_WRITERS: dict[str, Callable[[HttpRequest, Drawing, bool], str]] = {
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


TABLE = {
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
        "notes": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Warnings of the report, and what is not drawn.",
        },
        "svg": {"type": "string", "format": "uri", "description": "The same picture, drawn."},
    },
}


def width_parameter(picture_name: str) -> OpenApiParameter:
    """Return the parameter `width` of a picture, for OpenAPI."""
    text = WIDTHS_OF_RACK if picture_name == "rack" else WIDTHS_OF_OTHERS
    return OpenApiParameter("width", str, enum=WIDTHS, default="wide", description=text)


def table_schema() -> dict[str, Any]:
    """Return the schema of a picture as its numbers."""
    return shared("SimulatorPicture", TABLE)
