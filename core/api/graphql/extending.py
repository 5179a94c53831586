"""How an app adds fields to a type of an app below it: articles to the sections that the catalogue declares."""

from strawberry.types import get_object_definition
from strawberry.types.field import StrawberryField


def extend(type_: type, **fields: StrawberryField) -> None:
    """Add `fields` to `type_`. It must happen before config/schema.py makes the schema, which imports it first."""
    definition = get_object_definition(type_, strict=True)
    for name, field in fields.items():
        if any(other.python_name == name for other in definition.fields):
            raise TypeError(f"{type_.__name__} has a field {name} already.")
        field.python_name = name
        field.origin = type_
        definition.fields.append(field)
