"""What a plan takes of each limit, and which of them leave no room."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

from simulator.engine.numbers import REPORT_DIGITS, rounded
from simulator.planning.candidates import Choice
from simulator.planning.demands import is_of_racks, site_limits
from simulator.planning.fillings import Filling
from simulator.planning.inputs import PlanInput
from simulator.planning.report import LimitUse
from simulator.planning.rows import Counts


def rack_uses(choice: Choice, filling: Filling) -> tuple[LimitUse, ...]:
    """Return what one rack takes of its limits, what stands in every rack and its own weight included."""
    parts = {part.slug: part for part in choice.parts}
    found = []
    for limit in choice.limits:
        if limit.field == "each_rack":
            continue  # It keeps reports short, and nobody gave it.
        if filling.is_whole_rack:
            ((slug, _),) = filling.counts
            if limit.of_whole is not None:
                taken = parts[slug].takes[limit.name]
                found.append(_told(_use(limit.field, limit.unit, taken, limit.of_whole, None)))
            continue
        taken = sum((parts[slug].takes[limit.name] * n for slug, n in filling.counts), Decimal(0))
        least = min((part.takes[limit.name] for part in choice.parts if not part.is_whole_rack), default=None)
        found.append(_told(_use(limit.field, limit.unit, limit.given - limit.capacity + taken, limit.given, least)))
    return tuple(found)


def site_uses(given: PlanInput, choice: Choice, counts: Counts) -> tuple[LimitUse, ...]:
    """Return what all racks take of the limits of the site, and of devices of which there are only so many."""
    racks = Decimal(sum(count for _, count in counts))
    power = sum((filling.power_kw * count for filling, count in counts), Decimal(0))
    price = sum((filling.price * count for filling, count in counts), Decimal(0))
    used: Counter[str] = Counter()
    for filling, count in counts:
        for slug, n in filling.counts:
            used[slug] += n * count
    found = []
    for name, limit in site_limits(given).items():
        if is_of_racks(name):
            found.append(_use(name, "racks", racks, limit, Decimal(1)))
        elif name == "budget":
            found.append(_use(name, "", price, limit, min(part.price for part in choice.parts)))
        else:
            found.append(_use(name, "kW", power, limit, min(part.power_kw for part in choice.parts)))
    for part in choice.parts:
        if part.available is not None and used[part.slug]:
            name = f"available:{part.slug}"
            found.append(_use(name, "devices", Decimal(used[part.slug]), Decimal(part.available), Decimal(1)))
    return tuple(found)


def _told(use: LimitUse) -> LimitUse:
    """Return what one rack takes with the digits that its report has, and never more than there is."""
    used = min(rounded(use.used, REPORT_DIGITS), use.given)
    return replace(use, used=used, left=use.given - used)


def _use(name: str, unit: str, used: Decimal, given: Decimal, least: Decimal | None) -> LimitUse:
    left = given - used
    return LimitUse(name, unit, used, given, left, is_binding=least is not None and least > left)
