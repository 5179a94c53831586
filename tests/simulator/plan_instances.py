"""Plans by chance: sound ones, ones at the ends of every range, and ones small enough to count out."""

from decimal import Decimal
from random import Random
from typing import Any

from simulator.engine import Device, Line, Rack
from simulator.planning import Candidate, PlanInput, RowLimits

SWITCH = Device(
    "switch",
    height_u=Decimal(1),
    weight_kg=Decimal(10),
    power_nameplate_w=Decimal(1_000),
    power_typical_w=Decimal(900),
    heat_to_liquid_fraction=Decimal(0),
)


def usual(chance: Random) -> PlanInput:
    """Return a plan as somebody might ask for it, with some devices that say little."""
    devices = [_device(chance, n) for n in range(chance.choice((1, 2, 3, 5, 20)))]
    candidates = tuple(
        Candidate(
            device,
            None if chance.random() < 0.1 else Decimal(chance.randint(0, 300_000)),
            None if chance.random() < 0.6 else chance.choice((1, 2, 10, 100, 100_000)),
        )
        for device in devices
    )
    limits: dict[str, Any] = {
        "rack_power_max_kw": (0.6, lambda: _between(chance, 5, 140)),
        "rack_weight_max_kg": (0.3, lambda: _between(chance, 50, 2_000)),
        "rack_airflow_max_m3_h": (0.3, lambda: _between(chance, 100, 20_000)),
        "rack": (0.5, lambda: _rack(chance)),
        "each_rack": (0.3, lambda: (Line(SWITCH, chance.choice((1, 2))),)),
        "racks_max": (0.3, lambda: chance.choice((1, 3, 10, 100, 100_000))),
        "site_power_max_kw": (0.3, lambda: _between(chance, 20, 3_000)),
        "budget": (0.3, lambda: Decimal(chance.randint(0, 20_000_000))),
        "objective": (0.4, lambda: "lowest_cost"),
        "rack_price": (0.5, lambda: Decimal(chance.choice((0, 1, 5_000, 9_000)))),
        "basis": (0.2, lambda: chance.choice(("nameplate", "typical"))),
        "rows": (0.3, lambda: _rows(chance)),
        "altitude_m": (0.2, lambda: Decimal(1_800)),
    }
    given = {name: make() for name, (share, make) in limits.items() if chance.random() < share}
    return PlanInput(chance.choice((1, 8, 64, 1_000)), candidates, time_limit_s=Decimal(2), **given)


def extreme(chance: Random) -> PlanInput:
    """Return a plan of numbers at the ends of what is allowed."""

    def number(high: str) -> Decimal:
        told = chance.choice(("1e-300", "1e-9", "0.001", "0.1", "1", "5", "1e9", "1e13", "77.7"))
        return min(Decimal(told), Decimal(high))

    devices = []
    for n in range(chance.choice((1, 2, 4, 20, 60))):
        is_whole = chance.random() < 0.15
        device = Device(
            f"server-{n}",
            height_u=None if is_whole else Decimal(chance.choice(("0", "0.5", "1", "4", "50", "100"))),
            is_whole_rack=is_whole,
            weight_kg=Decimal(chance.choice(("0", "0.001", "1", "20000"))),
            power_nameplate_w=Decimal(chance.choice(("0", "0.001", "1", "5000", "10000000"))),
            heat_to_liquid_fraction=Decimal(chance.choice((0, 1))),
            accelerators_count=Decimal(chance.choice((1, 1, 3, 8, 9_999, 10_000))),
        )
        devices.append(Candidate(device, number("1e13"), chance.choice((None, 1, 3, 100_000))))
    limits: dict[str, Any] = {
        "rack_power_max_kw": (0.4, lambda: number("1e7")),
        "site_power_max_kw": (0.4, lambda: number("1e7")),
        "rack_weight_max_kg": (0.4, lambda: number("1e5")),
        "budget": (0.4, lambda: number("1e13")),
        "racks_max": (0.3, lambda: chance.choice((1, 2, 100_000))),
        "rows": (0.3, lambda: RowLimits(chance.choice((None, 1, 100_000)), chance.choice((None, 1, 7)), None)),
        "objective": (0.5, lambda: "lowest_cost"),
        "rack_price": (0.5, lambda: number("1e13")),
        "rack": (0.3, lambda: Rack(units=chance.choice((1, 100)))),
        "each_rack": (0.3, lambda: (Line(SWITCH, chance.choice((1, 30))),)),
    }
    given = {name: make() for name, (share, make) in limits.items() if chance.random() < share}
    return PlanInput(chance.choice((1, 2, 9_999, 100_000)), tuple(devices), time_limit_s=Decimal(2), **given)


def small(chance: Random) -> PlanInput:
    """Return a plan that `plan_brute_force` can count out: up to three devices in up to three racks."""
    devices = []
    for n in range(chance.choice((1, 2, 3))):
        is_whole = chance.random() < 0.15
        device = Device(
            f"server-{n}",
            height_u=None if is_whole else Decimal(chance.randint(2, 6)),
            is_full_depth=True,
            is_whole_rack=is_whole,
            power_nameplate_w=Decimal(chance.randint(1, 20) * 1_000),
            accelerators_count=Decimal(chance.randint(1, 8)),
        )
        devices.append(Candidate(device, Decimal(chance.randint(0, 30)), chance.choice((None, None, 1, 2, 3))))
    limits: dict[str, Any] = {
        "rack_power_max_kw": (0.6, lambda: Decimal(24)),
        "site_power_max_kw": (0.4, lambda: Decimal(chance.randint(5, 70))),
        "budget": (0.3, lambda: Decimal(chance.randint(5, 120))),
    }
    given = {name: make() for name, (share, make) in limits.items() if chance.random() < share}
    return PlanInput(
        chance.randint(1, 30),
        tuple(devices),
        rack=Rack(units=chance.choice((6, 10))),
        racks_max=chance.choice((1, 2, 3)),
        objective=chance.choice(("fewest_racks", "lowest_cost")),
        rack_price=Decimal(chance.choice((0, 5))),
        **given,
    )


def small_in_rows(chance: Random) -> PlanInput:
    """Return one of up to two devices in up to two rows of two racks, whose power decides which stand together."""
    devices = tuple(
        Candidate(
            Device(
                f"server-{n}",
                height_u=Decimal(chance.randint(2, 4)),
                is_full_depth=True,
                power_nameplate_w=Decimal(chance.randint(3, 20) * 1_000),
                accelerators_count=Decimal(chance.randint(1, 8)),
            ),
            Decimal(chance.randint(0, 30)),
            chance.choice((None, None, 3)),
        )
        for n in range(chance.choice((1, 2)))
    )
    return PlanInput(
        chance.randint(4, 40),
        devices,
        rack=Rack(units=chance.choice((6, 8))),
        rack_power_max_kw=chance.choice((None, Decimal(40))),
        rows=RowLimits(chance.choice((1, 2)), chance.choice((1, 2)), Decimal(chance.randint(20, 90))),
        racks_max=4,
        site_power_max_kw=chance.choice((None, None, Decimal(chance.randint(20, 150)))),
        objective=chance.choice(("fewest_racks", "lowest_cost")),
        rack_price=Decimal(chance.choice((0, 5))),
    )


def _between(chance: Random, low: float, high: float) -> Decimal:
    return Decimal(str(round(chance.uniform(low, high), 3)))


def _device(chance: Random, n: int) -> Device:
    is_whole = chance.random() < 0.1
    height = Decimal(chance.choice(("0.5", "1", "1.5", "2", "3", "4", "8")))
    return Device(
        f"server-{n}",
        height_u=None if is_whole or chance.random() < 0.03 else height,
        is_full_depth=chance.choice((True, True, False, None)),
        is_whole_rack=is_whole,
        weight_kg=None if chance.random() < 0.05 else _between(chance, 0, 200),
        power_nameplate_w=None
        if chance.random() < 0.05
        else Decimal(chance.choice((0, 500, chance.randint(1, 12_000)))),
        power_typical_w=None if chance.random() < 0.5 else Decimal(chance.randint(0, 9_000)),
        is_power_path=chance.random() < 0.03,
        heat_to_liquid_fraction=chance.choice((None, Decimal(0), Decimal("0.85"), Decimal(1))),
        accelerators_count=chance.choice(
            (None, Decimal(0), Decimal(1), Decimal(4), Decimal(8), Decimal(8), Decimal(72))
        ),
    )


def _rack(chance: Random) -> Rack:
    return Rack(
        units=chance.choice((1, 10, 42, 48, 100)),
        max_kg=None if chance.random() < 0.5 else _between(chance, 100, 2_000),
        tare_kg=None if chance.random() < 0.5 else _between(chance, 20, 200),
        footprint_m2=None if chance.random() < 0.5 else Decimal("0.7"),
        floor_max_kg_m2=None if chance.random() < 0.6 else _between(chance, 100, 3_000),
    )


def _rows(chance: Random) -> RowLimits:
    count, racks, kw = chance.choice((1, 2, 10, 1_000)), chance.choice((1, 4, 10, 100)), _between(chance, 5, 600)
    return RowLimits(*(None if chance.random() < 0.5 else value for value in (count, racks, kw)))  # type: ignore[arg-type]
