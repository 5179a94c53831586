"""A stored report in words, for editors: what decides, with units, whatever its kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.about import HEADLINES
from simulator.told import as_number, told_number
from simulator.wording import in_words, unit_of, words

_BESIDE = ("warnings", "trace", "ranges", "unknown")


@dataclass(frozen=True, slots=True)
class Table:
    """A list inside of a report: the rungs of a ladder, the tiers of a tree, what stands in a hall."""

    title: str
    heads: list[str]
    rows: list[list[str]]


def headline(kind: str, report: Mapping[str, Any]) -> str:
    """Return the number that a list shows of a report: what it is, what it is at least, or that it is unknown."""
    name = HEADLINES.get(kind, "")
    if kind == "rack":
        return amount(report.get("power", {}), name, "kW")
    found = told_number(report, name)
    return f"{words(name)} " + ("unknown" if found is None else said(found.value, found.unit))


def report_rows(kind: str, report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the numbers that decide, with what they are called, in the order in which they follow from each other.

    What was not asked (an outage, scale-up links) is left out; what was asked and is not known is said to be unknown.
    """
    if kind == "rack":
        return [*_rack_rows(report), *_reaches(report)]
    units = {entry["quantity"]: entry["unit"] for entry in report.get("trace", [])}
    shown = [name for name, value in report.items() if name not in _BESIDE and not isinstance(value, list | dict)]
    # A stored report has its names in no order; its trace has.
    beside = sorted(name for name in shown if name not in units and report[name] is not None)
    names = [*beside, *(name for name in units if name in shown)]
    return [*((words(name), said(report[name], units.get(name, ""))) for name in names), *_reaches(report)]


def _reaches(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how far each quantity goes over the ranges of the input; it may be unknown at some of their values."""
    return [
        (
            f"{words(each['quantity'])} over the ranges",
            "unknown at some"
            if each["low"] is None or each["high"] is None
            else f"{said(each['low'], '')} to {said(each['high'], each['unit'])}",
        )
        for each in report.get("ranges", [])
        # Its value is the density by which a method is looked up, which is told already.
        if each["quantity"] != "rule_of_thumb"
    ]


def report_tables(report: Mapping[str, Any]) -> list[Table]:
    """Return the lists of a report as tables."""
    found = []
    for name, entries in report.items():
        if name in _BESIDE or not isinstance(entries, list) or not entries or not isinstance(entries[0], dict):
            continue
        # Stored names are in no order: first what a row is called, then its numbers, then whether it holds.
        heads = sorted(entries[0], key=lambda head: _place(entries[0][head]))
        # What is null here is none more often than unknown: the chip adds nothing to a rung below.
        rows = [["—" if entry.get(head) is None else said(entry[head], "") for head in heads] for entry in entries]
        found.append(Table(in_words(name), [_head(head) for head in heads], rows))
    return found


def _place(value: Any) -> int:
    return 0 if isinstance(value, str) else 2 if isinstance(value, bool) else 1


def _head(name: str) -> str:
    unit = unit_of(name)
    return f"{words(name)}, {unit}" if unit else words(name)


def said(value: Any, unit: str) -> str:
    """Return a value of a report as people read it."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    # What is text is a name or a word, also where it looks like a number: racks may be called 007.
    number = value if isinstance(value, Decimal) else None if isinstance(value, str) else as_number(value)
    if number is None:
        return str(value).replace("_", " ")
    is_whole = number == number.to_integral_value()
    text = f"{number.to_integral_value() if is_whole else number.normalize():,f}"
    return f"{text} {unit}".strip()


def _rack_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    power, weight, cooling = report["power"], report["weight"], report["cooling"]
    fits = {True: "fits", False: "does not fit", None: "not known whether it fits"}[report["space"]["fits"]]
    rows = [
        ("Space", f"{amount(report['space'], 'used_u', 'U')} used, {fits}"),
        ("Power", f"{amount(power, 'nameplate_kw', 'kW')} at nameplate"),
        ("Density", f"{amount(power, 'density_kw', 'kW')} {_at_basis(power['basis'])}"),
        ("Weight", f"{amount(weight, 'equipment_kg', 'kg')} of devices, {amount(weight, 'total_kg', 'kg')} in all"),
        ("Heat", f"{amount(cooling, 'air_heat_kw', 'kW')} to air, {amount(cooling, 'liquid_heat_kw', 'kW')} to liquid"),
        ("Airflow", amount(cooling, "airflow_m3_h", "m³/h")),
        ("Coolant", amount(cooling, "coolant_l_min", "l/min")),
        ("Rule of thumb", said(cooling["rule_of_thumb"], "")),
    ]
    if feed := report["electrical"]:
        rows.insert(4, ("Feed", f"{amount(feed, 'load_kva', 'kVA')} of {said(feed['usable_kva'], 'kVA')}"))
    for method in cooling["methods"]:
        answer = {True: "feasible", False: "not feasible", None: "unknown"}[method["feasible"]]
        rows.append((method["method"].replace("_", " ").capitalize(), f"{answer}. {method['reason']}"))
    return rows


def _at_basis(basis: str) -> str:
    return "at nameplate" if basis == "nameplate" else f"when {basis}" if basis == "idle" else f"at {basis} power"


def amount(section: Mapping[str, Any], name: str, unit: str) -> str:
    """Return a total of a stored report in words: what it is, what it is at least, or that it is unknown."""
    if section.get(name) is not None:
        return said(section[name], unit)
    known = (section.get("at_least") or {}).get(name)
    return "unknown" if known is None else f"at least {said(known, unit)}"
