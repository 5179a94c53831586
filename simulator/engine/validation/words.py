"""What a row says in words: how many phases, between what a voltage is meant, by whose code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.numbers import as_decimal
from simulator.engine.validation.spelling import counted, split

_PHASES = {
    **dict.fromkeys(("1", "one", "single", "single-phase", "1-phase", "1ph", "1-ph", "one-phase"), 1),
    **dict.fromkeys(("3", "three", "three-phase", "3-phase", "3ph", "3-ph"), 3),
}
_PHASES_NAMES = ("phases", "phase_count", "phases_count", "number_of_phases")
_LINE = ("line", "line-to-line", "l-l", "ll", "phase-to-phase")
_NEUTRAL = ("phase", "neutral", "line-to-neutral", "phase-to-neutral", "l-n", "ln")
_MEANT = ("voltage_is", "voltage_basis", "voltage_type", "voltage_reference", "voltage_kind", "voltage_between")
_ALSO_MEANT = ("connection", "wiring", "configuration")
_CODES = {
    **dict.fromkeys(("nec", "nfpa-70", "us", "usa", "ul", "north-america"), "north_america"),
    **dict.fromkeys(("iec", "eu", "europe", "uk", "iec-60364"), "iec"),
}


def spoken(inputs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
    """Return the inputs with words as what they stand for, and the names in the row behind each name that is new.

    `phases` "three-phase" is 3; a voltage of which the row says that it is "line-to-neutral" is `phase_voltage_v`; the
    NEC is the region north_america. Raises InvalidParameters where a row says of its voltage what is neither.
    """
    told, behind = dict(inputs), dict[str, frozenset[str]]()
    for name in _PHASES_NAMES:
        count = _PHASES.get(_word(told.get(name)))
        if count is not None:
            del told[name]
            told["phases"], behind["phases"] = as_decimal(count), frozenset({name})
    for name in (*_MEANT, *_ALSO_MEANT):
        _say_between_what(name, told, behind)
    for name in inputs:
        plural = counted(name)
        if plural is not None and plural not in told:
            told[plural], behind[plural] = told.pop(name), frozenset({name})
    for name in ("region", "code", "standard", "electrical_code"):
        region = _CODES.get(_word(told.get(name)))
        if region is not None:
            del told[name]
            told["region"], behind["region"] = region, frozenset({name})
    return told, behind


def _say_between_what(name: str, told: dict[str, Any], behind: dict[str, frozenset[str]]) -> None:
    word = _word(told.get(name))
    meant = "line" if word in _LINE else "phase" if word in _NEUTRAL else None
    if meant is None:
        if word and name in _MEANT:
            message = f"{name} is {told[name]}; say line (between two lines) or phase (to neutral)."
            raise InvalidParameters([Problem(name, "not_a_choice", message)])
        return
    for other in [
        each for each in told if (unit := split(each)) and unit.stem == "voltage" and unit.upper in ("v", "kv")
    ]:
        new = f"{meant}_{other}"
        told[new], behind[new] = told.pop(other), frozenset({other, name})


def _word(value: Any) -> str:
    return value.strip().lower().replace("_", "-").replace(" ", "-") if isinstance(value, str) else ""
