"""What is taken: a refusal of the database in the words of the ordinary check, for every model alike."""

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models
from psycopg.errors import UniqueViolation


def explain_uniqueness(error: IntegrityError) -> ValidationError | None:
    """Return that something is taken in the words of the ordinary check of a model; None if it is about another rule.

    Ask outside of the transaction that failed.
    """
    diagnosis = getattr(error.__cause__, "diag", None)
    table, name = getattr(diagnosis, "table_name", None), getattr(diagnosis, "constraint_name", None)
    if not isinstance(error.__cause__, UniqueViolation) or table is None:
        return None
    model = next((model for model in apps.get_models() if model._meta.db_table == table), None)
    if model is None:
        return None
    stated = next((rule for rule in model._meta.constraints if rule.name == name), None)
    if isinstance(stated, models.UniqueConstraint) and (stated.expressions or stated.condition is not None):
        return ValidationError(stated.get_violation_error_message(), code=stated.violation_error_code or "unique")
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table)
    columns = found[name]["columns"] if name in found else []
    by_column = {field.column: field.name for field in model._meta.concrete_fields}
    fields = tuple(by_column[column] for column in columns if column in by_column)
    if not fields:
        return None
    taken = model().unique_error_message(model, fields)
    return ValidationError({fields[0]: taken}) if len(fields) == 1 else taken
