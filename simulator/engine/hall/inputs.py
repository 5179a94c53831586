"""The input of the hall layer: like racks, caps, and what cools them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.air import AIR_RISE_K, AIR_TEMPERATURE_C, ALTITUDE_M
from simulator.engine.errors import Problem
from simulator.engine.hall import cdu, filling, plant
from simulator.engine.numbers import Range
from simulator.engine.parameters import check, choice, number, parts, text, whole
from simulator.engine.supply.backup import SCHEMES

COUNT = Range("racks", low=1, high=1_000_000, step=Decimal(1))
RACK_KW = Range("kW", low=0, high=10_000)
FRACTION = Range("", low=0, high=1)
GPUS = Range("accelerators", low=0, high=10_000, step=Decimal(1))
FLOOR = Range("kg/m²", above=0, high=100_000)
GROUPS_MAX = 50


@dataclass(frozen=True, slots=True)
class HallRack:
    """Like racks of a hall; a power that is None is unknown. Raises InvalidParameters."""

    name: str = text()
    count: int = whole(COUNT, is_stepped=False)
    nameplate_kw: Decimal | None = number(RACK_KW, None)
    typical_kw: Decimal | None = number(RACK_KW, None)
    idle_kw: Decimal | None = number(RACK_KW, None)
    liquid_fraction: Decimal = number(FRACTION, 0, "The share of heat that liquid takes.")
    gpus_count: int | None = whole(GPUS, None)
    floor_load_kg_m2: Decimal | None = number(FLOOR, None)

    def __post_init__(self) -> None:
        check(self)

    def kw(self, basis: str) -> Decimal | None:
        """The power on a basis: nameplate, typical or idle."""
        power: Decimal | None = getattr(self, f"{basis}_kw")
        return power


@dataclass(frozen=True, slots=True, kw_only=True)
class HallInput:
    """A hall of like rows. Caps that are None do not bind. `basis` says which of the three powers fills it: caps of
    power are kept at nameplate by whoever builds, at typical by whoever oversubscribes.

    `water` chilled means that compressors take `mechanical_fraction` of the heat (1 unless given), warm that they take
    none unless it is given. Raises InvalidParameters with every problem at once.
    """

    racks: tuple[HallRack, ...] = parts(HallRack, GROUPS_MAX)
    basis: str = choice(("nameplate", "typical", "idle"), "nameplate")
    rows: int = whole(filling.ROWS)
    row_positions: int = whole(filling.POSITIONS)
    rack_kw_max: Decimal | None = number(filling.KW, None)
    row_kw_max: Decimal | None = number(filling.KW, None)
    hall_kw_max: Decimal | None = number(filling.KW, None)
    air_kw_max: Decimal | None = number(filling.KW, None, "Heat that the air of the hall can take.")
    liquid_kw_max: Decimal | None = number(filling.KW, None, "Heat that the loops can take.")
    floor_kg_m2_max: Decimal | None = number(FLOOR, None)
    cdu_kw: Decimal | None = number(cdu.CDU_KW, None, "Heat that one coolant distribution unit takes.")
    cdu_redundancy: str = choice(SCHEMES, "n")
    inlet_c: Decimal = number(AIR_TEMPERATURE_C, 25)
    altitude_m: Decimal = number(ALTITUDE_M, 0)
    air_rise_k: Decimal = number(AIR_RISE_K, 12)
    water: str = choice(("chilled", "warm"), "chilled")
    mechanical_fraction: Decimal | None = number(FRACTION, None, "The part of the heat that compressors take.")
    chiller_cop: Decimal = number(plant.COP, plant.CHILLER_COP)
    air_transport_fraction: Decimal | None = number(plant.TRANSPORT, None, "Power of the hall's fans over air heat.")
    liquid_transport_fraction: Decimal | None = number(plant.TRANSPORT, None, "Power of pumps over liquid heat.")
    distribution_loss_fraction: Decimal | None = number(plant.TRANSPORT, None, "UPS, transformers and cables over IT.")
    server_fan_fraction: Decimal | None = number(plant.TRANSPORT, None, "Fans inside servers over IT power.")
    evaporative_fraction: Decimal | None = number(FRACTION, None, "The part of the heat that water evaporates for.")
    cycles_of_concentration: Decimal = number(plant.CYCLES, plant.CYCLES_OF_CONCENTRATION)

    def __post_init__(self) -> None:
        check(self, self._names)

    def _names(self) -> Problem | None:
        names = [rack.name for rack in self.racks]
        twice = sorted({name for name in names if names.count(name) > 1})
        if not twice:
            return None
        return Problem("racks", "conflict", f"Two entries are called {twice[0]}; give each its own name.")

    @property
    def compressors(self) -> Decimal:
        """The part of the heat that compressors take."""
        if self.mechanical_fraction is not None:
            return self.mechanical_fraction
        return Decimal(self.water == "chilled")
