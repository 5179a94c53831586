"""What a query may cost. Everything here reads the document alone: what is refused has cost no SQL.

`measure` sees the text as it is written, fragments followed; `weigh` sees what it asks for, with its variables. Both
visit each fragment once, however often it is spread, so a small document cannot make them work long.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
)
from graphql.execution.values import VariableValues, get_argument_values

from core.api.graphql.errors import refused

MAX_SOURCE = 50_000
"""Characters of a document."""
MAX_TOKENS = 2_000
MAX_FRAGMENTS = 50
MAX_DEPTH = 12
"""Fields inside fields."""
MAX_NESTING = 40
"""Braces inside braces, those of inline fragments too."""
MAX_ALIASES = 30
MAX_FIELDS = 500
"""Fields of a document, those of a fragment counted wherever it is spread."""
MAX_PAIRS = 2_000
"""Pairs of fields with one name in one selection: validation compares each with each."""
MAX_PAGE = 100
"""Rows of one page, ids of one look-up."""
MAX_WEIGHT = 10_000
"""Records that an answer may hold at most."""
ASSUMED = 5
"""Rows of a list that has no pages: the authors of an article, the claims of a fact."""


@dataclass(frozen=True)
class Measure:
    """The size of a selection, fragments followed."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    names: Counter[str] = field(default_factory=Counter)
    """How often each name of an answer stands in it, not counting what is inside of fields."""

    def beside(self, other: "Measure") -> "Measure":
        return Measure(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.fields + other.fields,
            self.names + other.names,
        )


class _Measuring:
    """One walk through a document."""

    def __init__(self, document: DocumentNode, *, introspection: bool) -> None:
        nodes = [node for node in document.definitions if isinstance(node, FragmentDefinitionNode)]
        if len(nodes) > MAX_FRAGMENTS:
            raise refused("too_many_fragments", f"A document has at most {MAX_FRAGMENTS} fragments, not {len(nodes)}.")
        self.fragments = {node.name.value: node for node in nodes}
        self.introspection = introspection
        self.done: dict[str, Measure] = {}
        self.open: list[str] = []

    def selection(self, selections: SelectionSetNode | None, nesting: int, depth: int, inside: bool) -> Measure:
        total = Measure()
        for node in selections.selections if selections else ():
            if nesting > MAX_NESTING:
                raise refused("too_deep", f"Selections stand in each other at most {MAX_NESTING} times.", node)
            if isinstance(node, FieldNode):
                total = total.beside(self.field(node, nesting, depth, inside))
            elif isinstance(node, InlineFragmentNode):
                total = total.beside(self.selection(node.selection_set, nesting + 1, depth, inside))
            elif isinstance(node, FragmentSpreadNode):
                total = total.beside(self.fragment(node, nesting, inside))
            check(total, depth)
        return total

    def field(self, node: FieldNode, nesting: int, depth: int, inside: bool) -> Measure:
        name = node.name.value
        is_introspection = name in ("__schema", "__type")
        if is_introspection and not self.introspection:
            raise refused("introspection_off", "This server does not describe its schema; the documents do.", node)
        if node.alias and (inside or is_introspection):
            raise refused("too_many_aliases", "Introspection takes no aliases.", node)
        # How deep introspection may go is a rule of validation; it would not fit into ours.
        deeper = depth if inside or is_introspection else depth + 1
        if deeper > MAX_DEPTH:
            raise refused("too_deep", f"Fields stand in each other at most {MAX_DEPTH} deep.", node)
        below = self.selection(node.selection_set, nesting + 1, deeper, inside or is_introspection)
        own = 0 if inside or is_introspection else 1
        answers_as = (node.alias or node.name).value
        return Measure(
            below.depth + own, below.aliases + (node.alias is not None), below.fields + 1, Counter([answers_as])
        )

    def fragment(self, node: FragmentSpreadNode, nesting: int, inside: bool) -> Measure:
        name = node.name.value
        if name in self.open:
            raise refused("circular_fragment", f"The fragment {name} holds itself.", node)
        if name not in self.fragments:
            return Measure()  # Validation says so.
        if name not in self.done:
            self.open.append(name)
            # Measured from its own ground, once: where it stands is added by whoever spreads it.
            self.done[name] = self.selection(self.fragments[name].selection_set, nesting + 1, 0, inside)
            self.open.pop()
        return self.done[name]


def check(total: Measure, depth: int) -> None:
    """Refuse a selection that stands `depth` fields deep and is too large."""
    if depth + total.depth > MAX_DEPTH:
        raise refused("too_deep", f"Fields stand in each other at most {MAX_DEPTH} deep.")
    if total.aliases > MAX_ALIASES:
        raise refused("too_many_aliases", f"A document has at most {MAX_ALIASES} aliases.")
    if total.fields > MAX_FIELDS:
        raise refused("too_many_fields", f"A document has at most {MAX_FIELDS} fields, those of fragments counted.")
    if sum(n * (n - 1) // 2 for n in total.names.values()) > MAX_PAIRS:
        raise refused("too_many_fields", "One field is asked for too often in one selection; once is enough.")


def measure(document: DocumentNode, *, introspection: bool) -> Measure:
    """Return the size of a document. Raises DocumentRefused where it is too large, or a fragment holds itself."""
    walk = _Measuring(document, introspection=introspection)
    total = Measure()
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            total = total.beside(walk.selection(node.selection_set, 1, 0, False))
    # Fragments that nobody spreads are walked by validation, so they count as well.
    for name in walk.fragments.keys() - walk.done.keys():
        total = total.beside(walk.selection(walk.fragments[name].selection_set, 1, 0, False))
    check(total, 0)
    return total


class _Weighing:
    """One walk through a valid operation, with the values of its variables."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: VariableValues) -> None:
        self.schema = schema
        self.fragments = {n.name.value: n for n in document.definitions if isinstance(n, FragmentDefinitionNode)}
        self.variables = variables
        self.done: dict[str, int] = {}

    def selection(self, selections: SelectionSetNode | None, parent: GraphQLNamedType | None) -> int:
        total = 0
        for node in selections.selections if selections else ():
            if isinstance(node, FieldNode):
                total += self.field(node, parent)
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                total += self.selection(
                    node.selection_set, self.schema.get_type(condition.name.value) if condition else parent
                )
            elif isinstance(node, FragmentSpreadNode):
                total += self.fragment(node.name.value)
        return total

    def fragment(self, name: str) -> int:
        if name not in self.done:
            node = self.fragments[name]
            self.done[name] = self.selection(node.selection_set, self.schema.get_type(node.type_condition.name.value))
        return self.done[name]

    def field(self, node: FieldNode, parent: GraphQLNamedType | None) -> int:
        field = self.schema.get_field(parent, node.name.value) if parent else None  # type: ignore[arg-type]
        if field is None or node.name.value.startswith("__"):
            return 0
        arguments = get_argument_values(field, node, self.variables) if _BOUNDED & field.args.keys() else {}
        named = get_named_type(field.type)
        own = _own_weight(field)
        if is_leaf_type(named):
            return own
        inside = self.selection(node.selection_set, named)
        if not _is_wrapper(named):
            inside += 1
        return own + self._rows(field, node, arguments) * max(1, inside)

    def _rows(self, field: GraphQLField, node: FieldNode, arguments: Mapping[str, Any]) -> int:
        if "first" in arguments:
            first = int(arguments["first"])
            if not 1 <= first <= MAX_PAGE:
                raise refused("limit_out_of_range", f"first is 1 to {MAX_PAGE}, not {first}.", node)
            return first
        if "ids" in arguments:
            if len(arguments["ids"]) > MAX_PAGE:
                raise refused("limit_out_of_range", f"ids are at most {MAX_PAGE}, not {len(arguments['ids'])}.", node)
            return len(arguments["ids"])
        # The rows of a page are counted where the page is asked for.
        return ASSUMED if _is_list(field) and not _is_wrapper(get_named_type(field.type)) else 1


_BOUNDED = frozenset({"first", "ids"})


def _is_wrapper(named: GraphQLNamedType) -> bool:
    """Return whether a type stands around records and is none."""
    return named.name.endswith(("Connection", "Edge")) or named.name == "PageInfo"


def _own_weight(field: GraphQLField) -> int:
    """Return what a field weighs by itself: `metadata={"weight": 50}` of one that computes."""
    definition = (field.extensions or {}).get("strawberry-definition")
    weight = getattr(definition, "metadata", {}).get("weight", 0)
    return int(weight)


def _is_list(field: GraphQLField) -> bool:
    return is_list_type(field.type.of_type if is_non_null_type(field.type) else field.type)


def weigh(
    schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: VariableValues
) -> int:
    """Return how many records `operation` can give at most. Raises DocumentRefused beyond the limits."""
    weight = _Weighing(schema, document, variables).selection(operation.selection_set, schema.query_type)
    if weight > MAX_WEIGHT:
        raise refused(
            "too_heavy",
            f"This query may give {weight} records; {MAX_WEIGHT} is the most. Ask for smaller pages, or in parts.",
        )
    return weight
