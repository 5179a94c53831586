"""Which function of the engine answers which published value, found by kind and names.

Tables spell one quantity in several ways. A name is looked up as it stands, then in another spelling (`ALIASES`), then
in another unit (`rack_power_kw` where a row has `rack_power_w`): units are part of names, and `units` converts.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from simulator.engine.units import convert, dimension_of

Answer = Callable[..., Any]
A = TypeVar("A", bound=Answer)

UNANSWERED = object()
"""No function of the engine gives this value from these inputs."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A function, the inputs it must have, and those it takes where a row has them."""

    function: Answer
    needs: frozenset[str]
    takes: frozenset[str]


_answers: dict[tuple[str, str], list[_Answer]] = {}
_patterns: list[tuple[str, re.Pattern[str], Answer]] = []

# The unit that ends a name, as tables spell it, and as `units` does. The longest that fits is the unit.
_SUFFIXES = {
    **{unit: unit for unit in ("w", "kw", "mw", "gw", "va", "kva", "mva", "j", "kj", "kwh", "mwh", "gwh", "twh")},
    **{unit: unit for unit in ("ms", "s", "min", "h", "days", "kg", "t", "lb", "l", "m3", "gal")},
    **{unit: unit for unit in ("gb", "gib", "tb", "tib", "pb", "gbps", "tbps")},
    "hours": "h",
    "hr": "h",
    "seconds": "s",
    "minutes": "min",
    "tonnes": "t",
    "litres": "l",
    "gallons": "gal",
    "btu_per_hr": "btu_h",
    "btu_per_h": "btu_h",
    "btu_h": "btu_h",
    "cfm": "cfm",
    "m3_per_s": "m3_s",
    "m3_per_h": "m3_h",
    "m3_h": "m3_h",
    "m3_s": "m3_s",
    "l_per_min": "l_min",
    "l_min": "l_min",
    "lpm": "l_min",
    "g_per_kwh": "g_kwh",
    "gco2_per_kwh": "g_kwh",
    "kg_per_mwh": "kg_mwh",
    "lb_per_mwh": "lb_mwh",
    "gb_per_s": "gb_s",
    "gib_per_s": "gib_s",
    "tb_per_s": "tb_s",
    "gb_s": "gb_s",
    "k": "k",
    "delta_t_f": "delta_f",
    "rise_f": "delta_f",
}

_ALIASES = (
    ("nodes", "nodes_count", "node_count", "compute_nodes", "servers"),
    ("gpus", "gpus_count", "gpu_count", "accelerators", "accelerators_count", "chips"),
    ("gpus_per_node", "gpus_per_server", "accelerators_per_node"),
    ("scalable_units", "scalable_units_count", "su", "su_count"),
    ("switch_radix_ports", "radix_ports", "switch_radix", "radix", "switch_ports", "ports_per_switch"),
    ("ports_per_gpu", "links_per_gpu_per_plane", "nics_per_gpu", "rails_per_gpu"),
    ("port_gbps", "link_gbps", "line_rate_gbps", "gpu_port_gbps"),
    ("planes", "planes_count"),
    ("oversubscription", "oversubscription_ratio", "cross_pod_oversubscription"),
    ("delta_t_k", "temperature_rise_k", "rise_k", "coolant_rise_k", "air_rise_k"),
    ("specific_heat_j_per_kg_k", "heat_capacity_j_kg_k", "cp_j_per_kg_k", "specific_heat_j_kg_k"),
    ("density_kg_per_m3", "density_kg_m3", "rho_kg_per_m3"),
    ("air_temperature_c", "inlet_c", "inlet_temperature_c", "temperature_c"),
    ("heat_kw", "load_kw", "power_kw"),
    ("line_voltage_v", "line_to_line_v", "voltage_line_v", "voltage_line_to_line_v"),
    ("phase_voltage_v", "line_to_neutral_v", "voltage_phase_v", "voltage_line_to_neutral_v"),
    ("breaker_a", "breaker_rating_a", "current_a", "amps"),
    ("continuous_fraction", "derate", "breaker_derate", "derate_fraction", "max_utilisation_fraction"),
    ("rmax_pflops", "hpl_pflops", "rmax_pflop_s"),
    ("efficiency_gflops_per_w", "listed_efficiency_gflops_per_w", "gflops_per_w"),
    ("checkpoint_write_s", "write_s", "write_time_s", "checkpoint_s"),
    ("job_mttf_h", "mttf_h", "mtbf_h"),
    ("usd_per_kwh", "price_usd_per_kwh", "rate_usd_per_kwh"),
    ("weight_lb", "mass_lb"),
    ("rating_kw", "unit_kw", "generator_kw"),
    ("peak_dense_bf16_tflops", "peak_tflops", "peak_tflops_per_gpu", "peak_bf16_tflops"),
    ("tflops_per_gpu", "achieved_tflops_per_gpu"),
    ("k_ports", "k", "radix_k"),
)
ALIASES = {name: group for group in _ALIASES for name in group}
"""Spellings of one input; only within a kind do they meet, so that `chips` of a pod are its accelerators."""


def answers(kind: str, *expected: str) -> Callable[[A], A]:
    """Say that the decorated function gives the values called `expected` in rows of `kind`.

    The names of its parameters are the names of the inputs it needs, those with a default it can do without; of several
    functions for one value the first whose inputs a row has is asked.
    """

    def register(function: A) -> A:
        parameters = inspect.signature(function).parameters.values()
        takes = frozenset(each.name for each in parameters)
        needs = frozenset(each.name for each in parameters if each.default is inspect.Parameter.empty)
        for name in expected:
            _answers.setdefault((kind, name), []).append(_Answer(function, needs, takes))
        return function

    return register


def answers_like(kind: str, pattern: str) -> Callable[[A], A]:
    """Say that the decorated function gives values whose names match `pattern` in rows of `kind`.

    It is called with the inputs of the row and with the groups of the pattern, and may return UNANSWERED: tables name
    the parts of a whole (`hbm3_fraction` of `hbm3`), and the years of a series, in the name.
    """

    def register(function: A) -> A:
        _patterns.append((kind, re.compile(pattern), function))
        return function

    return register


def answer(kind: str, name: str, inputs: Mapping[str, Any]) -> Any:
    """Return our value of `name` for the inputs of a row, or UNANSWERED.

    Asked in this order: functions of the name, functions of the name in another unit, patterns, the same input in
    another unit; then what other kinds answer, since tables sort a shelf under racks or under power.
    An input `x_options` with a list stands for `x` several times: the answer is the list of the answers.
    """
    kinds = [kind, *sorted({each for each, _ in _answers} - {kind})]
    for each in kinds:
        for found in (_by_name(each, name, inputs), _in_another_unit(each, name, inputs)):
            if found is not UNANSWERED:
                return found
        for its_kind, pattern, function in _patterns:
            match = pattern.fullmatch(name) if its_kind == each else None
            if match and (found := function(inputs, *match.groups())) is not UNANSWERED:
                return found
    return _the_same_input(name, inputs)


def _by_name(kind: str, name: str, inputs: Mapping[str, Any]) -> Any:
    for known in _answers.get((kind, name), []):
        found = _asked(known, inputs)
        if found is not UNANSWERED:
            return found
    return UNANSWERED


def _asked(known: _Answer, inputs: Mapping[str, Any]) -> Any:
    fixed: dict[str, Any] = {}
    listed: dict[str, list[Any]] = {}
    for parameter in sorted(known.takes):
        value = find(parameter, inputs)
        if value is not UNANSWERED:
            fixed[parameter] = value
            continue
        options = _options(parameter, inputs)
        if options is not None:
            listed[parameter] = options
        elif parameter in known.needs:
            return UNANSWERED
    if not listed:
        return known.function(**fixed)
    rows = zip(*listed.values(), strict=True)
    return [known.function(**fixed, **dict(zip(listed, row, strict=True))) for row in rows]


def find(name: str, inputs: Mapping[str, Any]) -> Any:
    """Return the input called `name`, or one that is spelled otherwise or given in another unit; else UNANSWERED."""
    for spelled in ALIASES.get(name, (name,)) if name not in inputs else (name,):
        if spelled in inputs:
            return inputs[spelled]
    for spelled in ALIASES.get(name, (name,)):
        for other, unit, to in _units_of(spelled):
            if isinstance(inputs.get(other), Decimal):
                return convert(inputs[other], unit, to)
    return UNANSWERED


def _options(name: str, inputs: Mapping[str, Any]) -> list[Any] | None:
    """Return the values that a row lists for the input `name`, in its unit; None if it lists none."""
    for spelled in ALIASES.get(name, (name,)):
        if isinstance(found := inputs.get(f"{spelled}_options"), list):
            return found
        for other, unit, to in _units_of(spelled):
            if isinstance(found := inputs.get(f"{other}_options"), list):
                return [convert(each, unit, to) for each in found]
    return None


def split(name: str) -> tuple[str, str] | None:
    """Return a name without its unit, and the unit as `units` spells it; None for a name without one."""
    parts = name.split("_")
    for start in range(len(parts)):
        suffix = "_".join(parts[start:])
        if suffix in _SUFFIXES:
            return "_".join(parts[:start]), _SUFFIXES[suffix]
    return None


def _units_of(name: str) -> Iterator[tuple[str, str, str]]:
    """Give the names that `name` would have in other units of its dimension: (other name, its unit, our unit)."""
    found = split(name)
    if found is None:
        return
    stem, unit = found
    for suffix, other in _SUFFIXES.items():
        if dimension_of(other) == dimension_of(unit):
            spelled = f"{stem}_{suffix}" if stem else suffix
            if spelled != name:
                yield spelled, other, unit


def _in_another_unit(kind: str, name: str, inputs: Mapping[str, Any]) -> Any:
    for other, unit, to in _units_of(name):
        found = _by_name(kind, other, inputs)
        if isinstance(found, Decimal):
            return convert(found, unit, to)
    return UNANSWERED


def _the_same_input(name: str, inputs: Mapping[str, Any]) -> Any:
    """Return an input of the row in the unit that `name` asks for: one number, or one for each key of an object."""
    for other, unit, to in _units_of(name):
        given = inputs.get(other)
        if isinstance(given, Decimal):
            return convert(given, unit, to)
        if isinstance(given, Mapping) and all(isinstance(each, Decimal) for each in given.values()):
            return {key: convert(each, unit, to) for key, each in given.items()}
    return UNANSWERED


def whole(value: Decimal) -> int:
    """Return a count that a table gives as a number."""
    return int(value)
