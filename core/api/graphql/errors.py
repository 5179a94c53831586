"""Errors of GraphQL answers: each has in `extensions.code` the code that REST gives for the same, and no internals."""

import logging
from collections.abc import Iterable
from typing import Any

from graphql import GraphQLError

from core.api.errors import Problem, refusal_of

logger = logging.getLogger("plenum.errors")


class DocumentRefused(Exception):  # noqa: N818 - it reads as what happened
    """A document that is not run. `errors` say why, each with its code."""

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__("; ".join(error.message for error in errors))
        self.errors = errors


def refused(code: str, message: str, nodes: Any = None) -> DocumentRefused:
    """Return the refusal of a document for one reason."""
    return DocumentRefused([coded(GraphQLError(message, nodes), code)])


def coded(error: GraphQLError, code: str) -> GraphQLError:
    """Return `error` with `code`, unless it has one: a scalar may have said more exactly what is wrong."""
    inner = getattr(error.original_error, "extensions", None) or error.extensions or {}
    return GraphQLError(
        error.message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions={"code": code, **inner},
    )


def formatted(errors: Iterable[GraphQLError]) -> list[dict[str, Any]]:
    """Return the errors of an execution as they go out: one entry a problem."""
    return [entry for error in errors for entry in _entries(error)]


def _entries(error: GraphQLError) -> list[dict[str, Any]]:
    if error.original_error is None and "code" in (error.extensions or {}):
        return [dict(error.formatted)]
    refusal = refusal_of(error.original_error)
    if refusal is not None:
        problems = refusal.problems
    else:
        logger.error("GraphQL: %s", error.message, exc_info=error.original_error or error)
        problems = [Problem(None, "server_error", "The server failed; it has been logged.")]
    place = {name: value for name, value in error.formatted.items() if name in ("locations", "path")}
    return [
        {
            "message": problem.message,
            **place,
            "extensions": {"code": problem.code, **({"field": problem.field} if problem.field else {})},
        }
        for problem in problems
    ]
