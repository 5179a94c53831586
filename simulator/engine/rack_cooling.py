"""The cooling section of a rack report."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine import air, climate, coolant, cooling, door, heat, notices
from simulator.engine.amounts import fraction
from simulator.engine.inputs import RackInput
from simulator.engine.report import Cooling, CoolingAtLeast, CoolingMethod
from simulator.engine.run import Run, lower_bound
from simulator.engine.units import convert


def cooling_section(run: Run) -> Cooling:
    given = run.given
    streams = heat.heat_streams(run.lines, given.basis)
    density = _air_density(run)
    allowable = _inlet_max(run)
    airflow = streams.air.through(lambda kw: air.airflow_m3_h(kw, density_kg_m3=density, rise_k=given.air_rise_k))
    cfm = airflow.through(lambda flow: convert(flow, "m3_h", "cfm"))
    fluid = _coolant(given)
    flow = streams.liquid.through(lambda kw: coolant.coolant_flow_l_min(kw, coolant=fluid, rise_k=given.coolant_rise_k))
    air_limit = None
    if given.airflow_available_m3_h is not None:
        air_limit = air.heat_carried_kw(given.airflow_available_m3_h, density_kg_m3=density, rise_k=given.air_rise_k)
    capacity = _door_capacity(run, airflow.value, density)
    question = cooling.CoolingQuestion(
        run.lines,
        run.heat,
        streams,
        given.limits,
        air_limit,
        airflow,
        capacity,
        notices.air_too_warm(given, allowable),
        notices.coolant_too_warm(given),
    )
    judged = cooling.cooling_methods(question)
    liquid_kw, air_kw = _streams(run, streams)
    airflow_shown = run.shown(
        air.AIRFLOW, airflow, air_heat_kw=streams.air.value, air_density_kg_m3=density, air_rise_k=given.air_rise_k
    )
    cfm_shown = run.shown(air.AIRFLOW_CFM, cfm, airflow_m3_h=airflow.value)
    flow_shown = run.trace.record_from(
        coolant.COOLANT_FLOW,
        flow.value,
        {
            "liquid_heat_kw": streams.liquid.value,
            "density_kg_m3": fluid.density_kg_m3,
            "heat_capacity_j_kg_k": fluid.heat_capacity_j_kg_k,
            "coolant_rise_k": given.coolant_rise_k,
        },
        source=f"{coolant.COOLANT_FLOW.source}; {fluid.name}: {fluid.source}",
    )
    rule = cooling.rule_of_thumb(run.nameplate)
    run.trace.record(cooling.RULE, run.nameplate.value, nameplate_kw=run.nameplate.value)
    made_of = _limits(run, density, streams, capacity)
    methods = tuple(_method(run, method, made_of[method.method]) for method in judged)
    run.warnings += notices.cooling_notices(given, judged)
    run.warnings += notices.door_notices(given)
    run.warnings += notices.coolant_notices(given)
    unknown = tuple(sorted({*streams.air.unknown, *streams.liquid.unknown}))
    at_least = CoolingAtLeast(
        lower_bound(heat.AIR_HEAT, streams.air),
        lower_bound(heat.LIQUID_HEAT, streams.liquid),
        lower_bound(air.AIRFLOW, airflow),
        lower_bound(air.AIRFLOW_CFM, cfm),
        lower_bound(coolant.COOLANT_FLOW, flow),
    )
    return Cooling(
        rule_of_thumb=rule,
        agrees=cooling.agrees(rule, judged),
        methods=methods,
        binding_limit=cooling.binding_limit(judged),
        air_heat_kw=air_kw,
        liquid_heat_kw=liquid_kw,
        airflow_m3_h=airflow_shown,
        airflow_cfm=cfm_shown,
        coolant_l_min=flow_shown,
        at_least=at_least if unknown else None,
        unknown=unknown,
    )


def _coolant(given: RackInput) -> coolant.Coolant:
    """Return the coolant at the mean of supply and return; without a supply at its reference temperature."""
    if given.coolant_supply_c is None:
        return coolant.COOLANTS[given.coolant]
    return coolant.coolant_at(given.coolant, given.coolant_supply_c + given.coolant_rise_k / 2)


def _door_capacity(run: Run, airflow_m3_h: Decimal | None, density: Decimal) -> Decimal | None:
    """Return what the rack's own door takes of its air in kW; None without a door, or where the flow is unknown."""
    given = run.given
    if given.door is None:
        return None
    capacity = None
    if airflow_m3_h is not None:
        # A rack that gives off next to no heat moves next to no air.
        flow = max(airflow_m3_h, Decimal(1))
        capacity = door.door_capacity_kw(
            given.door, airflow=flow, density_kg_m3=density, air_c=given.inlet_c + given.air_rise_k
        )
    inputs = {
        "conductance_kw_k": given.door.conductance_kw_k,
        "water_in_c": given.door.water_in_c,
        "water_l_min": given.door.water_l_min,
        "airflow_m3_h": airflow_m3_h,
        "air_density_kg_m3": density,
        "inlet_c": given.inlet_c,
        "air_rise_k": given.air_rise_k,
    }
    run.trace.record_from(door.DOOR_CAPACITY, capacity, inputs)
    return capacity


def _air_density(run: Run) -> Decimal:
    """Return the density of the air that comes in."""
    given = run.given
    pressure = air.air_pressure_pa(given.altitude_m)
    density = air.air_density_kg_m3(pressure, given.inlet_c)
    run.trace.record(air.AIR_PRESSURE_PA, pressure, altitude_m=given.altitude_m)
    run.trace.record(air.AIR_DENSITY, density, air_pressure_pa=pressure, inlet_c=given.inlet_c)
    return density


def _inlet_max(run: Run) -> Decimal:
    """Return the warmest air in °C that the equipment is built for at this altitude, and judge what comes in."""
    given = run.given
    built_for = climate.air_class(given.limits.air_class)
    allowable = climate.derated_max_c(
        built_for.max_c,
        altitude_m=given.altitude_m,
        start_m=built_for.start_m,
        metres_per_c=built_for.metres_per_c,
    )
    run.trace.record(
        climate.INLET_MAX_C,
        allowable,
        class_max_c=built_for.max_c,
        altitude_m=given.altitude_m,
        start_m=built_for.start_m,
        metres_per_c=built_for.metres_per_c,
    )
    run.warnings += notices.climate_notices(given, allowable)
    return allowable


def _streams(run: Run, streams: heat.Streams) -> tuple[Decimal | None, Decimal | None]:
    inputs = [*run.parts(f"power_{run.given.basis}_w"), *run.each("heat_to_liquid_fraction")]
    liquid = run.trace.record_told(heat.LIQUID_HEAT, streams.liquid.value, inputs)
    known = streams.liquid.value if streams.liquid.value is not None else streams.liquid.at_least
    air_kw = run.shown(heat.AIR_HEAT, streams.air, density_kw=run.heat.value, liquid_heat_kw=known)
    whole = run.heat.value
    for quantity, part in ((heat.LIQUID_FRACTION, streams.liquid.value), (heat.AIR_FRACTION, streams.air.value)):
        # While the liquid share is unknown, the air has no known share either: it is an upper bound.
        if whole and part is not None and streams.liquid.value is not None:
            name = "liquid_heat_kw" if quantity is heat.LIQUID_FRACTION else "air_heat_kw"
            run.trace.record_from(quantity, fraction(part, whole), {name: part, "density_kw": whole})
    return liquid, air_kw


def _limits(
    run: Run, density: Decimal, streams: heat.Streams, capacity: Decimal | None
) -> dict[str, dict[str, Decimal | None]]:
    """Return what the limit of each method is made of."""
    given, limits = run.given, run.given.limits
    return {
        "air": {
            "airflow_available_m3_h": given.airflow_available_m3_h,
            "air_density_kg_m3": density,
            "air_rise_k": given.air_rise_k,
        },
        "rear_door": {"rear_door_max_kw": limits.rear_door_max_kw, "rear_door_capacity_kw": capacity},
        "direct_to_chip": {
            "direct_to_chip_max_kw": limits.direct_to_chip_max_kw,
            "liquid_heat_kw": streams.liquid.value,
            "air_heat_kw": streams.air.value,
            "airflow_available_m3_h": given.airflow_available_m3_h,
        },
        "immersion": {"immersion_max_kw": limits.immersion_max_kw},
    }


def _method(run: Run, method: cooling.Method, made_of: dict[str, Decimal | None]) -> CoolingMethod:
    limit = margin = None
    if method.limit_kw is not None:
        quantity = cooling.LIMITS[method.method]
        limit = run.trace.record_from(quantity, method.limit_kw, made_of)
        margin = run.trace.record_from(
            cooling.MARGINS[method.method],
            method.margin_kw,
            {quantity.name: method.limit_kw, "density_kw": run.heat.value},
        )
    return CoolingMethod.of(method, limit, margin)
