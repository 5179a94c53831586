"""Queries that reach every field of the schema, made from what the server says of itself."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.test import Client
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_client_schema,
    get_introspection_query,
    get_named_type,
    is_leaf_type,
    is_required_argument,
    parse,
)

from core.api.graphql.errors import DocumentRefused
from core.api.graphql.limits import measure


def introspected(client: Client) -> GraphQLSchema:
    """Return the schema as a client gets it."""
    body = json.dumps({"query": get_introspection_query()})
    answer = client.post("/graphql/", body, content_type="application/json").json()
    return build_client_schema(answer["data"])


LARGE = 350
"""Words of a query that is split."""

Way = tuple[tuple[str, str], ...]
"""Fields that are followed one after the other: (name of the type that has it, name of the field)."""


@dataclass(frozen=True)
class Step:
    """A field on the way, and the type that it gives: for a page, that of its nodes."""

    name: str
    field: GraphQLField
    type: GraphQLNamedType
    is_page: bool


class Walk:
    """Makes queries for a schema. `first` is how many rows each page inside of others asks for."""

    def __init__(self, schema: GraphQLSchema, *, first: int = 3) -> None:
        self.schema = schema
        self.first = first

    def step(self, name: str, field: GraphQLField) -> Step:
        named = get_named_type(field.type)
        if named.name.endswith("Connection"):
            node = get_named_type(get_named_type(named.fields["edges"].type).fields["node"].type)
            return Step(name, field, node, True)
        return Step(name, field, named, False)

    def roots(self) -> list[Step]:
        return [self.step(name, field) for name, field in self.schema.query_type.fields.items()]

    def types_of(self, named: GraphQLNamedType) -> list[GraphQLObjectType]:
        """Return the object types that a field of type `named` can give."""
        if isinstance(named, GraphQLInterfaceType | GraphQLUnionType):
            return list(self.schema.get_possible_types(named))
        return [named] if isinstance(named, GraphQLObjectType) else []

    def steps(self, type_: GraphQLObjectType) -> list[Step]:
        """Return the fields of a type that lead on."""
        fields = [self.step(name, field) for name, field in type_.fields.items()]
        return [
            step
            for step in fields
            if not is_leaf_type(step.type) and not any(map(is_required_argument, step.field.args.values()))
        ]

    def leaves(self, type_: GraphQLObjectType) -> list[str]:
        return [name for name, field in type_.fields.items() if is_leaf_type(get_named_type(field.type))]

    def selection(self, named: GraphQLNamedType, depth: int, way: Way = ()) -> str:
        """Return the selection of all leaves of a type, and of `depth` fields on of what leads on.

        `way` names the fields to follow first, one for each level, each with the type that has it; beyond them all are
        followed. Of an interface, without a way, only its own fields: its types have conflicting ones.
        """
        if way:
            owner = self.schema.type_map[way[0][0]]
            inner = " ".join(["__typename", *self.leaves(owner), self._follow(owner, way[0][1], depth, way[1:])])
            return inner if owner is named else f"... on {owner.name} {{ {inner} }}"
        if isinstance(named, GraphQLInterfaceType):
            return "__typename " + " ".join(self.leaves(named))
        parts = []
        for type_ in self.types_of(named):
            on = [self.call(step, depth - 1) for step in self.steps(type_)] if depth else []
            inner = " ".join(["__typename", *self.leaves(type_), *on])
            parts.append(inner if type_ is named else f"... on {type_.name} {{ {inner} }}")
        return " ".join(parts)

    def _follow(self, owner: GraphQLNamedType, name: str, depth: int, way: Way) -> str:
        return self.call(next(step for step in self.steps(owner) if step.name == name), depth - 1, way)

    def call(self, step: Step, depth: int, way: Way = (), arguments: str = "") -> str:
        """Return a field with its selection, `depth` fields on."""
        inner = self.selection(step.type, depth, way)
        if step.is_page:
            given = ", ".join(filter(None, [f"first: {self.first}" if "first:" not in arguments else "", arguments]))
            return f"{step.name}({given}) {{ totalCount edges {{ node {{ {inner} }} }} pageInfo {{ hasNextPage }} }}"
        return f"{step.name}{f'({arguments})' if arguments else ''} {{ {inner} }}"

    def ways(self, step: Step, length: int) -> Iterator[Way]:
        """Yield each way of `length` fields on from `step`, and the shorter ones that end."""
        ended = True
        for type_ in self.types_of(step.type) if length else ():
            for inner in self.steps(type_):
                ended = False
                for rest in self.ways(inner, length - 1):
                    yield ((type_.name, inner.name), *rest)
        if ended:
            yield ()

    def _ends_open(self, way: Way) -> bool:
        """Return whether a way ends at an interface, of whose types a query follows only one."""
        if not way:
            return False
        owner, name = way[-1]
        step = next(step for step in self.steps(self.schema.type_map[owner]) if step.name == name)
        return isinstance(step.type, GraphQLInterfaceType)

    def queries(self, step: Step, depth: int, arguments: str = "") -> Iterator[tuple[Way, str]]:
        """Yield queries that together select every field up to `depth` fields below a root field.

        A query that would be too large is split into those of its longer ways.
        """
        waiting: list[Way] = list(self.ways(step, 1))
        while waiting:
            way = waiting.pop()
            text = self.call(step, depth, way, arguments)
            if len(way) < depth and (len(text.split()) > LARGE or self._ends_open(way) or is_too_deep(text)):
                longer = {other for other in self.ways(step, len(way) + 1) if other[: len(way)] == way} - {way}
                if longer:
                    waiting.extend(longer)
                    continue
            if is_too_deep(text):
                # Pages inside of pages to the end: nobody may ask for that.
                way, text = way[:-1], self.call(step, depth - 1, way[:-1], arguments)
            yield way, text


def is_too_deep(field: str) -> bool:
    """Return whether a query of a field stands deeper than any may."""
    try:
        measure(parse(f"{{ {field} }}"), introspection=False)
    except DocumentRefused as refusal:
        return any((error.extensions or {}).get("code") == "too_deep" for error in refusal.errors)
    return False


def words_in(value: Any) -> str:
    """Return all that an answer says, in small letters."""
    return json.dumps(value, ensure_ascii=False).lower()
