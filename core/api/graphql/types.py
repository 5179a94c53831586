"""Types of records: `strawberry_django.type(Model, field_cls=Column)`, whose columns are those of the model.

A type takes names, nullability and GraphQL types from its model (`strawberry.auto`); what the model has no column for,
or where GraphQL gives null for a blank text, it says itself. A field that names a column that is not there stops the
start.

Filters, orders and pages are ours and not the library's: a filter here is a parameter of a statement that was compiled
before the request came, refuses what it does not know, and counts against the limits of a query (reads.py, limits.py).
The library builds a queryset for each request; for a list inside of rows it reads row by row, or ranks all rows of
every parent to show three.
"""

import dataclasses

import strawberry
from django.core.exceptions import FieldDoesNotExist, ImproperlyConfigured
from django.db.models import Model
from django.db.models.expressions import Combinable
from strawberry.types import get_object_definition
from strawberry.types.field import StrawberryField
from strawberry_django.fields.field import StrawberryDjangoField
from strawberry_django.fields.types import field_type_map
from strawberry_django.utils.typing import get_django_definition

from core.api.fields import IdField, PublicSlugField
from core.api.graphql.reads import Row

# The library maps classes of columns one by one, not those that they descend from.
field_type_map.update({IdField: strawberry.ID, PublicSlugField: str})


class Column(StrawberryDjangoField):
    """A field of a record that was read already: an attribute of its row, at the price of a plain field.

    The field of the library asks of every value whether it is a queryset, and whether the loop is asynchronous.
    """

    is_basic_field = StrawberryField.is_basic_field
    arguments = StrawberryField.arguments
    get_result = StrawberryField.get_result


def columns_of(record: type[Row], **computed: str | Combinable) -> dict[str, str | Combinable]:
    """Return the columns that a listing reads for `record`: attribute -> column of its model, or what `computed` says.

    Raises ImproperlyConfigured for an attribute that is neither, and for a `computed` that is no attribute.
    """
    model = get_django_definition(record, strict=True).model
    names = {
        field.python_name: getattr(field, "django_name", None) or field.python_name
        for field in get_object_definition(record, strict=True).fields
        if field.base_resolver is None
    }
    # Private attributes, such as the keys of relations, are fields of the class and not of the type.
    fields = dataclasses.fields(record)  # type: ignore[arg-type]
    names |= {field.name: field.name for field in fields if not isinstance(field, StrawberryField)}
    if unknown := computed.keys() - names:
        raise ImproperlyConfigured(f"{record.__name__} has no attribute {min(unknown)}.")
    return {name: computed.get(name) or _column(model, column, record, name) for name, column in names.items()}


def _column(model: type[Model], column: str, record: type[Row], name: str) -> str:
    try:
        found = model._meta.get_field(column)
    except FieldDoesNotExist:
        found = None
    if getattr(found, "column", None) is None:
        raise ImproperlyConfigured(f"{record.__name__}.{name}: {model.__name__} has no column {column}; compute it.")
    return column
