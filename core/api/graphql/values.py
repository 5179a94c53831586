"""Which field of an argument is wrong: the path of each value that does not fit, for `extensions.field`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphql import (
    SKIP,
    ArgumentNode,
    DocumentNode,
    GraphQLArgument,
    GraphQLError,
    GraphQLField,
    GraphQLInputType,
    GraphQLSchema,
    ListValueNode,
    ObjectValueNode,
    TypeInfo,
    TypeInfoVisitor,
    ValueNode,
    ValuesOfCorrectTypeRule,
    VariableNode,
    Visitor,
    get_named_type,
    is_input_object_type,
    specified_rules,
    visit,
)
from graphql.utilities.validate_input_value import validate_input_literal

ONE_OF = "Give exactly one of the fields of this input, and not null."
"""What the specification calls a OneOf input object, whose name tells nobody what to do."""


class PlacedValues(ValuesOfCorrectTypeRule):
    """The rule that values fit their types; each error says in `extensions.field` where in the arguments it is."""

    def is_valid_value_node(self, node: ValueNode, input_type: GraphQLInputType | None) -> Any:
        field, argument = self.context.get_field_def(), self.context.get_argument()

        def tell(error: GraphQLError, path: list[str | int]) -> None:
            place = _place(field, argument, _wrong(error, path)) if field and argument else None
            self.report_error(_placed(error, place, node))

        if input_type:
            validate_input_literal(node, input_type, tell, None, None, self.context.hide_suggestions)
        return SKIP


RULES = [PlacedValues if rule is ValuesOfCorrectTypeRule else rule for rule in specified_rules]


def placed(errors: Iterable[GraphQLError], schema: GraphQLSchema, document: DocumentNode) -> list[GraphQLError]:
    """Return the errors of variables, each with the path of the argument that its variable first stands in."""
    places = _places_of_variables(schema, document)
    found = []
    for error in errors:
        match = _OF_VARIABLE.match(error.message)
        place = None
        if match and match["name"] in places:
            field, argument, path = places[match["name"]]
            place = _place(field, argument, [*path, *_wrong(error, _steps(match["path"] or ""))])
        found.append(_placed(error, place, None))
    return found


_OF_VARIABLE = re.compile(r"Variable '\$(?P<name>\w+)' has invalid value(?: at (?P<path>[^ ]+))?: ")
_LACKING = re.compile(r"(?:to include required|not to include unknown) field '(\w+)'")


def _steps(path: str) -> list[str | int]:
    """Return `.racks[0].count` as ["racks", 0, "count"]."""
    return [int(each[1:-1]) if each[0] == "[" else each for each in re.findall(r"\w+|\[\d+\]", path)]


def _wrong(error: GraphQLError, path: list[str | int]) -> list[str | int]:
    """Return the path of what is wrong: of a field that is missing or unknown, its own and not that of its input."""
    lacking = _LACKING.search(error.message)
    return [*path, lacking[1]] if lacking else path


def _place(field: GraphQLField, argument: tuple[str, GraphQLArgument] | GraphQLArgument, path: list[str | int]) -> str:
    """Return a path in the arguments of a field; in the only argument where that is an input, as its service has it."""
    name, of = argument if isinstance(argument, tuple) else (_name(field, argument), argument)
    is_all = len(field.args) == 1 and is_input_object_type(get_named_type(of.type))
    steps = path if is_all and path else [name, *path]
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in steps).removeprefix(".")


def _name(field: GraphQLField, argument: GraphQLArgument) -> str:
    return next(name for name, each in field.args.items() if each is argument)


def _placed(error: GraphQLError, place: str | None, node: ValueNode | None) -> GraphQLError:
    """Return an error with its place. A scalar may have said its code: then it stands in the error that it raised."""
    extensions = {**(getattr(error.original_error, "extensions", None) or error.extensions or {})}
    before, of_one, _ = error.message.partition("Within OneOf Input Object")
    if of_one:
        extensions["code"] = "conflict"
    if place is not None:
        extensions["field"] = place
    message = before + ONE_OF if of_one else error.message
    return GraphQLError(message, nodes=error.nodes or node, extensions=extensions)


Place = tuple[GraphQLField, tuple[str, GraphQLArgument], list[str | int]]


def _places_of_variables(schema: GraphQLSchema, document: DocumentNode) -> dict[str, Place]:
    """Return where each variable first stands: the field, its argument, and the path inside of that."""
    info = TypeInfo(schema)
    found: dict[str, Place] = {}

    class Looking(Visitor):
        def enter_argument(self, node: ArgumentNode, *_: object) -> None:
            field, argument = info.get_field_def(), info.get_argument()
            if field is not None and argument is not None:
                for name, path in _variables_in(node.value, []):
                    found.setdefault(name, (field, (node.name.value, argument), path))

    visit(document, TypeInfoVisitor(info, Looking()))
    return found


def _variables_in(node: ValueNode, path: list[str | int]) -> Iterator[tuple[str, list[str | int]]]:
    if isinstance(node, VariableNode):
        yield node.name.value, path
    elif isinstance(node, ListValueNode):
        for n, each in enumerate(node.values):
            yield from _variables_in(each, [*path, n])
    elif isinstance(node, ObjectValueNode):
        for member in node.fields:
            yield from _variables_in(member.value, [*path, member.name.value])
