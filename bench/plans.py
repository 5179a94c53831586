"""How well and how quickly racks are planned: ten instances that never change, with the gap and the time of each.

    python -m bench.plans [--time-limit 30]

It needs no database: the planner and the engine know none. Elapsed seconds are those of this machine as it is; status,
value, bound and gap are the same everywhere, unless the time limit ends a search.
"""

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import Any

from simulator.engine import Device, Line, Rack
from simulator.planning import Candidate, PlanInput, PlanReport, RowLimits, plan

LAYOUT = "{:<36}{:>6}{:>6}  {:<11}{:>12}{:>12}{:>8}{:>9}"
SWITCHES = Line(
    Device("switch", height_u=Decimal(1), weight_kg=Decimal(14), power_nameplate_w=Decimal(1_700)), 2
)  # fmt: skip


@dataclass(frozen=True)
class Instance:
    """One plan that is asked for: `types` of the devices below, and the rest of its input."""

    name: str
    accelerators: int
    types: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_whole_racks: bool = False
    available: int | None = None


INSTANCES = (
    Instance("one type, power of a rack", 1_000, 1, {"rack_power_max_kw": Decimal(40)}),
    Instance("five types, power and weight", 256, 5, {
        "rack_power_max_kw": Decimal(52), "rack": Rack(max_kg=Decimal(900)),
    }),
    Instance("twenty types, units alone", 1_000, 20),
    Instance("twenty types, power of a rack", 1_000, 20, {"rack_power_max_kw": Decimal(66)}),
    Instance("twenty types, every limit of a rack", 1_000, 20, {
        "rack_power_max_kw": Decimal(80), "rack": Rack(units=48, max_kg=Decimal(1_100)),
        "rack_airflow_max_m3_h": Decimal(16_000), "each_rack": (SWITCHES,),
    }),
    Instance("twenty types, few of each", 1_000, 20, {"rack_power_max_kw": Decimal(60)}, available=12),
    Instance("twenty types and whole racks", 1_000, 20, {"rack_power_max_kw": Decimal(140)}, has_whole_racks=True),
    Instance("twenty types, lowest cost", 1_000, 20, {
        "objective": "lowest_cost", "rack_price": Decimal(9_000), "rack_power_max_kw": Decimal(66),
    }),
    Instance("twenty types, lowest cost under caps", 1_000, 20, {
        "objective": "lowest_cost", "rack_price": Decimal(9_000), "rack_power_max_kw": Decimal(66),
        "site_power_max_kw": Decimal(1_150), "each_rack": (SWITCHES,),
    }, available=14),
    Instance("twenty types in rows", 1_000, 20, {
        "rack_power_max_kw": Decimal(66), "rows": RowLimits(count=4, racks_max=10, power_max_kw=Decimal(400)),
    }),
)  # fmt: skip


def devices(count: int, *, has_whole_racks: bool) -> list[Device]:
    """Return so many devices, always the same: servers of 1 to 10 units, and two racks of 36 and 72 if asked for."""
    chance = Random(41)
    found = []
    for n in range(count):
        accelerators = chance.choice((1, 2, 4, 4, 8, 8, 8))
        chip_w = chance.choice((350, 400, 700, 1_000, 1_200))
        power_w = accelerators * chip_w * chance.randint(125, 165) // 100
        units = max(1, accelerators + chance.randint(-1, 2)) if accelerators < 8 else chance.randint(4, 10)
        found.append(
            Device(
                f"server-{n + 1:02}",
                height_u=Decimal(units),
                is_full_depth=True,
                weight_kg=Decimal(units * chance.randint(130, 190)) / 10,
                power_nameplate_w=Decimal(power_w),
                accelerators_count=Decimal(accelerators),
                heat_to_liquid_fraction=Decimal(0),
            )
        )
    if has_whole_racks:
        for slug, accelerators, power_w in (("rack-36", 36, 66_000), ("rack-72", 72, 132_000)):
            found[-1 if slug == "rack-36" else -2] = Device(
                slug,
                is_whole_rack=True,
                weight_kg=Decimal(1_400),
                power_nameplate_w=Decimal(power_w),
                accelerators_count=Decimal(accelerators),
            )
    return found


def input_of(instance: Instance, *, time_limit_s: Decimal) -> PlanInput:
    """Return an instance as the planner takes it. Prices rise with accelerators and power, less than in proportion."""
    made = devices(instance.types, has_whole_racks=instance.has_whole_racks)
    candidates = tuple(
        Candidate(device, price=_price(device), available=instance.available) for device in made
    )  # fmt: skip
    return PlanInput(
        accelerators=instance.accelerators, devices=candidates, time_limit_s=time_limit_s, **dict(instance.fields)
    )


def _price(device: Device) -> Decimal:
    accelerators, power_w = device.accelerators_count or Decimal(0), device.power_nameplate_w or Decimal(0)
    return (7_000 + 9_500 * accelerators + 14 * power_w).quantize(Decimal(100))


def run(instance: Instance, *, time_limit_s: Decimal) -> tuple[PlanReport, float]:
    """Return what came of an instance, and how many seconds it took."""
    given = input_of(instance, time_limit_s=time_limit_s)
    begin = time.perf_counter()
    report = plan(given)
    return report, time.perf_counter() - begin


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--time-limit", type=Decimal, default=Decimal(30), help="seconds of an instance, 1 to 60")
    limit = reader.parse_args().time_limit
    # What is loaded with the first plan is no part of it.
    run(replace(INSTANCES[0], accelerators=8), time_limit_s=limit)
    print(LAYOUT.format("plan", "wanted", "types", "status", "value", "bound", "gap", "elapsed"))
    for instance in INSTANCES:
        report, elapsed = run(instance, time_limit_s=limit)
        value, bound = (f"{each:,.6g}" if each is not None else "" for each in (report.objective_value, report.bound))
        gap = "" if report.gap_fraction is None else f"{report.gap_fraction:.2%}"
        print(
            LAYOUT.format(
                instance.name,
                instance.accelerators,
                instance.types,
                report.status,
                value,
                bound,
                gap,
                f"{elapsed:.2f} s",
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
