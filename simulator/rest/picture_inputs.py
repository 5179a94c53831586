"""The input of a picture, which stands in an address: read strictly, and refused by the parameter it came from."""

from typing import Any, NoReturn

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from core.api.errors import Problem, RequestRefused, bad_request, problems_of
from core.api.json_input import read_json
from simulator.engine.inputs import LINES_MAX
from simulator.plots.curves import CURVES_MAX

LONGEST_INPUT = 20_000
"""Characters of JSON in an address: servers take no longer ones."""


def read_input(text: str) -> Any:
    """Read an input that stands in an address. Raises RequestRefused."""
    if len(text) > LONGEST_INPUT:
        raise bad_request("input", "too_long", f"input has {len(text):,} characters; {LONGEST_INPUT:,} is the most.")
    try:
        return read_json(text, inside="input")
    except ValueError as error:
        raise bad_request("input", "parse_error", f"input is no JSON: {error}.") from None
    except RecursionError:
        raise bad_request("input", "parse_error", "input is nested too deeply.") from None


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
    found, malformed = [], []
    for part in parts:
        slug, _, quantity = part.strip().partition(":")
        if not slug or not quantity.isascii() or not quantity.isdigit() or len(quantity) > 6:
            malformed.append(repr(part[:60]))
        else:
            found.append({"device": slug, "quantity": int(quantity)})
    if malformed:
        told = ", ".join(malformed[:5]) + (f" and {len(malformed) - 5} more" if len(malformed) > 5 else "")
        message = (
            f"items is written slug:n,slug:n with whole numbers; {told} {'is' if len(malformed) == 1 else 'are'} not."
        )
        raise MalformedItems(found, message)
    return found


class MalformedItems(RequestRefused):
    """Items of which some cannot be read; `readable` are the others, in which more may be wrong."""

    def __init__(self, readable: list[dict[str, Any]], message: str) -> None:
        super().__init__(400, [Problem("items", "malformed_items", message)])
        self.readable = readable


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
