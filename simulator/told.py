"""The numbers of a stored report by name: what articles bind to, whatever the kind of the scenario."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

_UNITS_BY_SUFFIX = {
    "_kg_m2": "kg/m²", "_m3_h": "m³/h", "_l_min": "l/min", "_kva": "kVA", "_cfm": "CFM", "_kw": "kW", "_kg": "kg",
    "_w": "W", "_u": "U",
}  # fmt: skip
"""Of numbers that stand in no trace; the longer of two that fit comes first."""
_NUMBER = re.compile(r"[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?")
"""Text that `articles_as_number` of the database takes for a number: `Decimal` would take 1_000 and ٣ too."""


@dataclass(frozen=True, slots=True)
class ToldNumber:
    """A number of a report with its unit, and the section that it stands in ("" where it stands in none)."""

    value: Decimal
    unit: str
    section: str = ""


def told_number(report: Mapping[str, Any], name: str) -> ToldNumber | None:
    """Return a number of a report by its name, or None where the report knows none.

    A name is that of a number in a section (`density_kw` of power), at the top (`grid_over_chips`) or in the trace
    (`hall_kw` of a ladder), or a path (`power.at_least.density_kw`). `articles_report_number` of the database finds the
    same.
    """
    for section, values in report.items():
        if isinstance(values, Mapping) and (value := as_number(values.get(name))) is not None:
            return ToldNumber(value, _unit_of(report, name), section)
    found: Any = report
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if (value := as_number(found)) is not None:
        return ToldNumber(value, _unit_of(report, name.rpartition(".")[2]), name.rpartition(".")[0])
    for entry in _trace(report):
        if entry.get("quantity") == name and (value := as_number(entry.get("value"))) is not None:
            return ToldNumber(value, str(entry.get("unit", "")))
    return None


def is_unknown(report: Mapping[str, Any], name: str) -> bool:
    """Return whether a report has a quantity of a name, as `told_number` finds it, and does not know its value."""
    if told_number(report, name) is not None:
        return False
    if any(isinstance(values, Mapping) and name in values and values[name] is None for values in report.values()):
        return True
    found: Any = report
    *around, last = name.split(".")
    for part in around:
        found = found.get(part) if isinstance(found, Mapping) else None
    if isinstance(found, Mapping) and last in found and found[last] is None:
        return True
    return any(entry.get("quantity") == name and entry.get("value") is None for entry in _trace(report))


def told_numbers(report: Mapping[str, Any]) -> dict[str, ToldNumber]:
    """Return every number of a report that has a name of its own, in the order in which the report tells them."""
    names: dict[str, None] = {}
    for name, values in report.items():
        inner = values if isinstance(values, Mapping) else {name: values}
        names |= {each: None for each, value in inner.items() if as_number(value) is not None}
    names |= {str(entry["quantity"]): None for entry in _trace(report) if "quantity" in entry}
    found = {name: told_number(report, name) for name in names}
    return {name: number for name, number in found.items() if number is not None}


def as_number(value: Any) -> Decimal | None:
    """Return what is a number, or text that says one, as a decimal; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return None
    number = Decimal(str(value))
    return number if number.is_finite() else None


def _trace(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    trace = report.get("trace")
    return [entry for entry in trace if isinstance(entry, Mapping)] if isinstance(trace, list) else []


def _unit_of(report: Mapping[str, Any], name: str) -> str:
    for entry in _trace(report):
        if entry.get("quantity") == name:
            return str(entry.get("unit", ""))
    return next((unit for suffix, unit in _UNITS_BY_SUFFIX.items() if name.endswith(suffix)), "")
