"""Answers to published values of the two streams of a rack's heat: into liquid, and into the air."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import fraction, remainder
from simulator.engine.devices import Device, Line
from simulator.engine.inputs import RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers


def _split(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> RackReport:
    """Return the report of a rack that gives off these two streams."""
    power_kw = liquid_heat_kw + air_heat_kw
    return _split_of(power_kw, fraction(liquid_heat_kw, power_kw))


def _split_of(power_kw: Decimal, liquid: Decimal) -> RackReport:
    device = Device(
        "rack", is_whole_rack=True, power_nameplate_w=convert(power_kw, "kw", "w"), heat_to_liquid_fraction=liquid
    )
    return rack_report(RackInput(items=(Line(device, 1),)))


@answers("rack", "rack_power_kw", "total_kw")
def rack_power_of_streams(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal:
    cooling = _split(liquid_heat_kw, air_heat_kw).cooling
    return (cooling.liquid_heat_kw or Decimal(0)) + (cooling.air_heat_kw or Decimal(0))


@answers("rack", "liquid_heat_kw")
def liquid_stream(rack_kw: Decimal, liquid_fraction: Decimal) -> Decimal | None:
    return _split_of(rack_kw, liquid_fraction).cooling.liquid_heat_kw


@answers("rack", "air_heat_kw")
def air_stream(rack_kw: Decimal, liquid_fraction: Decimal) -> Decimal | None:
    return _split_of(rack_kw, liquid_fraction).cooling.air_heat_kw


@answers("rack", "air_heat_kw")
def air_stream_of_air(rack_kw: Decimal, air_fraction: Decimal) -> Decimal | None:
    return _split_of(rack_kw, 1 - air_fraction).cooling.air_heat_kw


@answers("rack", "liquid_heat_kw")
def liquid_stream_of_air(rack_kw: Decimal, air_fraction: Decimal) -> Decimal | None:
    return _split_of(rack_kw, 1 - air_fraction).cooling.liquid_heat_kw


@answers("rack", "air_fraction")
def rest_of_liquid(liquid_fraction: Decimal) -> Decimal:
    return remainder(Decimal(1), liquid_fraction)


@answers("rack", "liquid_fraction")
def rest_of_air(air_fraction: Decimal) -> Decimal:
    return remainder(Decimal(1), air_fraction)


@answers("rack", "liquid_fraction")
def liquid_fraction(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal | None:
    return fraction_of(_split(liquid_heat_kw, air_heat_kw), "liquid_fraction")


@answers("rack", "air_fraction")
def air_fraction(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal | None:
    return fraction_of(_split(liquid_heat_kw, air_heat_kw), "air_fraction")


def fraction_of(report: RackReport, quantity: str) -> Decimal | None:
    return next((entry.value for entry in report.trace if entry.quantity == quantity), None)
