"""Keyset cursors: a page begins after the last row of the one before, so depth costs nothing and ties lose nothing.

A cursor is opaque: the keys of a row, the direction, and a fingerprint of the filters and the order it was made for.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
from django.db import models
from django.db.models import Expression, F
from django.db.models.expressions import OrderBy
from django.db.models.functions import Collate
from django.db.models.sql.compiler import SQLCompiler

from core.api.compiled import Parameter
from core.api.errors import bad_request


@dataclass(frozen=True)
class Key:
    """A column that a list is ordered by; never null."""

    path: str
    field: models.Field
    read: Callable[[Any], Any]

    @property
    def expression(self) -> Any:
        """The column; text in code point order, whatever the database's locale is."""
        return Collate(F(self.path), "C") if isinstance(self.field, models.CharField) else F(self.path)


def text_key(path: str) -> Key:
    return Key(path, models.CharField(), _read_text)


def id_key(path: str = "id") -> Key:
    return Key(path, models.UUIDField(), lambda value: UUID(value))


def instant_key(path: str) -> Key:
    return Key(path, models.DateTimeField(), _read_instant)


def number_key(path: str) -> Key:
    return Key(path, models.BigIntegerField(), _read_number)


# What a forged cursor holds must be something that the database can compare with.


def _read_text(value: Any) -> str:
    if type(value) is not str or "\x00" in value:
        raise ValueError(value)
    return value


def _read_number(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError(value)
    return value


def _read_instant(value: Any) -> datetime:
    instant = datetime.fromisoformat(value)
    if instant.tzinfo is None or not 1 < instant.year < 9999:
        raise ValueError(value)
    return instant


@dataclass(frozen=True)
class Order:
    """An order of a list: its keys, all of them rising or all of them falling, the last one unique."""

    keys: tuple[Key, ...]
    falling: bool = False

    def by(self, *, backwards: bool) -> list[OrderBy]:
        """Return what `order_by` takes."""
        return [OrderBy(key.expression, descending=self.falling != backwards) for key in self.keys]

    def after(self, *, backwards: bool) -> "RowCompare":
        """Return the condition that a row stands beyond the cursor, whose keys are the parameters key0, key1, …"""
        sign = "<" if self.falling != backwards else ">"
        parameters = [Parameter(f"key{n}", key.field) for n, key in enumerate(self.keys)]
        return RowCompare([key.expression for key in self.keys], parameters, sign)


BY_SLUG = {"slug": Order((text_key("slug"), id_key()))}
"""The one order of a list whose records go by their slugs."""


class RowCompare(Expression):
    """`(a, b) < (x, y)`: PostgreSQL walks an index in that order."""

    output_field = models.BooleanField()
    conditional = True

    def __init__(self, left: Sequence[Any], right: Sequence[Any], sign: str) -> None:
        super().__init__(output_field=models.BooleanField())
        self.left: list[Any] = [F(item) if isinstance(item, str) else item for item in left]
        self.right = list(right)
        self.sign = sign

    def get_source_expressions(self) -> list[Any]:
        return [*self.left, *self.right]

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        self.left, self.right = list(exprs[: len(self.left)]), list(exprs[len(self.left) :])

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, Any]:
        sides, params = [], []
        for side in (self.left, self.right):
            parts = [compiler.compile(item) for item in side]
            sides.append("(" + ", ".join(sql for sql, _ in parts) + ")")
            params += [param for _, some in parts for param in some]
        return f"{sides[0]} {self.sign} {sides[1]}", params


def fingerprint(question: Mapping[str, str]) -> str:
    """Return what binds a cursor to its filters and order."""
    return hashlib.sha256(orjson.dumps(sorted(question.items()))).hexdigest()[:12]


def write_cursor(keys: Sequence[Any], *, backwards: bool, bound_to: str) -> str:
    """Return the cursor that stands at a row with `keys`."""
    values = [
        value.isoformat() if isinstance(value, datetime) else str(value) if isinstance(value, UUID | Decimal) else value
        for value in keys
    ]
    return base64.urlsafe_b64encode(orjson.dumps([bound_to, backwards, *values])).rstrip(b"=").decode()


def read_cursor(text: str, keys: Sequence[Key], *, bound_to: str, field: str = "cursor") -> tuple[list[Any], bool]:
    """Return the keys that a cursor holds, and whether it walks backwards. `field` is what the client calls it.

    Raises RequestRefused: `invalid_cursor` for what we never wrote, `cursor_of_other_question` for other filters.
    """
    try:
        made_for, backwards, *values = orjson.loads(
            base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        )
        if type(backwards) is not bool or len(values) != len(keys):
            raise ValueError(text)
        found = [key.read(value) for key, value in zip(keys, values, strict=True)]
    except (ValueError, TypeError, AttributeError, binascii.Error) as error:
        raise bad_request(field, "invalid_cursor", "This is no cursor of ours; begin again without it.") from error
    if made_for != bound_to:
        raise bad_request(
            field,
            "cursor_of_other_question",
            "This cursor belongs to other filters or another order; begin again without it.",
        )
    return found, backwards
