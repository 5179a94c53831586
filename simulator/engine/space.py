"""Where devices stand: placement in half rack units, bottom up, the heaviest first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from simulator.engine.devices import Device, Line
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

UNITS = Range("U", low=1, high=100, step=Decimal(1))

USED_U = Quantity(
    "used_u", "U", "units of the rack with a device on their front or rear", "Definition; EIA-310-E for the unit"
)
NEEDED_U = Quantity(
    "needed_u",
    "U",
    "Σ height of full-depth devices + the lowest pair of columns, front and rear, of the half-depth ones",
    "Definition; EIA-310-E for the unit",
)
FREE_U = Quantity("free_u", "U", "units − used_u", "Definition")


@dataclass(frozen=True, slots=True)
class Placement:
    """One device of the elevation: the lowest unit it takes, from 1 at the bottom, and the face it is mounted on.

    Both are None for a device of zero units, which hangs beside the rails.
    """

    device: str
    position_u: Decimal | None
    face: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands where, and how many of which device found no place, by slug."""

    placements: tuple[Placement, ...]
    left: tuple[tuple[str, int], ...]
    used_u: Decimal
    needed_u: Decimal


def racks_needed(count: int, per_rack: int) -> int:
    """Return how many racks `count` like devices take with `per_rack` in each: ⌈count / per_rack⌉.

    Valid for whole numbers, `per_rack` at least one. Source: arithmetic.
    """
    require(
        count=(Decimal(count), Range("devices", low=0)),
        per_rack=(Decimal(per_rack), Range("devices a rack", low=1)),
    )
    return -(-count // per_rack)


def devices_per_rack(device: Device, units: int) -> int | None:
    """Return how many of `device` an empty rack of `units` holds; None if its height is unknown or zero.

    ⌊units / height⌋, twice that where two stand back to back; one for a whole rack. Valid for heights of half units and
    more. Source: geometry.
    """
    if device.is_whole_rack:
        return 1
    if not device.height_u:
        return None
    return math.floor(units / device.height_u) * (2 if device.is_full_depth is False else 1)


def heaviest_first(lines: Sequence[Line]) -> list[Line]:
    """Return the lines in the order of placement: by weight, falling, unknown ones last; then by slug."""
    return sorted(
        lines,
        key=lambda line: (line.device.weight_kg is None, -(line.device.weight_kg or Decimal(0)), line.device.slug),
    )


def place(lines: Sequence[Line], units: int) -> Layout:
    """Return the elevation of the devices in a rack of `units`; those of unknown height are not in it.

    First fit on a grid of half units: the lowest place where the face is free, front before rear; a full-depth device
    takes both faces. Where that leaves something out although there is room, all full-depth devices go to the bottom
    and the others are split over front and rear so that both columns fit; so nothing is left out for the order alone.
    A whole rack has a place only alone. Valid for whole `units` from 1 to 100. Source: geometry.
    """
    require(units=(Decimal(units), UNITS))
    whole = [line for line in lines if line.device.is_whole_rack]
    if whole and len(whole) == len(lines):
        return _place_whole_racks(whole, units)
    others = heaviest_first([line for line in lines if line.device.height_u is not None and line not in whole])
    needed = needed_u(others)
    placements, left, taken = _first_fit(others, units)
    if left and needed <= units:
        placements, taken = _packed(others)
        left = {}
    left |= {line.device.slug: line.quantity for line in whole}
    needed += units * sum(line.quantity for line in whole)
    return Layout(tuple(placements), tuple(sorted(left.items())), Decimal(taken) / 2, needed)


def needed_u(lines: Sequence[Line]) -> Decimal:
    """Return the lowest rack, in U, that holds devices of known height.

    The heights of full-depth devices, plus the half-depth ones in two columns, front and rear, as even as they come
    (subset sums on half units). Valid for heights in half units. Source: geometry.
    """
    full, half = _heights(lines)
    return Decimal(sum(full) + _even_column(half)) / 2


def _place_whole_racks(lines: Sequence[Line], units: int) -> Layout:
    first = heaviest_first(lines)[0].device.slug
    left = {line.device.slug: line.quantity - (line.device.slug == first) for line in lines}
    count = sum(line.quantity for line in lines)
    return Layout(
        (Placement(first, Decimal(1), "front"),),
        tuple(sorted((slug, n) for slug, n in left.items() if n)),
        Decimal(units),
        Decimal(units * count),
    )


def _half_units(device: Device) -> int:
    return int((device.height_u or Decimal(0)) * 2)


def _heights(lines: Sequence[Line]) -> tuple[list[int], list[int]]:
    """Return the heights in half units, one for each device: those of full depth, and the others."""
    full: list[int] = []
    half: list[int] = []
    for line in lines:
        (half if line.device.is_full_depth is False else full).extend([_half_units(line.device)] * line.quantity)
    return full, half


def _even_column(heights: Sequence[int]) -> int:
    """Return the height of the higher of two columns, split as evenly as the heights allow."""
    reachable = 1  # Bit s is set when some of the heights sum to s.
    for height in heights:
        reachable |= reachable << height
    whole = sum(heights)
    lower = next(s for s in range(whole // 2, -1, -1) if reachable >> s & 1)
    return whole - lower


def _first_fit(lines: Sequence[Line], units: int) -> tuple[list[Placement], dict[str, int], int]:
    """Return the elevation, how many of which device found no place, and the half units that are taken."""
    front = rear = 0  # Bit i is set when half unit i, from the bottom, is taken on that face.
    placements: list[Placement] = []
    left: dict[str, int] = {}
    for line in lines:
        slug, height, is_half = line.device.slug, _half_units(line.device), line.device.is_full_depth is False
        for placed in range(line.quantity):
            if height == 0:
                placements.append(Placement(slug, None, None))
                continue
            spot = _lowest(front, rear, height, is_half, units * 2)
            if spot is None:
                left[slug] = line.quantity - placed
                break
            at, face = spot
            mask = ((1 << height) - 1) << at
            front |= mask if face == "front" or not is_half else 0
            rear |= mask if face == "rear" or not is_half else 0
            placements.append(Placement(slug, _position(at), face))
    return placements, left, (front | rear).bit_count()


def _lowest(front: int, rear: int, height: int, is_half: bool, top: int) -> tuple[int, str] | None:
    """Return the lowest half unit from which `height` of them are free, and the face: the front of two alike.

    What is not half deep needs both faces. None where it finds no place below `top`.
    """
    at = _lowest_free(front if is_half else front | rear, height, top)
    behind = _lowest_free(rear, height, top) if is_half else None
    if behind is not None and (at is None or behind < at):
        return behind, "rear"
    return None if at is None else (at, "front")


def _lowest_free(taken: int, height: int, top: int) -> int | None:
    free = ~taken & ((1 << top) - 1)
    for _ in range(height - 1):
        free &= free >> 1  # A bit stays where the one above it is free too.
    return (free & -free).bit_length() - 1 if free else None


def _packed(lines: Sequence[Line]) -> tuple[list[Placement], int]:
    """Return the elevation of devices that fit, and the half units that are taken.

    Full-depth ones stand at the bottom, the others in two columns above them.
    """
    devices = [line.device for line in lines for _ in range(line.quantity)]
    placements = [Placement(device.slug, None, None) for device in devices if not _half_units(device)]
    mounted = [device for device in devices if _half_units(device)]
    full = [device for device in mounted if device.is_full_depth is not False]
    half = [device for device in mounted if device.is_full_depth is False]
    at = 0
    for device in full:
        placements.append(Placement(device.slug, _position(at), "front"))
        at += _half_units(device)
    heights = [_half_units(device) for device in half]
    in_front = _subset(heights, _even_column(heights))
    tops = {"front": at, "rear": at}
    for index, device in enumerate(half):
        face = "front" if index in in_front else "rear"
        placements.append(Placement(device.slug, _position(tops[face]), face))
        tops[face] += heights[index]
    return placements, max(tops.values())


def _subset(heights: Sequence[int], target: int) -> set[int]:
    """Return the places in `heights` of some that sum to `target`, which is known to be reachable."""
    reachable = [1]
    for height in heights:
        reachable.append(reachable[-1] | reachable[-1] << height)
    chosen: set[int] = set()
    for index in range(len(heights) - 1, -1, -1):
        if not reachable[index] >> target & 1:
            chosen.add(index)
            target -= heights[index]
    return chosen


@cache
def _position(half_unit: int) -> Decimal:
    return 1 + Decimal(half_unit) / 2
