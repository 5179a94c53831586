"""Every layout there is of a small plan: what the planner must find, counted out."""

from decimal import Decimal
from itertools import product

from simulator.engine.devices import Device
from simulator.planning import PlanInput


def best_of(given: PlanInput) -> Decimal | None:
    """Return the fewest racks or the lowest cost of a plan of few racks, None where there is no layout."""
    found = bests_of(given)
    return None if found is None else found[0]


def bests_of(given: PlanInput) -> tuple[Decimal, Decimal] | None:
    """Return the fewest racks and the lowest cost of as many, or the lowest cost and the fewest racks at it.

    Of a rack it knows height and nameplate power; of a row racks and power, where all three of its limits are given; of
    the site racks, power, budget and what is available.
    """
    assert given.racks_max is not None
    prices = [each.price or Decimal(0) for each in given.devices]
    tops = [_most(given, each.device, each.available) for each in given.devices]
    racks = {
        (counts, (1, _cost(given, counts, prices), _power(given, counts)))
        for counts in product(*(range(top + 1) for top in tops))
        if any(counts) and _holds(given, counts)
    }
    sums = {(tuple([0] * len(prices)), (0, Decimal(0), Decimal(0)))}
    best: tuple[Decimal, Decimal] | None = None
    rows, added = given.rows, racks
    if rows.count and rows.racks_max and rows.power_max_kw:
        added, filled = set(racks), racks
        for _ in range(rows.racks_max - 1):
            filled = {each for each in _added(given, filled, racks) if each[1][2] <= rows.power_max_kw}
            added |= filled
    for _ in range(given.racks_max if added is racks else rows.count or 0):
        sums = {each for each in _added(given, sums, added) if each[1][0] <= given.racks_max}
        for counts, (count, cost, _) in sums:
            if _accelerators(given, counts) >= given.accelerators:
                value = (Decimal(count), cost) if given.objective == "fewest_racks" else (cost, Decimal(count))
                best = value if best is None else min(best, value)
    return best


Sums = set[tuple[tuple[int, ...], tuple[int, Decimal, Decimal]]]
"""How many of each device, and how many racks they are in, what these cost, and the kW that they draw."""


def _added(given: PlanInput, sums: Sums, others: Sums) -> Sums:
    found = set()
    for (counts, amounts), (other, of_other) in product(sums, others):
        devices = tuple(min(one + two, given.accelerators) for one, two in zip(counts, other, strict=True))
        count, cost, power = (one + two for one, two in zip(amounts, of_other, strict=True))
        if _is_within(given, devices, cost, power):
            found.add((devices, (count, cost, power)))
    return found


def _most(given: PlanInput, device: Device, available: int | None) -> int:
    if device.is_whole_rack:
        return 1
    most = int(given.rack.units // (device.height_u or 1))
    return min(most, given.accelerators, available or most)


def _holds(given: PlanInput, counts: tuple[int, ...]) -> bool:
    devices = [each.device for each in given.devices]
    whole = any(n and device.is_whole_rack for n, device in zip(counts, devices, strict=True))
    height = sum(n * (device.height_u or 0) for n, device in zip(counts, devices, strict=True))
    power = sum(n * (device.power_nameplate_w or 0) for n, device in zip(counts, devices, strict=True))
    limit = given.rack_power_max_kw
    return (
        (sum(counts) == 1 if whole else height <= given.rack.units)
        and (limit is None or power <= limit * 1000)
        and (given.rows.power_max_kw is None or power <= given.rows.power_max_kw * 1000)
    )


def _cost(given: PlanInput, counts: tuple[int, ...], prices: list[Decimal]) -> Decimal:
    whole = any(n and each.device.is_whole_rack for n, each in zip(counts, given.devices, strict=True))
    devices = sum((n * price for n, price in zip(counts, prices, strict=True)), Decimal(0))
    return devices + (Decimal(0) if whole else given.rack_price)


def _power(given: PlanInput, counts: tuple[int, ...]) -> Decimal:
    each = [device.device.power_nameplate_w or Decimal(0) for device in given.devices]
    return sum((n * watts for n, watts in zip(counts, each, strict=True)), Decimal(0)) / 1000


def _accelerators(given: PlanInput, counts: tuple[int, ...]) -> int:
    return sum(n * int(each.device.accelerators_count or 0) for n, each in zip(counts, given.devices, strict=True))


def _is_within(given: PlanInput, counts: tuple[int, ...], cost: Decimal, power: Decimal) -> bool:
    return (
        (given.budget is None or cost <= given.budget)
        and (given.site_power_max_kw is None or power <= given.site_power_max_kw)
        and all(each.available is None or n <= each.available for n, each in zip(counts, given.devices, strict=True))
    )
