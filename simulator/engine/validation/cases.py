"""A row of a published table, and how our value compares with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from simulator.engine.errors import InvalidParameters
from simulator.engine.numbers import as_decimal, plain, precise
from simulator.engine.validation.answers import UNANSWERED, answer, answer_of_all, may_be_of_all
from simulator.engine.validation.qualifiers import passed_over, qualified
from simulator.engine.validation.words import spoken

STATUSES = ("published", "derived", "control")


@dataclass(frozen=True, slots=True)
class Case:
    """A row: `status` is published (must hold), derived (a regression check) or control (shown, never fitted to)."""

    id: str
    title: str
    kind: str
    status: str
    inputs: Mapping[str, Any]
    expected: Mapping[str, Any]
    tolerance: Mapping[str, Decimal]
    source: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One expected value beside ours. `holds` is None where no function of the engine answers.

    `reason` says why where a function exists and refused the inputs of the row; `used` names the inputs that ours is
    made of.
    """

    name: str
    expected: Any
    ours: Any
    holds: bool | None
    reason: str = ""
    used: frozenset[str] = frozenset()

    @property
    def answered(self) -> bool:
        return self.holds is not None

    @property
    def error_fraction(self) -> Decimal | None:
        """(ours − expected) / expected; of several values the largest; None where that is no number."""
        with precise():
            found = _errors(self.expected, self.ours)
            return max(found, key=abs) if found else None


NEEDED = ("id", "title", "kind", "inputs", "expected", "tolerance", "note")


def read_case(row: object) -> Case:
    """Return a row of JSON as a case; numbers become decimals.

    Raises ValueError, with what to correct, for one without a known status, without a value to check, of another shape,
    or with a number that is none.
    """
    if not isinstance(row, Mapping):
        raise ValueError(f"it must be an object with {', '.join(NEEDED)}.")
    if missing := [name for name in NEEDED if name not in row]:
        raise ValueError(f"{', '.join(missing)} missing.")
    found = re.match(r"\[(\w+)\]", str(row["note"]))
    if found is None or found.group(1) not in STATUSES:
        raise ValueError(f"its note must begin with one of {', '.join(STATUSES)} in brackets.")
    if not isinstance(row["kind"], str):
        raise ValueError("kind must be a text.")
    for part in ("inputs", "expected", "tolerance"):
        if not isinstance(row[part], Mapping):
            raise ValueError(f"{part} must be an object.")
    if not row["expected"]:
        raise ValueError("nothing to check, as expected is empty.")
    case = _case(row, found.group(1))
    for name, allowed in case.tolerance.items():
        if not isinstance(allowed, Decimal) or allowed < 0:
            raise ValueError(f"tolerance.{name} must be a number of at least 0.")
    return case


def _case(row: Mapping[str, Any], status: str) -> Case:
    return Case(
        id=row["id"],
        title=row["title"],
        kind=row["kind"],
        status=status,
        inputs=_decimals(row["inputs"]),
        expected=_decimals(row["expected"]),
        tolerance=_decimals(row["tolerance"]),
        source=_source(row.get("source")),
        note=row["note"],
    )


def _source(given: Any) -> Mapping[str, str]:
    """Return a source as text by its parts: it is shown, and nothing is computed of it, so any shape will do."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return {"title": str(given)}
    return {str(name): str(value) for name, value in given.items() if value is not None}


_ODD = (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, AssertionError, StopIteration, MemoryError)
"""What a function may come upon in a row whose values are of another shape than it expects, as null for a number."""


_FLAG = re.compile(r"\w+_bool$|(?:is|has|are)_\w+$|overlapped$")
"""Inputs that are true or false; elsewhere true would count as 1."""


def check(case: Case) -> list[Finding]:
    """Return each expected value of a case with ours, in the order of the case."""
    with precise():
        found = [_found(case, name, expected, name) for name, expected in case.expected.items()]
        told = frozenset().union(*(each.used for each in found))
        return [_qualified(case, each, told) for each in found]


def _found(case: Case, name: str, expected: Any, asked: str, *, of_all: bool = False) -> Finding:
    """Return our value of `asked` beside what a row expects of `name`; `of_all` its inputs together, or by any."""
    try:
        inputs, behind = spoken(case.inputs)
        ours, read = answer_of_all(asked, inputs) if of_all else answer(case.kind, asked, inputs)
        used = frozenset().union(*(behind.get(each, frozenset({each})) for each in read))
    except InvalidParameters as error:
        # Rows come from elsewhere: a number out of range or of another shape is that row's; the others go on.
        return Finding(name, expected, None, None, str(error))
    except _ODD:
        return Finding(name, expected, None, None, _unusable(case.inputs))
    if ours is UNANSWERED:
        return Finding(name, expected, None, None)
    if any(isinstance(case.inputs.get(each), bool) and not _FLAG.match(each) for each in used):
        return Finding(name, expected, None, None, _unusable(case.inputs))
    return Finding(name, expected, ours, _holds(expected, ours, _tolerance(case, name)), used=used)


def _qualified(case: Case, found: Finding, told: frozenset[str]) -> Finding:
    """Return a finding as it is unless an input that changes what is asked for made no part of it.

    A layer that takes all inputs of the row knows better than an answer for which some of them are nothing.
    """
    if not found.answered:
        return found
    if may_be_of_all(found.name) and not found.used.issuperset(case.inputs):
        whole = _found(case, found.name, found.expected, found.name, of_all=True)
        if whole.answered:
            return whole
    missed = passed_over(found.name, case.inputs, found.used, told)
    if not missed:
        return found
    other = _found(case, found.name, found.expected, qualified(found.name))
    if other.answered and not passed_over(found.name, case.inputs, other.used, told):
        return other
    reason = f"no function of {found.name} knows what {missed} does to it."
    return Finding(found.name, found.expected, None, None, reason)


def _unusable(inputs: Mapping[str, Any]) -> str:
    """Return why a function could not compute with the inputs of a row, as far as these show it."""
    odd = [f"{name} is {_short(value)}" for name, value in inputs.items() if not isinstance(value, Decimal)]
    if odd:
        return f"not computed: {', '.join(odd)}; give what the others of this kind have there."
    return "not computed: its numbers divide by zero, or give one that is too large or too small to tell."


def _short(value: Any) -> str:
    told = shown(value)
    return told if len(told) <= 40 else f"{told[:40]}…"


def unused(case: Case, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the inputs of a case that none of its values is made of, in its order: the source says them, no more."""
    used = {name for finding in findings for name in finding.used}
    return tuple(name for name in case.inputs if name not in used)


def _tolerance(case: Case, name: str) -> Mapping[str, Decimal]:
    """Return what a value may depart by: `absolute_mfu` is for the values whose names say mfu, and for those alone."""
    own = {
        kind: value
        for key, value in case.tolerance.items()
        for kind, _, stem in [key.partition("_")]
        if stem and name.startswith(stem)
    }
    return own or {key: value for key, value in case.tolerance.items() if "_" not in key}


def _holds(expected: Any, ours: Any, tolerance: Mapping[str, Decimal]) -> bool:
    if isinstance(expected, list):
        return (
            isinstance(ours, list)
            and len(ours) == len(expected)
            and all(_holds(*pair, tolerance) for pair in zip(expected, ours, strict=True))
        )
    if isinstance(expected, Mapping):
        return (
            isinstance(ours, Mapping)
            and ours.keys() == expected.keys()
            and all(_holds(each, ours[key], tolerance) for key, each in expected.items())
        )
    if isinstance(expected, bool) or not isinstance(expected, Decimal):
        return type(expected) is type(ours) and bool(expected == ours)
    if isinstance(ours, bool) or not isinstance(ours, int | Decimal):
        return False
    allowed = tolerance.get("absolute", Decimal(0)) + tolerance.get("relative", Decimal(0)) * abs(expected)
    return abs(ours - expected) <= allowed


def _errors(expected: Any, ours: Any) -> list[Decimal]:
    if isinstance(expected, list) and isinstance(ours, list):
        return [error for pair in zip(expected, ours, strict=False) for error in _errors(*pair)]
    if isinstance(expected, Mapping) and isinstance(ours, Mapping):
        return [error for key in expected if key in ours for error in _errors(expected[key], ours[key])]
    if isinstance(expected, Decimal) and isinstance(ours, Decimal) and expected:
        return [ours / expected - 1]
    return []


def shown(value: Any) -> str:
    """Return a value of a finding as text, for a listing."""
    if isinstance(value, list):
        return "[" + ", ".join(shown(each) for each in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(name)}: {shown(each)}" for name, each in value.items()) + "}"
    if isinstance(value, Decimal):
        # Of 10²⁵ operations no sixth decimal can be told, nor kept.
        return str(plain(round(value, 6) if abs(value) < 10**12 else value))
    return json.dumps(value)


def _decimals(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _decimals(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_decimals(each) for each in value]
    return as_decimal(value) if isinstance(value, int | float | Decimal) and not isinstance(value, bool) else value
