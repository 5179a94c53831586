"""What all simulations of REST do: read the input, and answer with a report that names what explains it."""

from collections.abc import Callable
from typing import Any

import orjson
from django.http import HttpResponse
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from core.api import parameters
from core.api.errors import Problem, RequestRefused
from core.feed.moment import read_moment
from simulator.explanations import explained, explanations

LONGEST_INPUT_BYTES = 100_000
"""Two hundred lines with everything that an input may hold need a quarter of it."""


def simulated(request: Request, run: Callable[[Any], dict[str, Any]]) -> HttpResponse:
    """Return the report that `run` gives for the body of `request`. Nothing is stored, and nothing may be cached."""
    parameters.only_known(request.GET, ())
    data = json_of(request)
    at = read_moment().at
    return fresh(explained(run(data), explanations(at=at)))


def fresh(body: Any, *, status: int = 200) -> HttpResponse:
    """Return `body` as JSON that is not to be kept."""
    response = HttpResponse(orjson.dumps(body), status=status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def json_of(request: Request) -> Any:
    """Return the body. Raises RequestRefused for one that is too long, and DRF's errors for what is no JSON."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > LONGEST_INPUT_BYTES:
        message = f"An input has at most {LONGEST_INPUT_BYTES:,} bytes."
        raise RequestRefused(413, [Problem(None, "document_too_large", message)])
    try:
        return request.data
    except RecursionError:
        raise ParseError("The JSON is nested too deeply.") from None
