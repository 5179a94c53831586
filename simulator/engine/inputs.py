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
from simulator.engine.parameters import check, choice, number, part, parts, problems_of, text, whole
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

    units: int = whole(UNITS, 42)
    type: str | None = text(None, about="Slug of a rack type of the catalogue: it gives what is left out.")
    footprint_m2: Decimal | None = number(FOOTPRINT_M2, None)
    tare_kg: Decimal | None = number(TARE_KG, None)
    max_kg: Decimal | None = number(MAX_KG, None, "What it carries, its own weight included.")
    floor_max_kg_m2: Decimal | None = number(FLOOR_MAX_KG_M2, None, "What the floor under it carries.")

    def __post_init__(self) -> None:
        check(self)

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.type or "rack"


@dataclass(frozen=True, slots=True)
class RackInput:
    """A rack as it is asked about; `lines` are its items merged by device and sorted, so their order changes nothing.

    Without `coolant_supply_c` the coolant has the properties of its reference temperature. With `door` a rear door ends
    also where its water and this air end it.

    Raises InvalidParameters with every problem at once.
    """

    items: tuple[Line, ...] = parts(Line, LINES_MAX)
    rack: Rack = part(Rack, Rack(), "What is left out is taken from its type, where one is named.")
    basis: str = choice(BASES, "nameplate")
    inlet_c: Decimal = number(AIR_TEMPERATURE_C, 25)
    altitude_m: Decimal = number(ALTITUDE_M, 0)
    air_rise_k: Decimal = number(AIR_RISE_K, 12)
    airflow_available_m3_h: Decimal | None = number(AIRFLOW_M3_H, None)
    coolant: str = choice(tuple(COOLANTS), "pg25")
    coolant_rise_k: Decimal = number(COOLANT_RISE_K, 10)
    coolant_supply_c: Decimal | None = number(COOLANT_SUPPLY_C, None)
    feed: Feed | None = part(Feed, about="The circuits that supply the rack.")
    limits: CoolingLimits = part(CoolingLimits, CoolingLimits(), "Where each method of cooling ends, in kW a rack.")
    door: RearDoor | None = part(RearDoor, about="A rear door with water.")
    lines: tuple[Line, ...] = field(init=False)

    def __post_init__(self) -> None:
        problems = problems_of(self)
        if not any(each.field == "items" for each in problems):
            try:
                object.__setattr__(self, "lines", _checked_lines(self.items))
            except InvalidParameters as error:
                problems += error.problems
        supply, rise = self.coolant_supply_c, self.coolant_rise_k
        if supply is not None and not problems and supply + rise > COOLANT_TEMPERATURE_C.high:  # type: ignore[operator]
            message = f"coolant_supply_c is {supply}; with {rise} K it leaves above {COOLANT_TEMPERATURE_C.high} °C."
            problems.append(Problem("coolant_supply_c", "conflict", message))
        raise_for(problems)


def _checked_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    count = sum(line.quantity for line in lines)
    if count > DEVICES_MAX:
        raise_for([Problem("items", "too_many", f"items has {count} devices; {DEVICES_MAX} is the most for a rack.")])
    return merged(lines)
