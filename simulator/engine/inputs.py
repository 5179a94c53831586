"""What a rack report is made from. Defaults are those of the public interface."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from simulator.engine.air import AIR_RISE_K, AIR_TEMPERATURE_C, AIRFLOW_M3_H, ALTITUDE_M
from simulator.engine.coolant import COOLANT_RISE_K, COOLANT_TEMPERATURE_C, COOLANTS
from simulator.engine.cooling import CoolingLimits
from simulator.engine.devices import Line, merged
from simulator.engine.door import RearDoor
from simulator.engine.electrical import Feed
from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.numbers import Range, exact
from simulator.engine.power import BASES
from simulator.engine.space import UNITS
from simulator.engine.weight import FLOOR_MAX_KG_M2, FOOTPRINT_M2, MAX_KG, TARE_KG

# Refused before work starts: a rack holds some hundred devices of half a unit at the most.
COOLANT_SUPPLY_C = COOLANT_TEMPERATURE_C
LINES_MAX = 200
DEVICES_MAX = 1000


@dataclass(frozen=True, slots=True)
class Rack:
    """The cabinet. `type` names it; `max_kg` is what it carries with its own weight `tare_kg` included,
    `floor_max_kg_m2` what the floor under it carries.

    None is unknown. Raises InvalidParameters.
    """

    units: int = 42
    type: str | None = None
    footprint_m2: Decimal | None = None
    tare_kg: Decimal | None = None
    max_kg: Decimal | None = None
    floor_max_kg_m2: Decimal | None = None

    def __post_init__(self) -> None:
        ranges = {
            "units": UNITS,
            "footprint_m2": FOOTPRINT_M2,
            "tare_kg": TARE_KG,
            "max_kg": MAX_KG,
            "floor_max_kg_m2": FLOOR_MAX_KG_M2,
        }
        raise_for(_problems(self, ranges))

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.type or "rack"


_RANGES = {
    "inlet_c": AIR_TEMPERATURE_C,
    "altitude_m": ALTITUDE_M,
    "air_rise_k": AIR_RISE_K,
    "airflow_available_m3_h": AIRFLOW_M3_H,
    "coolant_rise_k": COOLANT_RISE_K,
    "coolant_supply_c": COOLANT_SUPPLY_C,
}


@dataclass(frozen=True, slots=True)
class RackInput:
    """A rack as it is asked about; lines of one device are merged and sorted, so their order changes nothing.

    Without `coolant_supply_c` the coolant has the properties of its reference temperature. With `door` a rear door ends
    also where its water and this air end it.

    Raises InvalidParameters with every problem at once.
    """

    items: tuple[Line, ...]
    rack: Rack = field(default_factory=Rack)
    basis: str = "nameplate"
    inlet_c: Decimal = Decimal(25)
    altitude_m: Decimal = Decimal(0)
    air_rise_k: Decimal = Decimal(12)
    airflow_available_m3_h: Decimal | None = None
    coolant: str = "pg25"
    coolant_rise_k: Decimal = Decimal(10)
    coolant_supply_c: Decimal | None = None
    feed: Feed | None = None
    limits: CoolingLimits = field(default_factory=CoolingLimits)
    door: RearDoor | None = None

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        try:
            object.__setattr__(self, "items", _checked_lines(self.items))
        except InvalidParameters as error:
            problems += error.problems
        problems += _problems(self, _RANGES)
        for name, choices in (("basis", BASES), ("coolant", tuple(COOLANTS))):
            if getattr(self, name) not in choices:
                message = f"{name} is {getattr(self, name)}; choose one of {', '.join(choices)}."
                problems.append(Problem(name, "not_a_choice", message))
        supply, rise = self.coolant_supply_c, self.coolant_rise_k
        if supply is not None and not problems and supply + rise > COOLANT_TEMPERATURE_C.high:  # type: ignore[operator]
            message = f"coolant_supply_c is {supply}; with {rise} K it leaves above {COOLANT_TEMPERATURE_C.high} °C."
            problems.append(Problem("coolant_supply_c", "conflict", message))
        raise_for(problems)


def _checked_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    count = sum(line.quantity for line in lines)
    if not lines:
        raise_for([Problem("items", "required", "items is empty; a rack needs at least one device.")])
    if len(lines) > LINES_MAX:
        raise_for([Problem("items", "too_many", f"items has {len(lines)} lines; {LINES_MAX} is the most.")])
    if count > DEVICES_MAX:
        raise_for([Problem("items", "too_many", f"items has {count} devices; {DEVICES_MAX} is the most for a rack.")])
    return merged(lines)


def _problems(given: object, ranges: dict[str, Range]) -> list[Problem]:
    found = []
    for name, allowed in ranges.items():
        value = getattr(given, name)
        if value is not None and (problem := allowed.problem(name, exact(value))):
            found.append(problem)
    return found
