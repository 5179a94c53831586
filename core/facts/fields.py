"""Columns that PostgreSQL generates of a value and its unit, by the functions of `unit_sql.py`.

Two quantities are one where both columns agree: the database compares quantities, not texts.
"""

from django.db.models import CharField, DecimalField, F, Func, GeneratedField


def generated_measures() -> GeneratedField:
    """Return the column of what the column `unit` measures; a unit that is unknown measures itself."""
    return GeneratedField(
        expression=Func(F("unit"), function="facts_measures"), output_field=CharField(max_length=20), db_persist=True
    )


def generated_base_value(*, max_digits: int) -> GeneratedField:
    """Return the column of `value` in the base unit of what `unit` measures, exactly."""
    return GeneratedField(
        expression=Func(F("value"), F("unit"), function="facts_in_base"),
        output_field=DecimalField(max_digits=max_digits, decimal_places=24),
        db_persist=True,
    )
