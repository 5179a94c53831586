"""The fields of which public representations are made. Each can be read in Python, and be compiled to SQL.

A representation is a `Representation` (a ModelSerializer) with its fields listed by name. `core.api.compiled` turns it
into one statement; a test holds that both ways give the same answer.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from django.db import models
from django.db.models import F, Func, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, NullIf
from rest_framework import serializers

from core.api.addresses import media_base
from core.api.parameter import Parameter

MEDIA_BASE = Parameter("media_base", models.TextField(), given=media_base)

Related = Callable[[Any, Any], QuerySet[Any]]
"""(at, outer) -> the rows that belong to the outer row, as visible at `at`; `outer` is its key or an OuterRef to it."""


class Compiled(serializers.Field):
    """A field that says itself how SQL gives it."""

    def to_sql(self, source: str, at: Any) -> Combinable:
        """Return the expression for the column path `source`."""
        raise NotImplementedError(type(self).__name__)


class InstantField(Compiled, serializers.DateTimeField):
    """An instant in UTC with microseconds: 2026-11-30T09:00:00.000000Z. Always of one length, so it sorts as text."""

    def to_representation(self, value: datetime) -> str:
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def to_sql(self, source: str, at: Any) -> Combinable:
        return _written(F(source))


def _written(instant: Combinable) -> Func:
    """Return the expression that writes an instant as InstantField does."""
    utc = Func(Value("UTC"), instant, function="timezone", output_field=models.DateTimeField())
    return Func(utc, Value('YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), function="to_char", output_field=models.TextField())


class NumberField(Compiled, serializers.DecimalField):
    """A decimal as a JSON number, exact, without trailing zeros."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_digits": None, "decimal_places": None, **kwargs, "coerce_to_string": False})

    def to_representation(self, value: Decimal) -> Decimal:
        return Decimal(value)

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Func(F(source), function="trim_scale", output_field=models.DecimalField())


class OptionalTextField(Compiled, serializers.CharField):
    """A text that may be missing: null where the column is blank."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_null": True, "read_only": True, **kwargs})

    def to_representation(self, value: str) -> str | None:
        return value or None

    def to_sql(self, source: str, at: Any) -> Combinable:
        return NullIf(F(source), Value("", output_field=models.TextField()))


class OptionalUrlField(OptionalTextField, serializers.URLField):
    """An address that may be missing: null where the column is blank."""


class ConstantField(Compiled, serializers.CharField):
    """A text that is the same for every row."""

    def __init__(self, constant: str, **kwargs: Any) -> None:
        self.constant = constant
        super().__init__(**{"source": "*", "read_only": True, **kwargs})

    def to_representation(self, value: Any) -> str:
        return self.constant

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Cast(Value(self.constant), models.TextField())


class MediaUrlField(Compiled, serializers.CharField):
    """The address of a stored file, null where there is none: never signed, so it stays valid in any cache."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_null": True, "read_only": True, **kwargs})

    def to_representation(self, value: Any) -> str | None:
        return media_url(str(value)) if value else None

    def to_sql(self, source: str, at: Any) -> Combinable:
        return media_url_of(source)


def media_url(name: str) -> str:
    """Return the public address of the stored file `name`."""
    return media_base() + name


def media_url_of(column: str | Combinable) -> Combinable:
    """Return the expression for the public address of a stored file; null where the column is blank or null."""
    name = F(column) if isinstance(column, str) else column
    # Unlike Django's Concat, this keeps null.
    return Func(
        MEDIA_BASE,
        NullIf(name, Value("", output_field=models.TextField())),
        template="(%(expressions)s)",
        arg_joiner=" || ",
        output_field=models.TextField(),
    )


class BoundField(Compiled, serializers.DateTimeField):
    """The beginning ("lower") or the end ("upper") of a range of time, as InstantField shows an instant."""

    def __init__(self, bound: Literal["lower", "upper"], **kwargs: Any) -> None:
        self.bound = bound
        super().__init__(**kwargs)

    def to_representation(self, value: Any) -> str:
        return InstantField().to_representation(getattr(value, self.bound))

    def to_sql(self, source: str, at: Any) -> Combinable:
        return _written(Func(F(source), function=self.bound, output_field=models.DateTimeField()))


class ContentField(Compiled, serializers.JSONField):
    """A part of a frozen JSON document: `ContentField("blocks")` of the column `content`. Null where it is absent."""

    def __init__(self, *path: str, column: str = "content", **kwargs: Any) -> None:
        self.path = path
        self.column = column
        super().__init__(**{"source": column, **kwargs})

    def to_representation(self, value: Any) -> Any:
        for name in self.path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Func(
            F(source),
            *[Value(name) for name in self.path],
            template="nullif(jsonb_extract_path(%(expressions)s), 'null'::jsonb)",
            output_field=models.JSONField(),
        )


class Many(serializers.Field):
    """The rows that belong to a row, as a list: `Many(AuthorBrief, authors_of)`."""

    def __init__(
        self, child: type[serializers.BaseSerializer], queryset: Related, *, key: str = "pk", **kwargs: Any
    ) -> None:
        self.child_class = child
        self.queryset = queryset
        self.key = key
        super().__init__(**{"source": "*", "read_only": True, **kwargs})

    @property
    def child(self) -> serializers.BaseSerializer:
        return self.child_class(context=self.context)

    def to_representation(self, value: Any) -> list[Any]:
        return [self.child.to_representation(row) for row in self._rows(value)]

    def _rows(self, value: Any) -> QuerySet[Any]:
        return self.queryset(self.context["at"], value.serializable_value(self.key))


class One(Many):
    """The one row that belongs to a row, or null."""

    def to_representation(self, value: Any) -> Any:
        row = self._rows(value).first()
        return None if row is None else self.child.to_representation(row)


class Representation(serializers.ModelSerializer):
    """What the public can read of a model. `context` holds `at`, the instant asked for."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.DateTimeField: InstantField,
        models.DecimalField: NumberField,
    }

    def build_standard_field(self, field_name: str, model_field: models.Field) -> tuple[type, dict[str, Any]]:
        """Drop what only writing needs: validators would ask the database. An address that is blank is none."""
        if isinstance(model_field, models.URLField) and model_field.blank:
            return OptionalUrlField, {"max_length": model_field.max_length}
        field, kwargs = super().build_standard_field(field_name, model_field)
        kwargs.pop("validators", None)
        return field, {**kwargs, "read_only": True} if "read_only" not in kwargs else kwargs
