"""What one device takes of a rack, by the engine's own functions, and why a device cannot be used at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulator.engine import air, heat, power, weight
from simulator.engine.devices import Line
from simulator.engine.errors import Problem
from simulator.engine.inputs import DEVICES_MAX
from simulator.engine.numbers import precise
from simulator.planning.inputs import Candidate, PlanInput


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of one rack, given as `field` of the input.

    `capacity` is what is left of `given` for candidates; `of_whole` is what holds for a device that is a rack.
    """

    name: str
    field: str
    unit: str
    given: Decimal
    capacity: Decimal
    of_whole: Decimal | None
    what: str


@dataclass(frozen=True, slots=True)
class Part:
    """A candidate in numbers: what one of it takes of each limit, by name, and what counts beyond its rack."""

    slug: str
    takes: Mapping[str, Decimal]
    accelerators: int
    power_kw: Decimal
    price: Decimal
    available: int | None
    is_whole_rack: bool
    has_price: bool
    has_power: bool


@dataclass(frozen=True, slots=True)
class Unusable:
    """A device that no rack of this plan can hold, or that gives nothing, with the reason."""

    device: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Base:
    """What a rack takes before a candidate stands in it: the devices of every rack, and its own price."""

    power_kw: Decimal
    price: Decimal


@dataclass(frozen=True, slots=True)
class Choice:
    """What there is to choose from."""

    limits: tuple[Limit, ...]
    parts: tuple[Part, ...]
    base: Base
    unusable: tuple[Unusable, ...]


Measure = Callable[[Line], Decimal | None]


def choices(given: PlanInput) -> Choice:
    """Return the limits of a rack, and the candidates that fit into one."""
    with precise():
        measures = _measures(given)
        limits = _limits(given, measures)
        made = [_part(given, candidate, limits, measures) for candidate in given.devices]
        parts = [each for each in made if isinstance(each, Part)]
        unusable = [each for each in made if isinstance(each, Unusable)]
        drawn = sum((measures["power_kw"](line) or Decimal(0) for line in given.each_rack), Decimal(0))
        return Choice(limits, tuple(parts), Base(drawn, given.rack_price), tuple(unusable))


def unsaid(given: PlanInput) -> list[Problem]:
    """Return what the devices of each rack do not say and a limit holds for: unknown is not nothing.

    `field` is the slug of the device.
    """
    with precise():
        measures = _measures(given)
        whats = {limit.name: limit.what for limit in _limits(given, measures)}
        if given.site_power_max_kw is not None or given.rows.power_max_kw is not None:
            whats.setdefault("power_kw", "the power of the site or the row")
        return [
            Problem(slug, f"unknown_{name}", f"{slug} does not say its {_told(given, name)}, and {what} is limited.")
            for line in given.each_rack
            for slug in [line.device.slug]
            for name, what in whats.items()
            if measures[name](line) is None
        ]


def _measures(given: PlanInput) -> dict[str, Measure]:
    """Return what each limit measures of a line of devices; None where the device does not say."""
    density = air.air_density_kg_m3(air.air_pressure_pa(given.altitude_m), given.inlet_c)

    def airflow(line: Line) -> Decimal | None:
        kw = heat.heat_streams((line,), given.basis).air.value
        return None if kw is None else air.airflow_m3_h(kw, density_kg_m3=density, rise_k=given.air_rise_k)

    def height(line: Line) -> Decimal | None:
        return None if line.device.height_u is None else line.device.height_u * line.quantity

    return {
        "units": height,
        "power_kw": lambda line: power.rack_power_kw((line,), given.basis).value,
        "weight_kg": lambda line: weight.equipment_weight_kg((line,)).value,
        "airflow_m3_h": airflow,
        "devices": lambda line: Decimal(line.quantity),
    }


def _limits(given: PlanInput, measures: Mapping[str, Measure]) -> tuple[Limit, ...]:
    """Return the limits that hold, each less what stands in every rack."""
    rack, power, floor = given.rack, power_of_rack(given), carried_by_floor(given)
    weights = [floor] if floor else []
    if rack.max_kg is not None:
        weights.append(("rack.max_kg", rack.max_kg))
    weight_field, weight_kg = min(weights, key=lambda each: each[1], default=("", None))
    power_field, power_kw = power or ("", None)
    airflow = given.rack_airflow_max_m3_h
    wanted: list[tuple[str, str, str, Decimal | None, Decimal | None, str]] = [
        ("units", "rack.units", "U", Decimal(rack.units), None, "the height of the rack"),
        ("power_kw", power_field, "kW", power_kw, power_kw, "the power of a rack"),
        ("weight_kg", weight_field, "kg", weight_kg, floor[1] if floor else None, "what rack and floor carry"),
        ("airflow_m3_h", "rack_airflow_max_m3_h", "m³/h", airflow, airflow, "the air of a rack"),
        ("devices", "each_rack", "devices", _devices_max(given), None, "the devices that a report of a rack has"),
    ]
    found = []
    for name, field, unit, limit, of_whole, what in wanted:
        if limit is not None:
            fixed = sum((measures[name](line) or Decimal(0) for line in given.each_rack), Decimal(0))
            fixed += (rack.tare_kg or Decimal(0)) if name == "weight_kg" else Decimal(0)
            found.append(Limit(name, field, unit, limit, limit - fixed, of_whole, what))
    return tuple(found)


def power_of_rack(given: PlanInput) -> tuple[str, Decimal] | None:
    """Return the least power that a rack may have, in kW, and the field that says so: a rack stands in one row."""
    found = [("rack_power_max_kw", given.rack_power_max_kw), ("rows.power_max_kw", given.rows.power_max_kw)]
    return min(((name, kw) for name, kw in found if kw is not None), key=lambda each: each[1], default=None)


def carried_by_floor(given: PlanInput) -> tuple[str, Decimal] | None:
    """Return what the floor carries of one rack, in kg, the rack included, and the field that says so."""
    rack, found = given.rack, []
    if given.rack_weight_max_kg is not None:
        found.append(("rack_weight_max_kg", given.rack_weight_max_kg))
    if rack.floor_max_kg_m2 is not None and rack.footprint_m2 is not None:
        found.append(("rack.floor_max_kg_m2", rack.floor_max_kg_m2 * rack.footprint_m2))
    return min(found, key=lambda each: each[1], default=None)


def _devices_max(given: PlanInput) -> Decimal | None:
    """Return how many devices a report of a rack has at the most, where its height does not keep them fewer."""
    fixed = sum(line.quantity for line in given.each_rack)
    are_flat = any(each.device.height_u == 0 for each in given.devices)
    return Decimal(DEVICES_MAX) if are_flat or fixed + 2 * given.rack.units > DEVICES_MAX else None


def _part(
    given: PlanInput, candidate: Candidate, limits: tuple[Limit, ...], measures: Mapping[str, Measure]
) -> Part | Unusable:
    device = candidate.device
    line = Line(device, 1)
    if not device.accelerators_count:
        said = (
            "does not say how many accelerators it has" if device.accelerators_count is None else "has no accelerator"
        )
        return Unusable(device.slug, "no_accelerators", f"{device.slug} {said}.")
    holding = [
        (limit, capacity)
        for limit in limits
        if (capacity := limit.of_whole if device.is_whole_rack else limit.capacity) is not None
    ]
    drawn = measures["power_kw"](line)
    silence = _silence(given, candidate, [limit for limit, _ in holding], measures)
    if silence is not None:
        return silence
    takes: dict[str, Decimal] = {}
    for limit, capacity in holding:
        value = measures[limit.name](line)
        assert value is not None  # It was not silent.
        if value > capacity:
            message = (
                f"One {device.slug} takes {_short(value)} {limit.unit} of {limit.what}; "
                f"{_short(max(capacity, Decimal(0)))} {limit.unit} are free."
            )
            return Unusable(device.slug, f"{limit.name}_exceeded", message)
        takes[limit.name] = value
    return Part(
        slug=device.slug,
        takes=takes,
        accelerators=int(device.accelerators_count),
        power_kw=drawn or Decimal(0),
        price=candidate.price or Decimal(0),
        available=candidate.available,
        is_whole_rack=device.is_whole_rack,
        has_price=candidate.price is not None,
        has_power=drawn is not None,
    )


def _silence(
    given: PlanInput, candidate: Candidate, limits: Sequence[Limit], measures: Mapping[str, Measure]
) -> Unusable | None:
    """Return what a device does not say and is counted, before what it takes too much of: no wider limit tells it."""
    device, line = candidate.device, Line(candidate.device, 1)
    whats = {limit.name: limit.what for limit in limits}
    if given.site_power_max_kw is not None or given.rows.power_max_kw is not None:
        whats.setdefault("power_kw", "the power of the site or the row")
    for name, what in whats.items():
        if measures[name](line) is None:
            message = f"{device.slug} does not say its {_told(given, name)}, and {what} is limited."
            return Unusable(device.slug, f"unknown_{name}", message)
    if candidate.price is None and given.counts_money:
        return Unusable(device.slug, "unknown_price", f"{device.slug} has no price, and cost is counted.")
    return None


def _told(given: PlanInput, name: str) -> str:
    return f"{given.basis} power" if name == "power_kw" else name


def _short(value: Decimal) -> str:
    return f"{value:.6g}"
