"""Scalars whose JSON is that of REST: instants in UTC with microseconds, decimals as exact numbers."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import orjson
import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from core.api.errors import RequestRefused
from core.api.parameters import read_instant
from core.api.representations import InstantField


def _read_instant(value: Any) -> datetime:
    try:
        return read_instant("The instant", value if isinstance(value, str) else str(value))
    except RequestRefused as error:
        problem = error.problems[0]
        raise GraphQLError(problem.message, extensions={"code": problem.code}) from error


def _write_number(value: Decimal) -> orjson.Fragment:
    # The digits themselves: a float would round them, and so would the precision of decimals.
    digits = format(value, "f")
    return orjson.Fragment(digits.rstrip("0").rstrip(".") if "." in digits else digits)


def _refuse_input(value: Any) -> Any:
    raise GraphQLError("This scalar is never given by a client.", extensions={"code": "invalid_argument"})


DateTime = strawberry.scalar(
    name="DateTime",
    description="An instant with its zone; in answers UTC with microseconds: 2026-11-30T09:00:00.000000Z.",
    specified_by_url="https://scalars.graphql.org/andimarek/date-time.html",
    serialize=InstantField().to_representation,
    parse_value=_read_instant,
)
Number = strawberry.scalar(
    name="Number",
    description="A decimal as a JSON number, exact, without trailing zeros.",
    serialize=_write_number,
    parse_value=_refuse_input,
)
SCALARS: dict[object, ScalarDefinition] = {datetime: DateTime, Decimal: Number}
