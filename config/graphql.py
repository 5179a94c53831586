"""`/graphql/`: queries by POST, registered documents by GET, and in development GraphiQL for people."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from graphql import ExecutionResult, GraphQLError, execute_sync
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from config.schema import schema
from core.api import parameters
from core.api.as_of import AsOf
from core.api.errors import Problem, RequestRefused, bad_request
from core.api.graphql.context import Context
from core.api.graphql.documents import Operation, admit, registered
from core.api.graphql.errors import DocumentRefused, formatted
from core.api.graphql.kinds import kinds_of
from core.api.json_input import read_json
from core.feed import conditional
from core.feed.moment import Moment, read_moment

METHODS = "GET, HEAD, OPTIONS, POST"
MAX_BODY = 250_000
"""Bytes of a POST: a document with its variables."""
OF_INSTANTS = ("not_an_instant", "as_of_conflict")
MAX_CACHE_TAGS = 300
"""More would not fit the headers that a CDN takes; the tags of the kinds are there always."""
JSON = "application/json"
RESPONSE_JSON = "application/graphql-response+json"

# A registered document that cannot be used stops the start.
registered(schema._schema, settings.PLENUM_GRAPHQL_DOCUMENTS)


@csrf_exempt  # It reads what is public and knows no session, so there is nothing to forge.
def graphql(request: HttpRequest) -> HttpResponse:
    """Answer a request to the GraphQL API. Whatever goes wrong, the answer is GraphQL's: `errors` with codes."""
    try:
        if request.method in ("GET", "HEAD"):
            return _answer_get(request)
        if request.method == "POST":
            return _answer_post(request)
        if request.method != "OPTIONS":
            message = "POST a query, or GET a registered document."
            raise RequestRefused(405, [Problem(None, "method_not_allowed", message)])
        response = HttpResponse(status=204)
        response["Allow"] = METHODS
        return response
    except DocumentRefused as refusal:
        # For clients of the older media type an answer that is well formed is a 200, errors or not (GraphQL over HTTP).
        # An instant is refused alike whether it cannot be read or lies ahead, which only the database's clock can say.
        errors = formatted(refusal.errors)
        about_instant = any(error["extensions"]["code"] in OF_INSTANTS for error in errors)
        status = 400 if about_instant or _media_type(request) == RESPONSE_JSON else 200
        return _respond(request, {"errors": errors}, status)
    except RequestRefused as refusal:
        error = GraphQLError(str(refusal), original_error=refusal)
        return _respond(request, {"errors": formatted([error])}, refusal.status)
    except Exception as error:
        return _respond(request, {"errors": formatted([GraphQLError(str(error), original_error=error)])}, 500)


def _answer_post(request: HttpRequest) -> HttpResponse:
    asked = _read_body(request)
    operation = admit(
        schema._schema,
        asked["query"],
        name=asked.get("operationName"),
        variables=asked.get("variables"),
        introspection=settings.PLENUM_GRAPHQL_INTROSPECTION,
    )
    result, _ = _run(operation, read_moment())
    return _respond(request, _as_json(result), 200)


def _answer_get(request: HttpRequest) -> HttpResponse:
    """Answer a registered document, so that a CDN can hold it; to people in development, show GraphiQL."""
    if not request.GET and not settings.PRODUCTION and "text/html" in request.headers.get("Accept", ""):
        return _show_graphiql(request)
    if "query" in request.GET:
        raise bad_request("query", "query_over_get", "POST a free query; GET is for registered documents: ?doc=…")
    asked = parameters.only_known(request.GET, ("doc", "variables", "operationName"))
    if "doc" not in asked:
        raise bad_request("doc", "required", "doc names a registered document; POST a free query.")
    text = registered(schema._schema, settings.PLENUM_GRAPHQL_DOCUMENTS).get(asked["doc"].removeprefix("sha256:"))
    if text is None:
        raise RequestRefused(404, [Problem("doc", "unknown_document", "No such document is registered.")])
    operation = admit(
        schema._schema,
        text,
        name=asked.get("operationName"),
        variables=_object("variables", _parsed("variables", asked.get("variables", "null"))),
        introspection=False,
    )
    moment = read_moment()
    kinds = sorted(kinds_of(schema._schema, operation.document.node))
    etag = conditional.etag_of(request, moment, kinds, _media_type(request))
    if conditional.matches(request, etag):
        return conditional.not_modified(etag)
    result, context = _run(operation, moment)
    if result.errors:
        return _respond(request, _as_json(result), 200)
    tags = [*kinds, *context.made_of] if len(context.made_of) <= MAX_CACHE_TAGS else kinds
    return conditional.answer(orjson.dumps(_as_json(result)), etag, tags=tags, media_type=_media_type(request))


def _run(operation: Operation, moment: Moment) -> tuple[ExecutionResult, Context]:
    """Run an operation as of the instant that it asks for, else of now."""
    if operation.as_of is not None and operation.as_of > moment.at:
        raise bad_request("asOf", "as_of_in_future", "asOf lies in the future; what will be public is not public.")
    at = AsOf.of(operation.as_of) if operation.as_of else moment.at
    context = Context(now=moment.at, at=at, asked=operation.document.fields)
    result = execute_sync(
        schema._schema,
        operation.document.node,
        context_value=context,
        variable_values=operation.variables,
        operation_name=operation.node.name.value if operation.node.name else None,
        executor_class=StrawberryGraphQLCoreExecutionContext,
    )
    return result, context


def _as_json(result: ExecutionResult) -> dict[str, Any]:
    errors = {"errors": formatted(result.errors)} if result.errors else {}
    return {**errors, "data": result.data}


def _read_body(request: HttpRequest) -> Mapping[str, Any]:
    """Return the members of a POST. Raises RequestRefused for all that is not one query with its variables."""
    if request.content_type not in (JSON, RESPONSE_JSON):
        raise RequestRefused(415, [Problem(None, "unsupported_media_type", f"POST a query as {JSON}.")])
    length = request.headers.get("Content-Length", "0")
    if not length.isdigit() or int(length) > MAX_BODY or len(request.body) > MAX_BODY:
        raise RequestRefused(413, [Problem(None, "document_too_large", f"A request has at most {MAX_BODY} bytes.")])
    asked = _parsed(None, request.body)
    if isinstance(asked, list):
        raise bad_request(None, "batch_refused", "One operation a request; a document can hold several fields.")
    if not isinstance(asked, dict):
        raise bad_request(None, "not_an_object", 'The body is a JSON object: {"query": "{ __typename }"}.')
    unknown = asked.keys() - {"query", "variables", "operationName", "extensions"}
    if unknown:
        raise bad_request(min(unknown), "unknown_parameter", f"There is no {min(unknown)!r} in a GraphQL request.")
    if not isinstance(asked.get("query"), str):
        raise bad_request("query", "required", "query is the text of a GraphQL document.")
    if not isinstance(asked.get("operationName"), str | None):
        raise bad_request("operationName", "not_a_text", "operationName is a text, or null.")
    return {**asked, "variables": _object("variables", asked.get("variables"))}


def _parsed(name: str | None, text: str | bytes) -> Any:
    try:
        value = orjson.loads(text)
        # Faster than that it cannot be told which keys stand twice, and orjson takes the last one's value.
        read_json(text.decode() if isinstance(text, bytes) else text, inside=name or "")
        return value
    except ValueError as error:
        raise bad_request(name, "not_json", f"{name or 'The body'} is not JSON: {error}.") from error
    except RecursionError:
        raise bad_request(name, "not_json", f"{name or 'The body'} is nested too deeply.") from None


def _object(name: str, value: Any) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise bad_request(name, "not_an_object", f"{name} is a JSON object, or null.")
    return value


def _respond(request: HttpRequest, body: Mapping[str, Any], status: int) -> HttpResponse:
    response = HttpResponse(orjson.dumps(body), status=status, content_type=_media_type(request))
    response["Cache-Control"] = "no-store"
    response["Vary"] = "Accept, Plenum-Preview"
    if status == 405:
        response["Allow"] = METHODS
    return response


def _media_type(request: HttpRequest) -> str:
    return RESPONSE_JSON if RESPONSE_JSON in request.headers.get("Accept", "") else JSON


def _show_graphiql(request: HttpRequest) -> HttpResponse:
    """Show GraphiQL from our own static files; where npm was missing, the schema as text."""
    if finders.find("graphiql/graphiql.js"):
        return render(request, "graphiql.html")
    return render(request, "sdl.html", {"sdl": schema.as_str()})
