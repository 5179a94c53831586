"""A report or an input as it was stored, as the dataclass of the engine that it came from."""

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from typing import Any, TypeVar, Union

T = TypeVar("T")


class NotAsStored(Exception):  # noqa: N818 - it reads as what happened
    """What was stored lacks what the engine of today tells: an earlier one saved it."""


def restored(of: type[T], data: Any) -> T:
    """Return plain data, which `as_data` gave, as a `of`. Raises NotAsStored.

    What an earlier engine did not tell may be missing where it has a default, or may be unknown.
    """
    if not isinstance(data, Mapping):
        raise NotAsStored(of.__name__)
    hints = typing.get_type_hints(of)
    values = {}
    for each in fields(of):  # type: ignore[arg-type]
        if each.name in data:
            values[each.name] = _restored(hints[each.name], data[each.name])
        elif type(None) in typing.get_args(hints[each.name]):
            values[each.name] = None
        elif each.default is MISSING and each.default_factory is MISSING:
            raise NotAsStored(f"{of.__name__}.{each.name}")
    return of(**values)


def _restored(hint: Any, value: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if value is None or hint is Any:
        return value
    if origin in (Union, types.UnionType):
        return _restored(next(each for each in arguments if each is not type(None)), value)
    if origin is tuple:
        return tuple(_restored(arguments[0], each) for each in value)
    if isinstance(hint, type) and is_dataclass(hint):
        return restored(hint, value)
    return Decimal(str(value)) if hint is Decimal else value
