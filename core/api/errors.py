"""Errors as clients get them: RFC 9457 problem details, the only place where exceptions become responses.

`errors` holds one entry a problem: `field` (null: the whole request), `code` (part of the API), `message`.
"""

from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from django.core.exceptions import NON_FIELD_ERRORS, ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import is_valid_path
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response


class Problem(NamedTuple):
    """One thing that is wrong with a request."""

    field: str | None
    code: str
    message: str


class RequestRefused(Exception):  # noqa: N818 - it reads as what happened
    """A request that is answered with `status` and its problems, instead of what it asked for."""

    def __init__(self, status: int, problems: list[Problem], **extra: Any) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.status = status
        self.problems = problems
        self.extra = extra


def bad_request(field: str | None, code: str, message: str) -> RequestRefused:
    """Return the 400 for one problem."""
    return RequestRefused(400, [Problem(field, code, message)])


def not_found(message: str = "Nothing is published here.") -> RequestRefused:
    """Return the 404: the same for what does not exist and for what is not public."""
    return RequestRefused(404, [Problem(None, "not_found", message)])


def problem_json(status: int, problems: list[Problem], **extra: Any) -> HttpResponse:
    """Return problem details as a response; `extra` adds members of our own."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "errors": [problem._asdict() for problem in problems],
        **extra,
    }
    response = HttpResponse(orjson.dumps(_writable(body)), status=status, content_type="application/problem+json")
    response["Cache-Control"] = "no-store"
    return response


def _writable(value: Any) -> Any:
    """Return `value` with what UTF-8 cannot hold escaped: a refusal says back what it was sent, whatever that was."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_writable(key): _writable(each) for key, each in value.items()}
    return [_writable(each) for each in value] if isinstance(value, list) else value


def problems_of(error: ValidationError) -> list[Problem]:
    """Return the problems that a ValidationError of Django holds, field by field."""
    if hasattr(error, "error_dict"):
        return [
            Problem(None if field == NON_FIELD_ERRORS else field, item.code or "invalid", " ".join(item.messages))
            for field, items in error.error_dict.items()
            for item in items
        ]
    return [Problem(None, item.code or "invalid", " ".join(item.messages)) for item in error.error_list]


def _problems_of_detail(detail: Any, path: str = "") -> list[Problem]:
    if isinstance(detail, dict):
        return [
            p
            for key, value in detail.items()
            for p in _problems_of_detail(value, f"{path}.{key}" if path else str(key))
        ]
    if isinstance(detail, list):
        return [
            p
            for n, value in enumerate(detail)
            for p in _problems_of_detail(value, f"{path}[{n}]" if isinstance(value, dict | list) else path)
        ]
    field = None if path in ("", "detail", "non_field_errors") else path
    return [Problem(field, getattr(detail, "code", "invalid"), str(detail))]


def refusal_of(error: Exception | None) -> RequestRefused | None:
    """Return what an exception means to a client of any interface; None for a crash."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, ValidationError):
        return RequestRefused(400, problems_of(error))
    if isinstance(error, Http404 | ObjectDoesNotExist):
        return not_found()
    if isinstance(error, PermissionDenied):
        return RequestRefused(403, [Problem(None, "forbidden", "You may not do this.")])
    if isinstance(error, exceptions.APIException):
        return RequestRefused(error.status_code, _problems_of_detail(error.detail))
    return None


def respond_to(error: Exception) -> HttpResponse | None:
    """Return the response to an exception that means something to a client; None for a crash."""
    refusal = refusal_of(error)
    return problem_json(refusal.status, refusal.problems, **refusal.extra) if refusal else None


def problem_response(error: Exception, context: dict[str, Any]) -> Response | HttpResponse | None:
    """Answer for DRF's views (`EXCEPTION_HANDLER`)."""
    response = respond_to(error)
    if response is not None and isinstance(error, exceptions.MethodNotAllowed):
        response["Allow"] = ", ".join(context["view"].allowed_methods)
    return response


def wants_problem(request: HttpRequest) -> bool:
    """Return whether a program asks: all but the pages of editors are an interface for programs."""
    return not request.path.startswith(("/admin/", "/preview/"))


def crash(request: HttpRequest) -> HttpResponse:
    """Answer a fault of ours (`handler500`): what went wrong is in the log, not in the answer."""
    if wants_problem(request):
        return problem_json(500, [Problem(None, "server_error", "The server failed; it has been logged.")])
    return defaults.server_error(request)


def unknown_address(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that is not one of ours (`handler404`)."""
    if wants_problem(request):
        message = "There is nothing at this address."
        if is_valid_path(f"{request.path_info}/"):
            message += f" With a slash at its end there is: {request.path}/"
        return problem_json(404, [Problem(None, "unknown_address", message)])
    return defaults.page_not_found(request, exception)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django itself refuses, such as a forged Host (`handler400`)."""
    if wants_problem(request):
        return problem_json(400, [Problem(None, "bad_request", "The request is not well formed.")])
    return defaults.bad_request(request, exception)


def explain_integrity_error(
    error: IntegrityError, messages: dict[str, tuple[str | None, str, str]]
) -> ValidationError | None:
    """Return the rule that the database held, as the ValidationError that says so; None if it is none of `messages`.

    `messages` maps the name of a constraint to (field, code, message). Our triggers name their rules as constraints.
    """
    name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
    if name is None or name not in messages:
        return None
    field, code, message = messages[name]
    problem = ValidationError(message, code=code)
    return ValidationError({field: problem}) if field else problem
