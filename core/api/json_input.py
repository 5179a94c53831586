"""JSON that strangers send, strictly: a key that stands twice is refused, where else its last value would be taken."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NoReturn

from core.api.errors import Problem, RequestRefused

_LONGEST_INT = 400
"""Digits: Python refuses whole numbers of thousands of them, since it reads them slowly. Decimals it reads fast."""


def read_json(text: str, *, inside: str = "") -> Any:
    """Return what a JSON text says; `inside` is what stands before the paths of its problems.

    Raises ValueError for what is no JSON, RecursionError where it is nested too deeply, and RequestRefused with every
    key that stands twice in its object (`duplicate_key`).
    """
    twice: list[_Doubled] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        seen: set[str] = set()
        doubled = _Doubled(found)
        doubled.twice = list(dict.fromkeys(name for name, _ in pairs if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
        twice.append(doubled)
        return doubled

    found = json.loads(text, object_pairs_hook=keep, parse_constant=_refuse, parse_int=_read_int)
    if twice:
        raise RequestRefused(400, [_problem(path) for path in _doubled_in(found, inside)] or [_problem(inside)])
    return found


class _Doubled(dict[str, Any]):
    """An object in which keys stand twice."""

    twice: list[str]


def _read_int(text: str) -> int | Decimal:
    return int(text) if len(text) <= _LONGEST_INT else Decimal(text)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"Out of range float values are not JSON compliant: {name!r}")


def _problem(path: str) -> Problem:
    name = path.rpartition(".")[2]
    return Problem(path, "duplicate_key", f"{name} stands twice in its object; give it once.")


def _doubled_in(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, list):
        for n, each in enumerate(value):
            yield from _doubled_in(each, f"{path}[{n}]")
    if isinstance(value, dict):
        yield from (_joined(path, name) for name in (value.twice if isinstance(value, _Doubled) else ()))
        for name, each in value.items():
            yield from _doubled_in(each, _joined(path, name))


def _joined(path: str, name: str) -> str:
    short = name if len(name) <= 60 else f"{name[:60]}…"
    return f"{path}.{short}" if path else short
