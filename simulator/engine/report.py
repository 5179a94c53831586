"""The report of a rack, and its form as plain data. The field names are the public interface's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from simulator.engine.cooling import Method
from simulator.engine.layers import QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import plain
from simulator.engine.space import Placement
from simulator.engine.trace import TraceEntry


@dataclass(frozen=True, slots=True)
class SpaceAtLeast:
    used_u: Decimal | None


@dataclass(frozen=True, slots=True)
class Space:
    """Rack units. `fits` is None where only the unknown height of a device decides it."""

    used_u: Decimal | None
    free_u: Decimal | None
    fits: bool | None
    elevation: tuple[Placement, ...]
    at_least: SpaceAtLeast | None
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PowerAtLeast:
    nameplate_kw: Decimal | None
    typical_kw: Decimal | None
    idle_kw: Decimal | None
    density_kw: Decimal | None


@dataclass(frozen=True, slots=True)
class Power:
    nameplate_kw: Decimal | None
    typical_kw: Decimal | None
    idle_kw: Decimal | None
    density_kw: Decimal | None
    basis: str
    at_least: PowerAtLeast | None
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeightAtLeast:
    equipment_kg: Decimal | None
    total_kg: Decimal | None
    floor_load_kg_m2: Decimal | None
    floor_load_kn_m2: Decimal | None


@dataclass(frozen=True, slots=True)
class Weight:
    equipment_kg: Decimal | None
    total_kg: Decimal | None
    floor_load_kg_m2: Decimal | None
    floor_load_kn_m2: Decimal | None
    at_least: WeightAtLeast | None
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElectricalAtLeast:
    load_kva: Decimal | None


@dataclass(frozen=True, slots=True)
class Electrical:
    load_kva: Decimal | None
    capacity_kva: Decimal | None
    usable_kva: Decimal | None
    redundancy: str
    ok: bool | None
    at_least: ElectricalAtLeast | None
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoolingAtLeast:
    air_heat_kw: Decimal | None
    liquid_heat_kw: Decimal | None
    airflow_m3_h: Decimal | None
    airflow_cfm: Decimal | None
    coolant_l_min: Decimal | None


@dataclass(frozen=True, slots=True)
class CoolingMethod:
    """A method as the report shows it."""

    method: str
    feasible: bool | None
    limit_kw: Decimal | None
    margin_kw: Decimal | None
    reason: str

    @classmethod
    def of(cls, method: Method, limit_kw: Decimal | None, margin_kw: Decimal | None) -> CoolingMethod:
        return cls(method.method, method.feasible, limit_kw, margin_kw, method.reason)


@dataclass(frozen=True, slots=True)
class Cooling:
    rule_of_thumb: str | None
    agrees: bool | None
    methods: tuple[CoolingMethod, ...]
    binding_limit: str | None
    air_heat_kw: Decimal | None
    liquid_heat_kw: Decimal | None
    airflow_m3_h: Decimal | None
    airflow_cfm: Decimal | None
    coolant_l_min: Decimal | None
    at_least: CoolingAtLeast | None
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RackReport:
    """Everything the rack layer says. A total with an unknown part is None; `at_least` has the sum of what is known."""

    space: Space
    power: Power
    weight: Weight
    electrical: Electrical | None
    cooling: Cooling
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def as_data(report: Any) -> Any:
    """Return a report as dictionaries, lists, strings and JSON numbers: `json.dumps` takes it as it is."""
    kind: Any = type(report)
    if kind is Decimal:
        return plain(report)
    if report is None or kind is str or kind is bool or kind is int:
        return report
    if is_dataclass(report):
        return {name: as_data(getattr(report, name)) for name in names_of(kind)}
    if isinstance(report, tuple | list):
        return [as_data(each) for each in report]
    if isinstance(report, Mapping):
        return {key: as_data(value) for key, value in report.items()}
    return report


@cache
def names_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields: reports are large, and asking each time is a quarter of their cost."""
    return tuple(each.name for each in fields(kind))
