"""What all simulations of REST do: read the input, and answer with a report that names what explains it."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
from django.http import HttpResponse
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from core.api import parameters
from core.api.errors import Problem, RequestRefused
from simulator.engine.numbers import plain
from simulator.explanations import explained_report, explanations

LONGEST_INPUT_BYTES = 100_000
"""Two hundred lines with everything that an input may hold need a quarter of it."""


def simulated(request: Request, run: Callable[[Any], Any]) -> HttpResponse:
    """Return the report that `run` gives for the body of `request`. Nothing is stored, and nothing may be cached."""
    parameters.only_known(request.GET, ())
    report = run(json_of(request))
    return fresh(explained_report(report, explanations()))


def fresh(body: Any, *, status: int = 200) -> HttpResponse:
    """Return `body`, in which classes and decimals of the engine may lie, as JSON that is not to be kept."""
    response = HttpResponse(orjson.dumps(body, default=_plain), status=status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def _plain(value: Any) -> int | float:
    if isinstance(value, Decimal):
        return plain(value)
    raise TypeError


def json_of(request: Request) -> Any:
    """Return the body. Raises RequestRefused for one that is too long, and DRF's errors for what is no JSON."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > LONGEST_INPUT_BYTES:
        message = f"An input has at most {LONGEST_INPUT_BYTES:,} bytes."
        raise RequestRefused(413, [Problem(None, "document_too_large", message)])
    try:
        return request.data
    except RecursionError:
        raise ParseError("The JSON is nested too deeply.") from None
