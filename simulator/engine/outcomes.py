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

_NOT_OUTCOMES = frozenset({"trace", "warnings", "ranges", "elevation", "reason", "unknown"})
"""What is told elsewhere, or says numbers in prose."""
_NAMES = ("name", "tier", "method", "rung")
"""By which of its members an entry of a list goes: not by its first, as what is stored has them in no order."""


def outcomes_of(report: Any) -> dict[str, Answer | None]:
    """Return all that is a word, a truth or None in a report, or in what is stored of one, by its path.

    The paths are those of REST: `cooling.methods[air].feasible`, `space.fits`, `binding_tier`. In a report None is an
    answer that is unknown, or that there is none. In what is stored it may be a number too: only another report shows.
    """
    found: dict[str, Answer | None] = {}
    _find(report, "", found)
    return found


def is_answer(value: Any) -> bool:
    return isinstance(value, bool | str)


def are_told(path: str, answers: Sequence[Answer | None]) -> bool:
    """Return whether answers of several reports say more than their path: that `tiers[ups].tier` is ups says nothing.

    Where it is None in some of them, the entry itself comes and goes.
    """
    several = set(answers)
    place, _, name = path.rpartition(".")
    return name not in _NAMES or not all(place.endswith(f"[{answer}]") for answer in several)


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
            for name, is_answer_itself in _answering(kind):
                member = getattr(value, name)
                if is_answer_itself:
                    found[inside + name] = member
                elif member is not None:
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
def _answering(kind: Any) -> tuple[tuple[str, bool], ...]:
    """Return the members of a class of reports that are answers, or hold some, and whether they are: few of all."""
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    told = {name: _leaves(hint) for name, hint in hints.items() if name not in _NOT_OUTCOMES}
    return tuple((name, of <= {bool, str}) for name, of in told.items() if any(map(_may_answer, of)))


def _leaves(hint: Any) -> set[Any]:
    """Return what a value is, if it is not None."""
    is_union = get_origin(hint) in (Union, UnionType)
    return {each for each in get_args(hint) if each is not NoneType} if is_union else {hint}


def _may_answer(hint: Any) -> bool:
    if get_origin(hint) is tuple:
        return any(_may_answer(leaf) for each in get_args(hint) if each is not Ellipsis for leaf in _leaves(each))
    return hint in (bool, str, Any) or get_origin(hint) is not None or bool(_answering(hint))
