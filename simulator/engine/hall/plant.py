"""What cooling a hall takes: power of the plant, and water, with chilled or warm water."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import HEAT_KW
from simulator.engine.coolant import coolant_at
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

COP = Range("", low=Decimal("0.5"), high=100)
FRACTION = Range("", low=0, high=1)
TRANSPORT = Range("", low=0, high=Decimal("0.5"))
CYCLES = Range("", above=1, high=50)

CHILLER_COP = Decimal("6.28")
"""ASHRAE 90.1-2016, table 6.8.1-3: the least a water-cooled centrifugal chiller of 600 tons may have at full load, path
A, 0.560 kW a ton; 1 ton is 3.517 kW."""
CYCLES_OF_CONCENTRATION = Decimal(5)
"""ASHRAE Handbook, HVAC Systems and Equipment, ch. 40: towers mostly run at 3 to 7 cycles."""
EVAPORATION_L_KWH = Decimal("1.47")
"""3,600 kJ / 2,453 kJ/kg, the latent heat of water at 20 °C (IAPWS-IF97): what takes a kilowatt-hour away."""

_BALANCE = "Energy balance of the plant; the fractions are parameters"

COOLING_POWER = Quantity(
    "cooling_kw",
    "kW",
    "transport + mechanical_fraction · (air_kw + liquid_kw + transport) / chiller_cop, transport being "
    "air_kw · air_transport_fraction + liquid_kw · liquid_transport_fraction",
    _BALANCE,
    False,
)
HEAT_REJECTED = Quantity("heat_rejected_kw", "kW", "it_kw + cooling_kw", "First law of thermodynamics", False)
PUE = Quantity(
    "pue", "", "(it_kw + cooling_kw + loss_kw) / it_kw, at this load", "ISO/IEC 30134-2, at an instant", False
)
PUE_FANS = Quantity(
    "pue_fans_as_cooling", "", "pue / (1 − server_fan_fraction)", "ISO/IEC 30134-2, with fans moved over", False
)
LOSS = Quantity("loss_kw", "kW", "it_kw · distribution_loss_fraction", "Parameter")
HALL_WUE = Quantity(
    "wue_l_per_kwh",
    "l/kWh",
    "evaporative_fraction · 1.47 · (1 + 1 / (cycles − 1)) · heat_rejected_kw / it_kw",
    "Latent heat of water; blow-down of a tower",
    False,
)


def cooling_power_kw(
    *,
    air_kw: Decimal,
    liquid_kw: Decimal,
    air_transport_fraction: Decimal,
    liquid_transport_fraction: Decimal,
    mechanical_fraction: Decimal,
    chiller_cop: Decimal,
) -> Decimal:
    """Return the power that cools a hall, in kW: transport of air and liquid, and compressors for a part of the time.

    air · its fraction + liquid · its fraction + mechanical · (heat + both) / COP. The fans and pumps heat the hall too,
    so the chillers carry them. `mechanical_fraction` is the share of the heat, or of the year, that compressors take: 1
    with chilled water and no economiser, 0 with warm water that a dry cooler or tower takes back all year. Valid for
    fractions up to 0.5 (transport) and 1. Source: energy balance.
    """
    require(
        air_kw=(air_kw, HEAT_KW),
        liquid_kw=(liquid_kw, HEAT_KW),
        air_transport_fraction=(air_transport_fraction, TRANSPORT),
        liquid_transport_fraction=(liquid_transport_fraction, TRANSPORT),
        mechanical_fraction=(mechanical_fraction, FRACTION),
        chiller_cop=(chiller_cop, COP),
    )
    transport = air_kw * air_transport_fraction + liquid_kw * liquid_transport_fraction
    return transport + mechanical_fraction * (air_kw + liquid_kw + transport) / chiller_cop


def heat_rejected_kw(it_kw: Decimal, cooling_kw: Decimal) -> Decimal:
    """Return the heat in kW that leaves the building: that of IT, and the work of what cools it.

    Fans and pumps warm what they move, and a compressor gives its work off at the condenser, so a tower takes up more
    than the hall gives off. Losses of UPS and transformers are not in it: their rooms are mostly cooled apart. Valid in
    a steady state. Source: first law of thermodynamics.
    """
    require(it_kw=(it_kw, HEAT_KW), cooling_kw=(cooling_kw, HEAT_KW))
    return it_kw + cooling_kw


def water_l_per_kwh_heat(evaporative_fraction: Decimal, cycles: Decimal = CYCLES_OF_CONCENTRATION) -> Decimal:
    """Return the water that takes a kilowatt-hour of heat away, in litres: evaporative · 1.47 · (1 + 1/(cycles − 1)).

    The second term is the blow-down that keeps salts in bounds; drift is below a hundredth. Valid for a fraction of
    heat rejected by evaporation in [0, 1] and more than one cycle. Source: latent heat of water; ASHRAE Handbook, HVAC
    Systems and Equipment, ch. 40.
    """
    require(evaporative_fraction=(evaporative_fraction, FRACTION), cycles=(cycles, CYCLES))
    return evaporative_fraction * EVAPORATION_L_KWH * (1 + 1 / (cycles - 1))


PRESSURE_KPA = Range("kPa", low=0, high=10_000)
FLOW_L_MIN = Range("l/min", low=0, high=10_000_000)
EFFICIENCY = Range("", low=Decimal("0.05"), high=1)


def pump_power_kw(flow_l_min: Decimal, pressure_kpa: Decimal, efficiency: Decimal) -> Decimal:
    """Return the power in kW that moves a liquid: flow · pressure / efficiency, flow in m³/s.

    `efficiency` is that of pump, motor and drive together. Valid for an incompressible liquid. Source: hydraulic power
    (Çengel & Boles, Thermodynamics, ch. 5).
    """
    require(
        flow_l_min=(flow_l_min, FLOW_L_MIN),
        pressure_kpa=(pressure_kpa, PRESSURE_KPA),
        efficiency=(efficiency, EFFICIENCY),
    )
    return convert(flow_l_min, "l_min", "m3_s") * pressure_kpa / efficiency


def blow_down(evaporated: Decimal, cycles: Decimal = CYCLES_OF_CONCENTRATION) -> Decimal:
    """Return the blow-down of a tower, in the unit of what it evaporated: evaporated / (cycles − 1).

    Valid for more than one cycle, without drift. Source: balance of salts; ASHRAE Handbook, HVAC Systems and Equipment,
    ch. 40.
    """
    require(evaporated=(evaporated, Range("", low=0)), cycles=(cycles, CYCLES))
    return evaporated / (cycles - 1)


VOLUME_L = Range("l", low=0, high=1_000_000_000)
RISE_K = Range("K", above=0, high=60)


def tank_lasts_s(volume_l: Decimal, rise_k: Decimal, heat_kw: Decimal) -> Decimal:
    """Return the seconds that a tank of chilled water takes a heat for: ρ · V · cp · ΔT / Q, with water of 10 °C.

    Valid for a tank that is stratified, of which all goes through the coils once. Source: energy balance of a closed
    system (Çengel & Boles, Thermodynamics, ch. 4).
    """
    require(
        volume_l=(volume_l, VOLUME_L),
        rise_k=(rise_k, RISE_K),
        heat_kw=(heat_kw, Range("kW", above=0, high=100_000_000)),
    )
    water = coolant_at("water", Decimal(10))
    joules = convert(volume_l, "l", "m3") * water.density_kg_m3 * water.heat_capacity_j_kg_k * rise_k
    return joules / convert(heat_kw, "kw", "w")
