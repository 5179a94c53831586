"""Which kinds of records a document depends on: what its ETag counts the versions of."""

from functools import cache

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    get_named_type,
    is_abstract_type,
    visit,
)

from core.api.graphql.nodes import LISTINGS


def kinds_of(schema: GraphQLSchema, document: DocumentNode) -> frozenset[str]:
    """Return the kinds whose records may change the answer to `document`.

    These are the kinds of all types that it reaches, those that arguments narrow by (a section is found by its slug),
    and those that a field names itself: `metadata={"kinds": ("vendor",)}`, or `argument_kinds` of those that are given.
    """
    of_type = _kinds_of_types(schema)
    found: set[str] = set()
    info = TypeInfo(schema)

    class Collecting(Visitor):
        def enter_field(self, node: FieldNode, *_: object) -> None:
            field = info.get_field_def()
            if field is None:
                return
            found.update(of_type.get(get_named_type(field.type).name, ()))
            found.update(argument.name.value for argument in node.arguments or () if argument.name.value in LISTINGS)
            definition = (field.extensions or {}).get("strawberry-definition")
            metadata = getattr(definition, "metadata", {})
            found.update(metadata.get("kinds", ()))
            by_argument = metadata.get("argument_kinds", {})
            found.update(kind for argument in node.arguments or () for kind in by_argument.get(argument.name.value, ()))

    visit(document, TypeInfoVisitor(info, Collecting()))
    return frozenset(found)


@cache
def _kinds_of_types(schema: GraphQLSchema) -> dict[str, frozenset[str]]:
    """Return the kinds of each type by its name; of an interface or a union, those of all its types."""
    own = {listing.row.__name__: frozenset([kind]) for kind, listing in LISTINGS.items()}
    for name, type_ in schema.type_map.items():
        if is_abstract_type(type_):
            possible = schema.get_possible_types(type_)
            own[name] = frozenset().union(*(own.get(each.name, frozenset()) for each in possible))
    return own
