"""The input of a picture, which stands in an address: read strictly, and refused by the parameter it came from."""

from typing import Any, NoReturn

import orjson
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from core.api.errors import Problem, RequestRefused, bad_request, problems_of
from simulator.engine.inputs import LINES_MAX
from simulator.plots.curves import CURVES_MAX

LONGEST_INPUT = 20_000
"""Characters of JSON in an address: servers take no longer ones."""


def read_input(text: str) -> Any:
    """Read an input that stands in an address. Raises RequestRefused."""
    if len(text) > LONGEST_INPUT:
        raise bad_request("input", "too_long", f"input has {len(text):,} characters; {LONGEST_INPUT:,} is the most.")
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise bad_request("input", "parse_error", f"input is no JSON: {error}.") from None


def read_shown(text: str) -> tuple[str, ...]:
    """Read the names of quantities. Raises RequestRefused."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        message = "show is missing: name quantities of the report, as in show=campus_kw,grid_over_chips."
        raise bad_request("show", "required", message)
    if len(names) > CURVES_MAX:
        raise bad_request("show", "too_many", f"show names {len(names)} quantities; {CURVES_MAX} is the most.")
    return names


def read_items(text: str) -> list[dict[str, Any]]:
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


def refuse(error: ValidationError, *, is_of_items: bool) -> NoReturn:
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
