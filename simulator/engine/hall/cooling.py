"""What cools a hall at its load, as the report tells it: cooling units, plant, PUE and WUE."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.campus.energy import pue_with_fans
from simulator.engine.hall import cdu, plant
from simulator.engine.hall.inputs import HallInput, HallRack
from simulator.engine.numbers import greatest
from simulator.engine.supply.backup import units_installed
from simulator.engine.trace import Quantity, Trace

FACILITY = Quantity("facility_load_kw", "kW", "it_kw + cooling_kw + loss_kw", "Energy balance", False)


def cdus_told(given: HallInput, known: Sequence[HallRack], liquid: Decimal | None, trace: Trace) -> dict[str, Any]:
    """Tell the units that take the liquid heat of what is placed, and how many racks of the most heat one takes."""
    quantities = (cdu.CDUS_NEEDED, cdu.CDUS_INSTALLED, cdu.RACKS_PER_CDU)
    if given.cdu_kw is None:
        return {quantity.name: None for quantity in quantities}
    needed = unless_unknown(cdu.cdus_needed, liquid, given.cdu_kw)
    heats = [(rack.kw(given.basis) or Decimal(0)) * rack.liquid_fraction for rack in known]
    most = greatest([Decimal(0), *heats])
    each = unless_unknown(lambda unit: cdu.racks_per_cdu(unit, most), given.cdu_kw) if most > 0 else None
    return {
        "cdus_needed_count": trace.put(cdu.CDUS_NEEDED, needed, liquid_kw=liquid, cdu_kw=given.cdu_kw),
        "cdus_installed_count": trace.put(
            cdu.CDUS_INSTALLED,
            None if needed is None else units_installed(needed, given.cdu_redundancy),
            cdus_needed_count=needed,
        ),
        "racks_per_cdu_count": trace.put(cdu.RACKS_PER_CDU, each, cdu_kw=given.cdu_kw, rack_liquid_kw=most),
    }


def plant_told(
    given: HallInput, it: Decimal | None, air: Decimal | None, liquid: Decimal | None, trace: Trace
) -> dict[str, Any]:
    """Tell what the plant takes for the heat of what is placed, and PUE and WUE at that load."""
    cooling = unless_unknown(
        lambda a, b, x, y: plant.cooling_power_kw(
            air_kw=a,
            liquid_kw=b,
            air_transport_fraction=x,
            liquid_transport_fraction=y,
            mechanical_fraction=given.compressors,
            chiller_cop=given.chiller_cop,
        ),
        air,
        liquid,
        given.air_transport_fraction,
        given.liquid_transport_fraction,
    )
    rejected = unless_unknown(plant.heat_rejected_kw, it, cooling)
    loss = unless_unknown(lambda kw, share: kw * share, it, given.distribution_loss_fraction)
    facility = unless_unknown(lambda *each: sum(each, Decimal(0)), it, cooling, loss)
    pue = unless_unknown(lambda whole_kw, kw: whole_kw / kw, facility, it) if it else None
    wue = None
    if it and rejected is not None and given.evaporative_fraction is not None:
        wue = plant.water_l_per_kwh_heat(given.evaporative_fraction, given.cycles_of_concentration) * rejected / it
    return {
        "heat_rejected_kw": trace.put(plant.HEAT_REJECTED, rejected, it_kw=it, cooling_kw=cooling),
        "cooling_kw": trace.put(
            plant.COOLING_POWER,
            cooling,
            air_kw=air,
            liquid_kw=liquid,
            air_transport_fraction=given.air_transport_fraction,
            liquid_transport_fraction=given.liquid_transport_fraction,
            mechanical_fraction=given.compressors,
            chiller_cop=given.chiller_cop,
        ),
        "loss_kw": trace.put(plant.LOSS, loss, it_kw=it, distribution_loss_fraction=given.distribution_loss_fraction),
        "facility_load_kw": trace.put(FACILITY, facility, it_kw=it, cooling_kw=cooling, loss_kw=loss),
        "pue": trace.put(plant.PUE, pue, it_kw=it, cooling_kw=cooling, loss_kw=loss),
        "pue_fans_as_cooling": trace.put(
            plant.PUE_FANS,
            unless_unknown(pue_with_fans, pue, given.server_fan_fraction),
            pue=pue,
            server_fan_fraction=given.server_fan_fraction,
        ),
        "wue_l_per_kwh": trace.put(
            plant.HALL_WUE,
            wue,
            evaporative_fraction=given.evaporative_fraction,
            cycles=given.cycles_of_concentration,
            heat_rejected_kw=rejected,
            it_kw=it,
        ),
    }
