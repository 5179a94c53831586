"""Placeholders of compiled statements."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.db.models import Expression
from django.db.models.sql.compiler import SQLCompiler


class Parameter(Expression):
    """A value that a request gives later: in the SQL a placeholder of a known type.

    A `default` stands in for it; what is `given` by a function, every request has, so that nobody needs to pass it.
    """

    def __init__(
        self,
        name: str,
        output_field: models.Field,
        *,
        is_history: bool = False,
        default: Any = None,
        given: Callable[[], Any] | None = None,
    ) -> None:
        super().__init__(output_field=output_field)
        self.name = name
        self.is_history = is_history
        self.default = default
        self.given = given

    def of(self, values: Mapping[str, Any]) -> Any:
        """Return its value among those of a request."""
        if self.given is not None:
            return self.given()
        return values[self.name] if self.default is None else values.get(self.name, self.default)

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        return f"%s::{self.output_field.cast_db_type(connection)}", [self]

    def __repr__(self) -> str:
        return f"Parameter({self.name})"
