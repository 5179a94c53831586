"""What a report warns of: the `warnings` of the public interface. The codes are part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.amounts import Total
from simulator.engine.climate import air_class, coolant_class_max_c
from simulator.engine.cooling import Method
from simulator.engine.devices import Line
from simulator.engine.door import DEW_POINT_MARGIN_K
from simulator.engine.inputs import RackInput
from simulator.engine.space import Layout, devices_per_rack, racks_needed

WARNINGS = {
    "does_not_fit": "Some devices find no place in the rack.",
    "whole_rack_not_alone": "A device that is a whole rack shares its place with others.",
    "height_unknown": "The height of some devices is unknown, so they are not in the elevation.",
    "power_unknown": "The power of some devices is unknown on the chosen basis or at nameplate.",
    "weight_unknown": "The weight of some devices is unknown.",
    "cold_plates_unknown": "Some devices do not say whether they have cold plates; their heat counts as air.",
    "over_weight": "The rack weighs more than it carries.",
    "over_floor": "The rack puts more on the floor than that carries.",
    "door_below_dew_point": "The water of the rear door is less than 2 °C above the dew point.",
    "coolant_above_class": "The coolant is warmer than the class of the cold plates allows.",
    "feed_overloaded": "The load is more than the feed may carry continuously.",
    "inlet_outside_recommended": "The inlet temperature is outside the recommended range.",
    "inlet_outside_allowable": "The inlet temperature is outside the allowable range of the class at this altitude.",
    "altitude_above_class": "The site is higher than the equipment class allows.",
    "no_method": "No method is known to be feasible.",
}


LITTLE_GIVEN = "little_given"
LITTLE_GIVEN_ABOUT = "So little is given that most of the report is unknown; the message says what could be given."


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader should know; `devices` are slugs, `code` one of WARNINGS."""

    code: str
    message: str
    devices: tuple[str, ...] = ()


def space_notices(lines: Sequence[Line], layout: Layout, units: int) -> Iterable[Notice]:
    """Name what found no place, and how many racks it would take; what is a whole rack; what has no known height."""
    by_slug = {line.device.slug: line for line in lines}
    left = [by_slug[slug] for slug, _ in layout.left]
    if any(line.device.is_whole_rack for line in left):
        names = tuple(line.device.slug for line in left if line.device.is_whole_rack)
        message = f"A whole rack stands alone, one in its place: {', '.join(names)}."
        yield Notice("whole_rack_not_alone", message, names)
    if layout.left:
        counts = dict(layout.left)
        parts = [_shortage(line, counts[line.device.slug], units) for line in left]
        yield Notice("does_not_fit", " ".join(parts), tuple(line.device.slug for line in left))
    unknown = tuple(
        line.device.slug for line in lines if line.device.height_u is None and not line.device.is_whole_rack
    )
    if unknown:
        yield Notice(
            "height_unknown", f"The height is unknown of {', '.join(unknown)}; they have no place yet.", unknown
        )


def _shortage(line: Line, left: int, units: int) -> str:
    slug, quantity = line.device.slug, line.quantity
    found = f"No place for {left} of {quantity} {slug}"
    per_rack = devices_per_rack(line.device, units)
    if per_rack == 0:
        return f"{found}: {line.device.height_u} U is taller than a rack of {units} U."
    if per_rack is None:
        return f"{found}."
    racks = racks_needed(quantity, per_rack)
    return f"{found}: by themselves they take {racks} {'rack' if racks == 1 else 'racks'} of {units} U."


def unknown_notices(
    given: RackInput, power: Total, nameplate: Total, weight: Total, unsaid: tuple[str, ...]
) -> Iterable[Notice]:
    """Name the devices that make a total unknown."""
    lacking = tuple(sorted({*power.unknown, *nameplate.unknown}))
    if lacking:
        bases = "nameplate" if given.basis == "nameplate" else f"{given.basis} or nameplate"
        yield Notice("power_unknown", f"The {bases} power is unknown of {', '.join(lacking)}.", lacking)
    if weight.unknown:
        yield Notice("weight_unknown", f"The weight is unknown of {', '.join(weight.unknown)}.", weight.unknown)
    if unsaid:
        message = f"Not said whether they have cold plates, so all of their heat counts as air: {', '.join(unsaid)}."
        yield Notice("cold_plates_unknown", message, unsaid)


def weight_notices(given: RackInput, total_kg: Total) -> Iterable[Notice]:
    """Warn of a rack that is heavier, as far as is known, than it carries."""
    if given.rack.max_kg is not None and total_kg.floor > given.rack.max_kg:
        names = tuple(line.device.slug for line in given.lines)
        at_least = "" if total_kg.value is not None else "at least "
        message = f"It weighs {at_least}{total_kg.floor:,.1f} kg; the rack carries {given.rack.max_kg:,.1f} kg in all."
        yield Notice("over_weight", message, names)


def floor_notices(given: RackInput, floor: Total | None) -> Iterable[Notice]:
    """Warn of a rack that puts more on the floor, as far as is known, than that carries."""
    limit = given.rack.floor_max_kg_m2
    if limit is not None and floor is not None and floor.floor > limit:
        names = tuple(line.device.slug for line in given.lines)
        at_least = "" if floor.value is not None else "at least "
        message = f"It puts {at_least}{floor.floor:,.1f} kg/m² on the floor, which carries {limit:,.1f} kg/m²."
        yield Notice("over_floor", message, names)


def door_notices(given: RackInput) -> Iterable[Notice]:
    """Warn of water on which the moisture of the air would condense."""
    door = given.door
    if door is not None and door.dew_point_c is not None and door.water_in_c < door.dew_point_c + DEW_POINT_MARGIN_K:
        message = f"Water of {door.water_in_c} °C; at a dew point of {door.dew_point_c} °C it should not be below "
        yield Notice("door_below_dew_point", f"{message}{door.dew_point_c + DEW_POINT_MARGIN_K} °C.")


def coolant_notices(given: RackInput) -> Iterable[Notice]:
    """Warn of coolant that is warmer than the cold plates are built for."""
    if message := coolant_too_warm(given):
        yield Notice("coolant_above_class", message)


def coolant_too_warm(given: RackInput) -> str:
    """Return why the coolant may not be supplied as it is; empty where it may, or where no class was given."""
    name, supply = given.limits.coolant_class, given.coolant_supply_c
    if name is None or supply is None or supply <= coolant_class_max_c(name):
        return ""
    return f"Coolant of {supply} °C; ASHRAE class {name} ends at {coolant_class_max_c(name)} °C."


def air_too_warm(given: RackInput, allowable_max_c: Decimal) -> str:
    """Return why the air that comes in may not cool the equipment; empty where it may."""
    if given.inlet_c <= allowable_max_c:
        return ""
    name = given.limits.air_class
    return f"Air of {given.inlet_c} °C; ASHRAE class {name} ends at {allowable_max_c:,.1f} °C at {given.altitude_m} m."


def feed_notices(given: RackInput, load_kva: Total, usable: Decimal, ok: bool | None) -> Iterable[Notice]:
    """Warn of a load above what the feed may carry."""
    if ok is False:
        names = tuple(line.device.slug for line in given.lines)
        message = f"The load is {load_kva.floor:,.2f} kVA or more; {usable:,.2f} kVA may be used continuously."
        yield Notice("feed_overloaded", message, names)


def climate_notices(given: RackInput, allowable_max_c: Decimal) -> Iterable[Notice]:
    """Warn of an inlet temperature or an altitude that the equipment is not built for."""
    allowed, recommended = air_class(given.limits.air_class), air_class("recommended")
    inlet = given.inlet_c
    if not allowed.min_c <= inlet <= allowable_max_c:
        message = (
            f"{inlet} °C is outside the allowable {allowed.min_c} to {allowable_max_c:,.1f} °C of ASHRAE class "
            f"{allowed.name} at {given.altitude_m} m."
        )
        yield Notice("inlet_outside_allowable", message)
    elif not recommended.min_c <= inlet <= recommended.max_c:
        message = f"{inlet} °C is outside the recommended {recommended.min_c} to {recommended.max_c} °C (ASHRAE)."
        yield Notice("inlet_outside_recommended", message)
    if given.altitude_m > allowed.max_altitude_m:
        message = (
            f"ASHRAE class {allowed.name} ends at {allowed.max_altitude_m} m; the site is at {given.altitude_m} m."
        )
        yield Notice("altitude_above_class", message)


def cooling_notices(given: RackInput, methods: Sequence[Method]) -> Iterable[Notice]:
    """Warn where nothing is known to cool the rack."""
    if not any(method.feasible for method in methods):
        names = tuple(line.device.slug for line in given.lines)
        yield Notice("no_method", "No method is known to be feasible; the reasons stand with the methods.", names)
