"""Quantities in representations: what was stated stays, and beside it stands how people read it, in SI or US units."""

from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Case, Exists, F, Func, OuterRef, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.db.models.lookups import Exact
from rest_framework import serializers

from core.api import parameters
from core.api.compiled import Parameter, constant
from core.api.representations import Compiled
from core.facts.models import Claim
from core.facts.units import digits_of, in_system, show
from core.feed.views import Choice

TEXT = models.TextField()
NUMBER = models.DecimalField(max_digits=70, decimal_places=24)
UNITS = Parameter("units", TEXT, default="")
"""The system of units that is asked for: "si", "us", or "" for as it was stated."""

IN_UNITS = {
    "units": Choice(
        parameters.one_of("si", "us"),
        ("si", "us"),
        "Show quantities in units of this system, too: `text` and `converted`. What was stated stays as it is.",
    )
}


def system_of(field: serializers.Field) -> str:
    return str(field.context.get("units", ""))


class QuantityField(Compiled):
    """A field that is made of a value and its unit, two columns of a row; or of one, whose unit is `const`."""

    def __init__(self, value: str = "value", unit: str = "unit", const: str = "", **kwargs: Any) -> None:
        self.value, self.unit, self.const = value, unit, const
        super().__init__(**{"source": "*", "read_only": True, "allow_null": True, **kwargs})

    def stated(self, row: Any) -> tuple[Decimal | None, str]:
        return getattr(row, self.value), self.const or getattr(row, self.unit) or ""

    def columns(self, source: str) -> tuple[Combinable, Combinable]:
        """Return the two columns, behind the relations that `source` names before its `*`."""
        prefix = source.removesuffix("*")
        return F(prefix + self.value), constant(self.const) if self.const else F(prefix + self.unit)


class QuantityText(QuantityField, serializers.CharField):
    """A quantity as people read it: 10.2 kW. `stored` is a column that holds it as it was stated."""

    def __init__(self, value: str = "value", unit: str = "unit", stored: str = "", **kwargs: Any) -> None:
        self.stored = stored
        super().__init__(value, unit, **kwargs)

    def to_representation(self, row: Any) -> str | None:
        value, unit = self.stated(row)
        system = system_of(self)
        if self.stored and not system:
            return str(getattr(row, self.stored))
        return None if value is None else show(value, unit, system)

    def to_sql(self, source: str, at: Any) -> Combinable:
        shown = Func(*self.columns(source), UNITS, function="facts_text", output_field=TEXT)
        if not self.stored:
            return shown
        stored = F(source.removesuffix("*") + self.stored)
        return Case(When(Exact(UNITS, Value("", output_field=TEXT)), then=stored), default=shown, output_field=TEXT)


class ShownValue(QuantityField, serializers.DecimalField):
    """The number in the units that were asked for."""

    def __init__(self, value: str = "value", unit: str = "unit", **kwargs: Any) -> None:
        super().__init__(value, unit, max_digits=None, decimal_places=None, coerce_to_string=False, **kwargs)

    def to_representation(self, row: Any) -> Decimal | None:
        value, unit = self.stated(row)
        return None if value is None else in_system(value, unit, system_of(self))[0].normalize()

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Func(*self.columns(source), UNITS, function="facts_shown_value", output_field=NUMBER)


class ShownUnit(QuantityField, serializers.CharField):
    """The unit that was asked for."""

    def to_representation(self, row: Any) -> str:
        _, unit = self.stated(row)
        return in_system(Decimal(0), unit, system_of(self))[1]

    def to_sql(self, source: str, at: Any) -> Combinable:
        _, unit = self.columns(source)
        return Func(unit, UNITS, function="facts_shown_unit", output_field=TEXT)


class DigitsField(Compiled, serializers.CharField):
    """A decimal as text: digits, exact, without idle zeros."""

    def to_representation(self, value: Decimal) -> str:
        return digits_of(value)

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Cast(Func(F(source), function="trim_scale", output_field=NUMBER), TEXT)


class ConvertedRepresentation(serializers.Serializer):
    """A quantity in the units that were asked for; without `units`, as it was stated."""

    value = ShownValue()
    unit = ShownUnit(allow_null=False)


class ConflictField(Compiled, serializers.BooleanField):
    """Whether the sources of a fact disagree: two claims of one kind with different quantities."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"source": "*", "read_only": True, **kwargs})

    def to_representation(self, fact: Any) -> bool:
        return bool(Claim.objects.filter(fact=fact).conflicts().exists())

    def to_sql(self, source: str, at: Any) -> Combinable:
        key = OuterRef(source.removesuffix("*") + "pk")
        return Exists(Claim.objects.visible(at).filter(fact=key).conflicts())
