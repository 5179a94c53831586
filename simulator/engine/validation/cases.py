"""A row of a published table, and how our value compares with it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from simulator.engine.numbers import as_decimal, plain, precise
from simulator.engine.validation.answers import UNANSWERED, answer

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
    """One expected value beside ours. `holds` is None where no function of the engine answers."""

    name: str
    expected: Any
    ours: Any
    holds: bool | None

    @property
    def answered(self) -> bool:
        return self.holds is not None


def read_case(row: Mapping[str, Any]) -> Case:
    """Return a row of JSON as a case; numbers become decimals. Raises ValueError for a row without a known status."""
    found = re.match(r"\[(\w+)\]", row.get("note", ""))
    if found is None or found.group(1) not in STATUSES:
        raise ValueError(f"Row {row.get('id')}: its note must begin with one of {', '.join(STATUSES)} in brackets.")
    return Case(
        id=row["id"],
        title=row["title"],
        kind=row["kind"],
        status=found.group(1),
        inputs=_decimals(row["inputs"]),
        expected=_decimals(row["expected"]),
        tolerance=_decimals(row["tolerance"]),
        source=row.get("source", {}),
        note=row["note"],
    )


def check(case: Case) -> list[Finding]:
    """Return each expected value of a case with ours, in the order of the case."""
    found = []
    with precise():
        for name, expected in case.expected.items():
            ours = answer(case.kind, name, case.inputs)
            if ours is UNANSWERED:
                found.append(Finding(name, expected, None, None))
            else:
                found.append(Finding(name, expected, ours, _holds(expected, ours, case.tolerance)))
    return found


def _holds(expected: Any, ours: Any, tolerance: Mapping[str, Decimal]) -> bool:
    if isinstance(expected, list):
        return (
            isinstance(ours, list)
            and len(ours) == len(expected)
            and all(_holds(*pair, tolerance) for pair in zip(expected, ours, strict=True))
        )
    if isinstance(expected, bool) or not isinstance(expected, Decimal):
        return type(expected) is type(ours) and bool(expected == ours)
    if isinstance(ours, bool) or not isinstance(ours, int | Decimal):
        return False
    allowed = tolerance.get("absolute", Decimal(0)) + tolerance.get("relative", Decimal(0)) * abs(expected)
    return abs(ours - expected) <= allowed


def shown(value: Any) -> str:
    """Return a value of a finding as text, for a listing."""
    if isinstance(value, list):
        return "[" + ", ".join(shown(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {shown(each)}" for name, each in value.items()) + "}"
    if isinstance(value, Decimal):
        return str(plain(round(value, 6)))
    return json.dumps(value)


def _decimals(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _decimals(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_decimals(each) for each in value]
    return as_decimal(value) if isinstance(value, int | float | Decimal) and not isinstance(value, bool) else value
