"""How a rack can be cooled: the rule of thumb of the trade, and beside it what is feasible, by how much, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from operator import itemgetter

from simulator.engine.amounts import Total, fraction, remainder
from simulator.engine.climate import AIR_CLASSES, COOLANT_CLASSES
from simulator.engine.devices import Line
from simulator.engine.electrical import carries
from simulator.engine.heat import Streams
from simulator.engine.numbers import Range
from simulator.engine.parameters import check, choice, number
from simulator.engine.trace import Quantity

LIMIT_KW = Range("kW", low=Decimal("0.1"), high=100_000)

RULE_OF_THUMB = (
    ("air", Decimal(0), Decimal(15)),
    ("transition", Decimal(15), Decimal(30)),
    ("direct_to_chip", Decimal(30), Decimal(60)),
    ("immersion", Decimal(60), None),
)
"""Look-up: the bands of density at nameplate, in kW a rack, by which the trade press sorts racks; lower bound included.
Other sets are in print (Network World of 2026-03-25: air to about 20, doors to about 100, liquid above 175 kW), which
is why it is shown beside the physics and decides nothing."""

REAR_DOORS_MAX_KW = (Decimal(35), Decimal(55), Decimal(75))
"""Look-up: upper ends of the capacity bands of rear doors on sale, in kW. Coolnet, "How much heat can a rear door heat
exchanger remove", 2026, citing HPE's QuickSpecs."""

METHODS = ("air", "rear_door", "direct_to_chip", "immersion")

RULE = Quantity(
    "rule_of_thumb",
    "kW",
    "the band of nameplate_kw: air [0, 15), transition [15, 30), direct_to_chip [30, 60), immersion [60, ∞)",
    "Rule of thumb of the trade press, by density at nameplate; other sets of bands are in print",
)
LIMITS = {
    "air": Quantity(
        "air_limit_kw",
        "kW",
        "air_density_kg_m3 · 1005 · air_rise_k · airflow_available_m3_h / 3600 / 1000",
        "Steady-flow energy balance (Çengel & Boles, Thermodynamics, ch. 5)",
        False,
    ),
    "rear_door": Quantity(
        "rear_door_limit_kw",
        "kW",
        "rear_door_max_kw, or rear_door_capacity_kw where that is lower",
        "Parameter; its default is the largest band on sale (Coolnet, 2026, citing HPE's QuickSpecs)",
        False,
    ),
    "direct_to_chip": Quantity(
        "direct_to_chip_limit_kw",
        "kW",
        "the lower of direct_to_chip_max_kw / liquid_fraction and air_limit_kw / air_fraction",
        "Parameter; its default is the cold-plate cabinet measured in the Green500 of June 2022 (19.2 PFlop/s at "
        "62.8 GFlop/s/W)",
        False,
    ),
    "immersion": Quantity(
        "immersion_limit_kw",
        "kW",
        "immersion_max_kw",
        "Parameter; its default is the largest tank of Edarat Group's guide to liquid cooling (60 to 300 kW a tank)",
    ),
}
MARGINS = {
    method: Quantity(f"{method}_margin_kw", "kW", f"{limit.name} − density_kw", "Definition", limit.is_exact)
    for method, limit in LIMITS.items()
}


@dataclass(frozen=True, slots=True)
class CoolingLimits:
    """Where each method ends, in kW a rack; the sources of the defaults stand with the quantities above.

    `air_class` is the ASHRAE class that the inlet is judged by; A2 is what volume servers are built for.
    """

    rear_door_max_kw: Decimal = number(LIMIT_KW, REAR_DOORS_MAX_KW[-1])
    direct_to_chip_max_kw: Decimal = number(LIMIT_KW, "305.7")
    immersion_max_kw: Decimal = number(LIMIT_KW, 300)
    air_class: str = choice(tuple(AIR_CLASSES), "A2", "The ASHRAE class that the inlet is judged by.")
    coolant_class: str | None = choice(
        tuple(COOLANT_CLASSES), None, "The ASHRAE class that the supply of the coolant is judged by."
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to cool a rack. `feasible` is None where it cannot be said; `limit_kw` None where nothing limits it or
    the limit is unknown. `limited_by` names the parameter that `limit_kw` comes from.
    """

    method: str
    feasible: bool | None
    limit_kw: Decimal | None
    margin_kw: Decimal | None
    reason: str
    limited_by: str | None = None


@dataclass(frozen=True)
class CoolingQuestion:
    """What the methods are judged by: the heat of the rack on its basis, where it goes, and what limits there are.

    `air_limit_kw` is the heat that the airflow at hand carries, None where no airflow was given; `door_capacity_kw`
    what the rack's own rear door takes of its air, None where no door was given. `air_too_warm` and `coolant_too_warm`
    say why the equipment may not be cooled by what arrives, and are empty where it may.
    """

    lines: Sequence[Line]
    heat: Total
    streams: Streams
    limits: CoolingLimits
    air_limit_kw: Decimal | None
    airflow_m3_h: Total
    door_capacity_kw: Decimal | None = None
    air_too_warm: str = ""
    coolant_too_warm: str = ""

    @cached_property
    def plated(self) -> list[str]:
        """The devices that have cold plates, by slug."""
        return [line.device.slug for line in self.lines if line.device.cold_plates and not line.device.is_power_path]

    @property
    def unsaid_racks(self) -> list[str]:
        """The devices that are whole racks and do not say whether they have cold plates, by slug.

        A server that says nothing is taken to be cooled by air, as servers are; of a whole rack nothing is usual: those
        for accelerators mostly have cold plates.
        """
        return [
            line.device.slug
            for line in self.lines
            if line.device.is_whole_rack and line.device.slug in self.streams.unsaid
        ]


def rule_of_thumb(nameplate: Total) -> str | None:
    """Return the band of a density at nameplate, in kW a rack; None if the unknown part could move it to another band.

    Valid for any power. Source: the look-up RULE_OF_THUMB.
    """
    at_least = nameplate.value if nameplate.value is not None else nameplate.floor
    for name, low, high in RULE_OF_THUMB:
        if at_least >= low and (high is None or at_least < high):
            return name if nameplate.value is not None or high is None else None
    return None


def agrees(rule: str | None, methods: Sequence[Method]) -> bool | None:
    """Return whether the method of the rule of thumb is among the feasible ones; None without a rule.

    For `transition` that is air or a rear door. Source: definition.
    """
    if rule is None:
        return None
    wanted = ("air", "rear_door") if rule == "transition" else (rule,)
    return any(method.feasible is True for method in methods if method.method in wanted)


def smallest_rear_door_kw(heat_kw: Decimal) -> Decimal | None:
    """Return the upper end, in kW, of the smallest band of rear doors that takes the heat; None if none does.

    Valid for any heat. Source: the look-up REAR_DOORS_MAX_KW.
    """
    return next((door for door in REAR_DOORS_MAX_KW if heat_kw <= door), None)


def binding_limit(methods: Sequence[Method]) -> str | None:
    """Return the parameter with the least margin, of the methods that are feasible or fail by it; None without one.

    A method that nothing can be said of binds nothing. Source: definition; of equal margins the first of the methods.
    """
    margins = [
        (each.margin_kw, each.limited_by)
        for each in methods
        if each.feasible is not None and each.limited_by and each.margin_kw is not None
    ]
    return min(margins, key=itemgetter(0))[1] if margins else None


def cooling_methods(question: CoolingQuestion) -> tuple[Method, ...]:
    """Return the four methods, each judged for all of the rack's heat."""
    judged = (_air(question), _rear_door(question), _direct_to_chip(question), _immersion(question))
    return tuple(_at_its_temperature(question, method) for method in judged)


def _at_its_temperature(question: CoolingQuestion, method: Method) -> Method:
    """Return a method that carries the heat as one that does not cool, where its air or coolant is too warm."""
    if method.feasible is False or method.method == "immersion":
        return method
    is_liquid = method.method == "direct_to_chip"
    reason = question.air_too_warm if not is_liquid or question.streams.air.floor > 0 else ""
    reason = reason or (question.coolant_too_warm if is_liquid else "")
    return replace(method, feasible=False, reason=reason) if reason else method


def _air(question: CoolingQuestion) -> Method:
    if question.plated:
        return Method("air", False, None, None, f"Cold plates need liquid: {_names(question.plated)}.")
    limit = question.air_limit_kw
    feasible = _carries(limit, question.heat)
    flow = question.airflow_m3_h.value
    if feasible is None:
        reason = _unknown_heat(question.heat)
    elif feasible and question.unsaid_racks:
        feasible, reason = None, _unsaid_plates(question.unsaid_racks)
    elif limit is None:
        reason = f"Takes {flow:,.0f} m³/h; no limit was given (airflow_available_m3_h)."
    elif feasible:
        reason = f"The airflow at hand carries {limit:,.1f} kW."
    else:
        reason = f"The airflow at hand carries only {limit:,.1f} kW."
    return Method(
        "air", feasible, limit, _margin(limit, question.heat), reason, "airflow_available_m3_h" if limit else None
    )


def _rear_door(question: CoolingQuestion) -> Method:
    if question.plated:
        return Method("rear_door", False, None, None, f"Cold plates need liquid: {_names(question.plated)}.")
    limit, limited_by = question.limits.rear_door_max_kw, "rear_door_max_kw"
    if question.door_capacity_kw is not None and question.door_capacity_kw < limit:
        limit, limited_by = question.door_capacity_kw, "door"
    feasible = _carries(limit, question.heat)
    door = None if question.heat.value is None else smallest_rear_door_kw(question.heat.value)
    if feasible is None:
        reason = _unknown_heat(question.heat)
    elif not feasible:
        which = "The largest door" if limited_by == "rear_door_max_kw" else "With its water and this air the door"
        reason = f"{which} takes {limit:,.1f} kW."
    elif question.unsaid_racks:
        feasible, reason = None, _unsaid_plates(question.unsaid_racks)
    elif door is None:
        reason = f"A door of {limit:,.1f} kW takes it."
    else:
        reason = f"A door of the class up to {door:,.0f} kW takes it."
    return Method("rear_door", feasible, limit, _margin(limit, question.heat), reason, limited_by)


def _direct_to_chip(question: CoolingQuestion) -> Method:
    streams = question.streams
    if not question.plated:
        if streams.unsaid:
            return Method("direct_to_chip", None, None, None, _unsaid_plates(streams.unsaid))
        return Method("direct_to_chip", False, None, None, "No device has cold plates.")
    by_liquid = _carries(question.limits.direct_to_chip_max_kw, streams.liquid)
    by_air = _carries(question.air_limit_kw, streams.air)
    if by_air is False and _carries(question.air_limit_kw, streams.certain_air) is not False:
        by_air = None  # Too much air only if all that is not said goes there.
    limit, limited_by = _direct_to_chip_limit(question)
    if by_liquid is False:
        reason = f"The loop takes {question.limits.direct_to_chip_max_kw:,.1f} kW."
    elif by_air is False:
        reason = f"The heat that is left to the air is more than the {question.air_limit_kw:,.1f} kW it carries."
    elif by_liquid is None or by_air is None:
        unknown = sorted({*streams.liquid.unknown, *streams.air.unknown})
        reason = f"The heat to liquid and air is not known of {_names(unknown)}."
    else:
        reason = f"Cold plates take {streams.liquid.value:,.1f} kW; {streams.air.value:,.1f} kW are left to the air."
    feasible = False if False in (by_liquid, by_air) else None if None in (by_liquid, by_air) else True
    return Method("direct_to_chip", feasible, limit, _margin(limit, question.heat), reason, limited_by)


def _direct_to_chip_limit(question: CoolingQuestion) -> tuple[Decimal | None, str | None]:
    """Return the load of the rack, in kW, at which the loop or the air ends if the split stays as it is."""
    heat, liquid, air = question.heat.value, question.streams.liquid.value, question.streams.air.value
    if not heat or not liquid or air is None:
        return None, None
    candidates = [(question.limits.direct_to_chip_max_kw / fraction(liquid, heat), "direct_to_chip_max_kw")]
    if question.air_limit_kw is not None and air:
        candidates.append((question.air_limit_kw / fraction(air, heat), "airflow_available_m3_h"))
    return min(candidates)


def _immersion(question: CoolingQuestion) -> Method:
    said = {line.device.slug: line.device.is_immersible for line in question.lines}
    if refused := [slug for slug, immersible in said.items() if immersible is False]:
        return Method("immersion", False, None, None, f"Not built for immersion: {_names(refused)}.")
    limit = question.limits.immersion_max_kw
    feasible = _carries(limit, question.heat)
    unsaid = [slug for slug, immersible in said.items() if immersible is None]
    if feasible is False:
        reason = f"The largest tank takes {limit:,.1f} kW."
    elif unsaid:
        feasible, reason = None, f"Not said whether it may be immersed: {_names(unsaid)}."
    elif feasible is None:
        reason = _unknown_heat(question.heat)
    else:
        reason = f"A tank of {limit:,.1f} kW takes it."
    return Method("immersion", feasible, limit, _margin(limit, question.heat), reason, "immersion_max_kw")


def _carries(limit: Decimal | None, heat: Total) -> bool | None:
    """Return whether `limit` takes the heat; without a limit (None) any heat that is known is taken."""
    if limit is None:
        return True if heat.value is not None else None
    return carries(limit, heat.floor, heat.value)


def _margin(limit: Decimal | None, heat: Total) -> Decimal | None:
    return None if limit is None or heat.value is None else remainder(limit, heat.value)


def _unknown_heat(heat: Total) -> str:
    return f"The heat is not known of {_names(heat.unknown)}."


def _unsaid_plates(slugs: Sequence[str]) -> str:
    return f"Not said whether they have cold plates: {_names(slugs)}."


def _names(slugs: Sequence[str]) -> str:
    return ", ".join(slugs)
