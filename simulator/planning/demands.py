"""What is counted over all racks: the accelerators wanted, the limits of the site, and what an objective is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from simulator.planning.candidates import Base, Choice, Part
from simulator.planning.fillings import Filling
from simulator.planning.inputs import PlanInput
from simulator.planning.solver import Row

COEFFICIENT_MAX = 1e6
"""What takes a limit so many times over is not told from what takes it more often: no layout holds either."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Something counted over all racks: the accelerators wanted, or a limit of the site. Scaled to about one."""

    name: str
    row: Row
    of_filling: Callable[[Filling], float]
    of_part: Callable[[Part], float]
    of_base: float = 0.0

    def tightened(self, by: float) -> Demand:
        """Return the same with its limit drawn in by that part of it."""
        return self if self.name == "accelerators" else replace(self, row=Row(high=self.row.high * (1 - by)))


def demands(given: PlanInput, choice: Choice, *, without: Collection[str] = ()) -> list[Demand]:
    """Return the accelerators wanted and the limits of the site, but not those called `without`."""
    wanted = Decimal(given.accelerators)
    found = [
        Demand(
            "accelerators",
            Row(low=1.0),
            lambda filling: float(filling.accelerators / wanted),
            lambda part: float(part.accelerators / wanted),
        )
    ]
    for name, limit in site_limits(given).items():
        if name not in without:
            found.append(_of_limit(name, limit, choice.base))
    for part in choice.parts:
        if part.available is not None and f"available:{part.slug}" not in without:
            found.append(_of_stock(part.slug, part.available))
    return found


def _of_limit(name: str, limit: Decimal, base: Base) -> Demand:
    row = Row(high=1.0 if limit else 0.0)

    def share(value: Decimal) -> float:
        return min(float(value / (limit or 1)), COEFFICIENT_MAX)

    if is_of_racks(name):
        each = share(Decimal(1))
        return Demand(name, row, lambda filling: each, lambda part: 0.0, each)
    if name == "budget":
        return Demand(
            name, row, lambda filling: share(filling.price), lambda part: share(part.price), share(base.price)
        )
    return Demand(
        name, row, lambda filling: share(filling.power_kw), lambda part: share(part.power_kw), share(base.power_kw)
    )


def _of_stock(slug: str, available: int) -> Demand:
    return Demand(
        f"available:{slug}",
        Row(high=1.0),
        lambda filling: dict(filling.counts).get(slug, 0) / available,
        lambda part: 1 / available if part.slug == slug else 0.0,
    )


def is_of_racks(name: str) -> bool:
    return name in ("racks_max", "rows.racks_max")


def site_limits(given: PlanInput) -> dict[str, Decimal]:
    """Return what is limited over all racks, by the name of the input; rows count as what they hold together."""
    rows, found = given.rows, {}
    if given.racks_max is not None:
        found["racks_max"] = Decimal(given.racks_max)
    if rows.count is not None and rows.racks_max is not None:
        found["rows.racks_max"] = Decimal(rows.count * rows.racks_max)
    if given.site_power_max_kw is not None:
        found["site_power_max_kw"] = given.site_power_max_kw
    if rows.count is not None and rows.power_max_kw is not None:
        found["rows.power_max_kw"] = rows.count * rows.power_max_kw
    if given.budget is not None:
        found["budget"] = given.budget
    return found


def is_within(
    given: PlanInput, choice: Choice, counts: Iterable[tuple[Filling, int]], *, without: Collection[str] = ()
) -> bool:
    """Return whether a layout gives what is wanted within the limits of the site, exactly: a solver has a tolerance."""
    used: Counter[str] = Counter()
    racks, accelerators, price, power = 0, 0, Decimal(0), Decimal(0)
    for filling, count in counts:
        racks += count
        accelerators += filling.accelerators * count
        price += filling.price * count
        power += filling.power_kw * count
        for slug, n in filling.counts:
            used[slug] += n * count
    taken = {"budget": price, "site_power_max_kw": power, "rows.power_max_kw": power}
    return (
        accelerators >= given.accelerators
        and all(taken.get(name, racks) <= limit for name, limit in site_limits(given).items() if name not in without)
        and all(
            used[part.slug] <= part.available
            for part in choice.parts
            if part.available is not None and f"available:{part.slug}" not in without
        )
    )


@dataclass(frozen=True, slots=True)
class Weights:
    """What an objective is made of: so much for a rack, its price, its power, a device; `short` for what is missing."""

    rack: float = 0.0
    price: float = 0.0
    power_kw: float = 0.0
    device: Mapping[str, float] = field(default_factory=dict)
    short: float = 0.0

    @property
    def is_count(self) -> bool:
        """Whether the objective is a whole number: of racks, or of devices."""
        return not (self.price or self.power_kw or self.short)

    def of(self, filling: Filling) -> float:
        devices = sum(self.device.get(slug, 0.0) * n for slug, n in filling.counts)
        return self.rack + self.price * float(filling.price) + self.power_kw * float(filling.power_kw) + devices

    def of_part(self, part: Part) -> float:
        one = self.device.get(part.slug, 0.0)
        return self.price * float(part.price) + self.power_kw * float(part.power_kw) + one

    def of_base(self, base: Base) -> float:
        return self.rack + self.price * float(base.price) + self.power_kw * float(base.power_kw)

    def exactly(self, counts: Iterable[tuple[Filling, int]]) -> Decimal:
        """Return the objective of a layout, without the rounding of floats."""
        value = Decimal(0)
        for filling, count in counts:
            each = Decimal(self.rack) + Decimal(self.price) * filling.price + Decimal(self.power_kw) * filling.power_kw
            each += sum((Decimal(self.device.get(slug, 0.0)) * n for slug, n in filling.counts), Decimal(0))
            value += each * count
        return value
