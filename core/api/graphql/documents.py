"""Documents: parsed, measured and validated once, then kept, because clients send the same few again and again."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    parse,
    validate,
)
from graphql.execution.values import VariableValues, get_argument_values, get_variable_values

from core.api.graphql import limits, values
from core.api.graphql.errors import DocumentRefused, coded, refused

_KEPT_LENGTH = 8_000
"""Characters of the longest document that is kept: a stranger must not fill our memory with large ones."""


@dataclass(frozen=True, eq=False)
class Document:
    """A document of the schema, with the names of all its fields."""

    node: DocumentNode
    fields: frozenset[str]


@dataclass(frozen=True)
class Operation:
    """An operation that may run: its document, its variables, and the instant that it asks for, if any."""

    document: Document
    node: OperationDefinitionNode
    variables: dict[str, Any]
    as_of: datetime | None


def read_document(schema: GraphQLSchema, text: str, *, introspection: bool) -> Document:
    """Return the document that `text` is. Raises DocumentRefused: too large, not GraphQL, or not of this schema."""
    if len(text) > limits.MAX_SOURCE:
        raise refused("document_too_large", f"A document has at most {limits.MAX_SOURCE} characters, not {len(text)}.")
    read = _kept if len(text) <= _KEPT_LENGTH else _kept.__wrapped__
    return read(schema, text, introspection)


@lru_cache(maxsize=256)
def _kept(schema: GraphQLSchema, text: str, introspection: bool) -> Document:
    try:
        document = parse(text, max_lexical_tokens=limits.MAX_TOKENS, max_comments=limits.MAX_TOKENS)
    except GraphQLError as error:
        found = (code for words, code in _PARSER_LIMITS.items() if words in error.message)
        raise DocumentRefused([coded(error, next(found, "syntax_error"))]) from None
    limits.measure(document, introspection=introspection)
    errors = validate(schema, document, values.RULES, max_errors=20)
    if errors and not introspection:
        # What is wrong with a document says what the schema has, types and near names: introspection by other means.
        # What has a code is said in our words, and which of the client's own fields it is, is no secret.
        errors = [error if "code" in (error.extensions or {}) else _unfit(error) for error in errors]
    if errors:
        raise DocumentRefused([coded(error, "invalid_document") for error in errors])
    return Document(document, _field_names(document))


def _unfit(error: GraphQLError) -> GraphQLError:
    return GraphQLError(_UNFIT, nodes=error.nodes, extensions=error.extensions)


def _field_names(document: DocumentNode) -> frozenset[str]:
    found: set[str] = set()
    waiting: list[Any] = list(document.definitions)
    while waiting:
        node = waiting.pop()
        if isinstance(node, FieldNode):
            found.add(node.name.value)
        if getattr(node, "selection_set", None):
            waiting.extend(node.selection_set.selections)
    return frozenset(found)


# The limits of the parser have no codes of their own.
_PARSER_LIMITS = {"contains more than": "too_many_tokens", "nested too deeply": "too_deep"}
_UNFIT = "This does not fit the schema, which is published as schema.graphql."


def admit(
    schema: GraphQLSchema,
    text: str,
    *,
    name: str | None = None,
    variables: Mapping[str, Any] | None = None,
    introspection: bool,
) -> Operation:
    """Return the operation `name` of a document (None: its only one), ready to run. No SQL runs in here.

    Raises DocumentRefused: what read_document refuses, `unknown_operation`, `invalid_variable`, what weighs too much,
    and `as_of_conflict`.
    """
    document = read_document(schema, text, introspection=introspection)
    operation = _operation(document.node, name)
    given = get_variable_values(
        schema,
        operation.variable_definitions or (),
        dict(variables or {}),
        max_errors=20,
        hide_suggestions=not introspection,
    )
    if isinstance(given, list):
        errors = values.placed(given, schema, document.node)
        raise DocumentRefused([coded(error, "invalid_variable") for error in errors])
    limits.weigh(schema, document.node, operation, given)
    return Operation(document, operation, dict(variables or {}), _instant(schema, document.node, operation, given))


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    named = [node for node in operations if name is None or (node.name is not None and node.name.value == name)]
    if len(named) != 1:
        message = f"There is no operation {name!r} here." if name else "Say which of the operations to run."
        raise refused("unknown_operation", message)
    return named[0]


def _instant(
    schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: VariableValues
) -> datetime | None:
    """Return the one instant that the fields of `operation` ask for; None: now. Another for each would mix contents."""
    asked: dict[datetime | None, FieldNode] = {}
    for node in _root_fields(document, operation):
        field = schema.query_type.fields.get(node.name.value) if schema.query_type else None
        if field is not None and "asOf" in field.args:
            given = get_argument_values(field, node, variables)
            asked[given.get("asOf", given.get("as_of"))] = node
    if len(asked) > 1:
        raise refused(
            "as_of_conflict", "An operation is of one instant: give every field the same asOf.", list(asked.values())
        )
    return next(iter(asked), None)


def _root_fields(document: DocumentNode, operation: OperationDefinitionNode) -> list[FieldNode]:
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    found: list[FieldNode] = []
    seen: set[str] = set()
    waiting: list[Any] = [operation]
    while waiting:
        for node in waiting.pop().selection_set.selections:
            if isinstance(node, FieldNode):
                found.append(node)
            elif isinstance(node, InlineFragmentNode):
                waiting.append(node)
            elif isinstance(node, FragmentSpreadNode) and node.name.value not in seen:
                seen.add(node.name.value)
                waiting.append(fragments[node.name.value])
    return found


@cache
def registered(schema: GraphQLSchema, folder: str) -> Mapping[str, str]:
    """Return the registered documents of a folder: SHA-256 of the file, in hexadecimal -> its text.

    Raises ImproperlyConfigured for a folder that is none, and for a document that we would refuse.
    """
    if not folder:
        return {}
    if not Path(folder).is_dir():
        raise ImproperlyConfigured(f"PLENUM_GRAPHQL_DOCUMENTS is {folder!r}, which is no folder.")
    found = {}
    for path in sorted(Path(folder).rglob("*.graphql")):
        content = path.read_bytes()
        try:
            read_document(schema, content.decode(), introspection=False)
        except (DocumentRefused, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"The registered document {path} cannot be used: {error}") from error
        found[hashlib.sha256(content).hexdigest()] = content.decode()
    return found
