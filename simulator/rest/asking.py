"""What all questions to the simulator do over REST: read the input, and answer with what names what explains it."""

from collections.abc import Callable
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.views import APIView

from core.api import parameters
from core.api.errors import Problem, RequestRefused, respond_to
from core.api.json_input import read_json
from simulator.engine.numbers import plain
from simulator.explanations import explained_report, explanations_beside

LONGEST_INPUT_BYTES = 100_000
"""Two hundred lines with everything that an input may hold need a quarter of it."""


class Question(APIView):
    """What is asked of the simulator. No DRF request is made of it: JSON is taken and given, and nothing negotiated."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answering = getattr(self, (request.method or "").lower(), None)
        if request.method not in ("GET", "POST", "DELETE") or answering is None:
            return super().dispatch(request, *args, **kwargs)
        try:
            return answering(request, *args, **kwargs)
        except Exception as error:
            answer = respond_to(error)
            if answer is None:
                raise
            return answer


def simulated(request: HttpRequest, run: Callable[[Any], Any]) -> HttpResponse:
    """Return the report that `run` gives for the body of `request`. Nothing is stored, and nothing may be cached."""
    parameters.only_known(request.GET, ())
    with explanations_beside() as found:
        report = run(json_of(request))
        return fresh(explained_report(report, found()))


def fresh(body: Any, *, status: int = 200) -> HttpResponse:
    """Return `body`, in which classes and decimals of the engine may lie, as JSON that is not to be kept."""
    response = HttpResponse(orjson.dumps(body, default=plain), status=status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def json_of(request: HttpRequest) -> Any:
    """Return the body. Raises RequestRefused for one that is too long, and DRF's errors for what is no JSON."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > LONGEST_INPUT_BYTES:
        message = f"An input has at most {LONGEST_INPUT_BYTES:,} bytes."
        raise RequestRefused(413, [Problem(None, "document_too_large", message)])
    if not request.body:
        return {}
    if request.content_type != "application/json":
        raise UnsupportedMediaType(request.META.get("CONTENT_TYPE", ""))
    try:
        return read_json(request.body.decode(request.encoding or "utf-8"))
    except ValueError as error:
        raise ParseError(f"JSON parse error - {error}") from None
    except RecursionError:
        raise ParseError("The JSON is nested too deeply.") from None
