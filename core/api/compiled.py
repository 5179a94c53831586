"""Compiled reads: a representation, declared once, becomes one SQL statement that returns finished JSON.

The ORM composes the statement once for each shape of question (representation, filters, order, direction); what a
request gives is filled in as parameters. Django composing the same query anew costs four times as much as running it.
"""

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Self

from django.core.exceptions import ImproperlyConfigured
from django.db import connection, models
from django.db.backends.utils import CursorWrapper
from django.db.models import Case, Expression, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.db.models.sql.compiler import SQLCompiler
from rest_framework import serializers

from core.api import representations as shapes
from core.api.parameter import Parameter as Parameter


class JsonObject(models.Func):
    """`json_build_object` of PostgreSQL: it keeps the order of the fields, unlike Django's JSONObject (jsonb)."""

    function = "json_build_object"
    output_field = models.JSONField()

    def __init__(self, fields: Mapping[str, Expression | Combinable]) -> None:
        if len(fields) > 50:
            raise ImproperlyConfigured("A representation has at most 50 fields: PostgreSQL takes 100 arguments.")
        expressions: list[Any] = []
        for name, expression in fields.items():
            # A literal of our own source, so it is written into the statement and not sent as a parameter.
            expressions += [models.expressions.RawSQL("'" + name.replace("'", "''") + "'", []), expression]
        super().__init__(*expressions)


class JsonArray(Subquery):
    """The rows of a subquery as a JSON array, in its order; `[]` where there are none."""

    template = "array_to_json(array(%(subquery)s))"
    output_field = models.JSONField()


class AnyOf(Expression):
    """`column = any(array)`: one placeholder for any number of keys."""

    conditional = True

    def __init__(self, column: str, keys: Parameter) -> None:
        super().__init__(output_field=models.BooleanField())
        self.column: Any = F(column)
        self.keys = keys

    def get_source_expressions(self) -> list[Any]:
        return [self.column]

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        (self.column,) = exprs

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        left, params = compiler.compile(self.column)
        right, more = compiler.compile(self.keys)
        return f"{left} = any({right})", [*params, *more]


Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Statement:
    """A statement with its parameters, some of them to be filled in."""

    sql: str
    params: tuple[Any, ...]

    def rows(self, values: Mapping[str, Any]) -> Rows:
        """Run it with `values` for its named parameters, and return the rows; a `Waiting` statement goes with it."""
        waiting = _waiting.get()
        if waiting is None or waiting.cursor is not None:
            cursor = self.execute(values)
        else:
            connection.ensure_connection()
            with connection.wrap_database_errors, connection.connection.pipeline():
                cursor = self.execute(values)
                waiting.send()
        with cursor:
            return list(cursor.fetchall())

    def execute(self, values: Mapping[str, Any]) -> CursorWrapper:
        """Run it, and return the cursor that has its rows."""
        filled = [p.of(values) if isinstance(p, Parameter) else p for p in self.params]
        cursor = connection.cursor()
        cursor.execute(self.sql, filled)
        return cursor


class Waiting:
    """A statement that goes out with the next one, so that both take one round trip; alone where none follows.

    It waits inside of `with`.
    """

    def __init__(self, statement: Statement, values: Mapping[str, Any]) -> None:
        self.statement = statement
        self.values = values
        self.cursor: CursorWrapper | None = None

    def __enter__(self) -> Self:
        self.token = _waiting.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _waiting.reset(self.token)

    def send(self) -> CursorWrapper:
        self.cursor = self.statement.execute(self.values)
        return self.cursor

    def rows(self) -> Rows:
        with self.cursor or self.send() as cursor:
            return list(cursor.fetchall())


_waiting: ContextVar[Waiting | None] = ContextVar("_waiting", default=None)


def constant(text: str) -> Cast:
    """Return a text as an expression. The server binds the parameters, and some functions take any type: it is said."""
    return Cast(Value(text), models.TextField())


def statement(queryset: QuerySet[Any]) -> Statement:
    """Return the SQL of `queryset`, made once."""
    sql, params = queryset.query.get_compiler(connection=connection).as_sql()
    return Statement(sql, tuple(params))


def json_of(
    representation: type[serializers.BaseSerializer] | serializers.BaseSerializer, at: Any, prefix: str = ""
) -> JsonObject:
    """Return the expression that gives the JSON of `representation` for a row, as of `at`.

    Raises ImproperlyConfigured for a field that cannot be compiled, so that the start stops.
    """
    serializer = representation() if isinstance(representation, type) else representation
    return JsonObject({name: _expression(field, at, prefix) for name, field in serializer.fields.items()})  # type: ignore[attr-defined]


def text_of(expression: Expression) -> Cast:
    """Return JSON as the text that goes out, so that Python does not parse it."""
    return Cast(expression, models.TextField())


def _expression(field: serializers.Field, at: Any, prefix: str) -> Expression | Combinable:
    source = prefix + str(field.source).replace(".", "__")
    if isinstance(field, shapes.One):
        rows = field.queryset(at, OuterRef(prefix + field.key))
        return Subquery(rows.values_list(json_of(field.child, at))[:1], output_field=models.JSONField())
    if isinstance(field, shapes.Many):
        rows = field.queryset(at, OuterRef(prefix + field.key))
        return JsonArray(rows.values_list(json_of(field.child, at)))
    if isinstance(field, shapes.Compiled):
        return field.to_sql(source, at)
    if isinstance(field, serializers.BaseSerializer):
        if field.source == "*":
            return json_of(field, at, prefix)
        return Case(
            When(**{source + "__isnull": True}, then=Value(None)),
            default=json_of(field, at, source + "__"),
            output_field=models.JSONField(),
        )
    if isinstance(field, _AS_STORED):
        return F(source)
    raise ImproperlyConfigured(
        f"{type(field).__name__} {field.field_name!r} of {type(field.parent).__name__} cannot be compiled to SQL."
    )


# What DRF renders just as PostgreSQL's json does. Instants and decimals have fields of their own.
_AS_STORED: tuple[type[serializers.Field], ...] = (
    serializers.CharField,
    serializers.ChoiceField,
    serializers.IntegerField,
    serializers.BooleanField,
    serializers.UUIDField,
    serializers.DateField,
    serializers.JSONField,
    serializers.ListField,
)
