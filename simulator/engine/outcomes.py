"""The answers of a report that are no numbers: whether a method is feasible, what fits, which limit or tier binds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from simulator.engine.numbers import CACHED_MAX

Answer = bool | str
"""What an outcome says; None where it is unknown, or where the report has no such answer."""

_ANSWERS = frozenset({bool, str})
_NOT_OUTCOMES = frozenset({"trace", "warnings", "ranges", "elevation", "reason", "unknown"})
"""What is told elsewhere, or says numbers in prose."""
_NAMES = ("name", "tier", "method", "rung")
"""By which of its members an entry of a list goes: not by its first, as what is stored has them in no order."""


def outcomes_of(report: Any) -> dict[str, Answer | None]:
    """Return all that is a word, a truth or None in a report, or in what is stored of one, by its path.

    The paths are those of REST: `cooling.methods[air].feasible`, `space.fits`, `binding_tier`. What None stands for
    shows beside another report only: a number may be unknown too.
    """
    found: dict[str, Answer | None] = {}
    _find(report, "", found)
    return found


def is_answer(value: Any) -> bool:
    return isinstance(value, bool | str)


def are_told(path: str, answers: Sequence[Answer | None]) -> bool:
    """Return whether answers of several reports are an outcome of its own, and none that is told anyway.

    Where a number is unknown is told with its quantity, and that `tiers[ups].tier` is ups by its path. Where it is None
    in some of them, the entry itself comes and goes.
    """
    several = set(answers)
    place, _, name = path.rpartition(".")
    is_name = name in _NAMES and all(place.endswith(f"[{answer}]") for answer in several)
    return any(map(is_answer, several)) and not is_name


def _find(value: Any, path: str, found: dict[str, Answer | None]) -> None:
    if value is None or is_answer(value):
        found[path] = value
    elif isinstance(value, tuple | list):
        for n, entry in enumerate(value):
            _find(entry, f"{path}[{_name_of(entry, n)}]", found)
    else:
        inside = f"{path}." if path else ""
        if isinstance(value, Mapping):
            for name, member in value.items():
                if name not in _NOT_OUTCOMES:
                    _find(member, f"{inside}{name}", found)
        else:
            kind: Any = type(value)
            for name in _answering(kind):
                member = getattr(value, name)
                if member is None or type(member) in _ANSWERS:
                    found[inside + name] = member
                else:
                    _find(member, inside + name, found)


def _name_of(entry: Any, n: int) -> str | int:
    """Return what an entry of a list goes by: `methods[air]`, `tiers[ups]`; else its place."""
    if isinstance(entry, Mapping):
        name = next((entry[name] for name in _NAMES if name in entry), None)
    else:
        kind: Any = type(entry)
        of = _naming(kind)
        name = getattr(entry, of) if of else None
    return name if isinstance(name, str) and _is_short(name) else n


@lru_cache(maxsize=CACHED_MAX)
def _is_short(name: str) -> bool:
    return re.fullmatch(r"[\w-]{1,60}", name) is not None


@cache
def _naming(kind: Any) -> str | None:
    """Return the member by which entries of a class go."""
    return next((name for name in _NAMES if is_dataclass(kind) and hasattr(kind, name)), None)


@cache
def _answering(kind: Any) -> tuple[str, ...]:
    """Return the members of a class of reports that may hold outcomes: most are numbers, and need no look."""
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    return tuple(name for name, hint in hints.items() if name not in _NOT_OUTCOMES and _may_answer(hint))


def _may_answer(hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(_may_answer(each) for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is tuple:
        return any(_may_answer(each) for each in get_args(hint) if each is not Ellipsis)
    return hint in (bool, str, Any) or get_origin(hint) is not None or bool(_answering(hint))
