"""Inputs that change what a value means: a share of the heat, an altitude, an efficiency, what is kept spare.

A value that is made without them is another one than the row asks for, so it is no answer: better none than a wrong
one. Where another value of the row is made with them, the row tells both, and each stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.validation.spelling import split

_LOWERING = re.compile(r"derat|safety_factor|depth_of_discharge")
"""These lower whatever stands beside them, also where another value of the row is made with them."""


@dataclass(frozen=True, slots=True)
class _Qualifier:
    """Names of inputs, the values that those leave as they are, and the number that changes nothing.

    One that `is_strict` makes the value itself, also where another value of the row is made of it.
    """

    name: re.Pattern[str]
    leaves: re.Pattern[str]
    neutral: Decimal
    is_strict: bool = False


def _of(name: str, leaves: str, neutral: int, *, strict: bool = False) -> _Qualifier:
    return _Qualifier(re.compile(name), re.compile(leaves), Decimal(neutral), strict)


_COUNTED = r"(?:gpu|chip|node|rack|server|tray|accelerator|unit)s?(?:_\w+)?_count$|_count$|_u$"
_BODY = r"_kg$|_lb$|weight|height|_mm$|_u$"
_QUALIFIERS = (
    # Air thins: rises, flows, limits and what fans and engines give depend on it; liquids, weights and counts do not.
    _of(
        r"(?:^|_)(?:altitude|elevation)(?:_|$)",
        rf"{_COUNTED}|{_BODY}|l_per_min|l_min|lpm|gpm|(?:^|_)min_c$|(?:^|_)min_f$|recommended|dew_point|rh_|humidity"
        r"|max_rate|liquid|coolant|_fraction$|_percent$|rack_power|rack_kw|gpu",
        0,
    ),
    # A flow of coolant or of air is that of its own stream, not of all heat.
    _of(
        r"(?:^|_)liquid(?:_heat|_cooled|_capture)?_(?:fraction|percent|share|pct|kw|w)$|heat_to_liquid",
        r"^(?!.*(?:flow|cfm|coolant_l|l_per_min$|l_min$|gpm$|lpm$)).*$",
        -1,
        strict=True,
    ),
    # Energy, its cost and its carbon are of the average load.
    _of(
        r"(?:^|_)(?:utili[sz]ation|load_factor|capacity_factor|duty|uptime)(?:_|$)",
        r"^(?!.*(?:wh$|wh_per_year|usd|co2|water|_l$|_m3$)).*$|fraction$|percent$|per_kwh$",
        1,
    ),
    # What a liquid takes is no heat of the air, and the other way round.
    _of(
        r"(?:^|_)(?:liquid|air|water|cold_plate|capture)(?:_heat|_cooled|_cooling|_capture)?_(?:fraction|percent|share|ratio|pct)$",
        rf"{_COUNTED}|{_BODY}|(?:rack|node|total|it|gpu)_(?:power_)?k?w$|_a$|_kva$|_va$|pressure|density|max_c$|min_c$"
        r"|fraction$|percent$|dew_point|power_per",
        2,
    ),
    _of(r"blocking|blocked_(?:fraction|percent)", r"_gb|_gib|_tb|_count$|write_(?:time_)?s$", 1),
    _of(
        r"(?:^|_)efficien(?:cy|cies)(?:_(?:fraction|percent|pct|ratio))?$|diversity|simultane|coinciden|(?:^|_)spares?(?:_|$)"
        r"|(?:^|_)usable_(?:fraction|percent)|(?:^|_)reserved?_(?:fraction|percent|kw|mw|w|ports|u|units)$|growth_(?:fraction|percent)"
        r"|design_margin|discount|surcharge|rebate|(?:^|_)loss(?:es)?_(?:fraction|percent)|compression|replica|parity",
        r"^$",
        1,
    ),
    _of(r"^oversubscription", r"^(?!.*(?:leaf|spine|core|uplink|bisection|cross)).*$", 1),
)
# Any other share or factor is of something that the value may be: counts are not, and full load says which it is.
_ANY_SHARE = _of(r"_(?:fraction|percent|pct|factor|ratio)$", rf"_count$|full_load|per_k?wh$|per_mwh$|{_BODY}|flops$", 1)
_STOPS = re.compile(r"restart|detect|recover|reload|requeue|queue|repair|downtime")
_USEFUL = re.compile(r"ettr|goodput|effective_training")
_SCHEMES = re.compile(r"(?:^|_)redundancy(?:_scheme)?$|^scheme$")
_LEFT = re.compile(
    r"^(?:usable|available|remaining|units|installed|modules|generators)(?:_count|_kw|_mw|_kva|_va|_mva)$"
)
"""What is left of a whole, or must be there, by a scheme; a name that says its scheme needs none."""
_WHOLE = re.compile(r"^installed_(?:kw|mw|kva|va|mva)$")


def passed_over(name: str, inputs: Mapping[str, Any], used: Iterable[str], used_in_row: Iterable[str]) -> str:
    """Return an input that changes the value `name`, and that neither it nor (as `used_in_row`) another is made of.

    Empty where there is none. One that lowers all beside it must make the value itself.
    """
    made, told = set(used), set(used_in_row)
    for each, value in inputs.items():
        if each in made or each == name:
            continue
        if _LOWERING.search(each):
            return each
        if _changes(each, value, name, is_told=each in told):
            return each
        if each not in told and _is_another_share(each, value, name) and not _has_its_own(name, made):
            return each
    return ""


def qualified(name: str) -> str:
    """Return what a value is called elsewhere that an input changes: a maximum at an altitude is a derated one."""
    return f"derated_{name}"


def _changes(each: str, value: Any, name: str, *, is_told: bool) -> bool:
    for known in _QUALIFIERS:
        if known.name.search(each) and (known.is_strict or not is_told) and not known.leaves.search(name):
            return not _is_neutral(each, value, known.neutral)
    if is_told:
        return False
    if _USEFUL.search(name) and _STOPS.search(each):
        return True
    if _SCHEMES.search(each):
        is_said = isinstance(value, str) and value.strip().lower() not in ("none", "n", "")
        return is_said and _LEFT.search(name) is not None and _WHOLE.search(name) is None
    return False


def _is_another_share(each: str, value: Any, name: str) -> bool:
    is_one = _ANY_SHARE.name.search(each) and not _ANY_SHARE.leaves.search(name)
    return bool(is_one) and isinstance(value, Decimal) and not _is_neutral(each, value, _ANY_SHARE.neutral)


def _has_its_own(name: str, made: set[str]) -> bool:
    """Whether a value is made of a share that it names: `eco_input_kw` of `eco_fraction`, and of no other mode's."""
    stems = (match.string[: match.start()] for each in made if (match := _ANY_SHARE.name.search(each)))
    return any(stem and stem in name for stem in stems)


def _is_neutral(each: str, value: Any, neutral: Decimal) -> bool:
    if not isinstance(value, Decimal):
        return not isinstance(value, list | Mapping)
    unit = split(each)
    return value == (100 * neutral if unit is not None and unit.upper == "percent" else neutral)
