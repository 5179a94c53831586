"""Which limits stand in the way of a plan that has no layout, and what it would take."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal
from typing import Any

from simulator.engine.numbers import plain, rounded
from simulator.engine.space import UNITS
from simulator.planning.candidates import choices
from simulator.planning.demands import Weights, is_of_racks, site_limits
from simulator.planning.fillings import Filling
from simulator.planning.inputs import PlanInput
from simulator.planning.report import Shortfall
from simulator.planning.row_search import OF_ALL, RowSearch
from simulator.planning.rows import rows_of
from simulator.planning.search import Search

DIGITS = 9


Pool = Mapping[tuple[tuple[str, int], ...], Filling]


class TimeIsOver(Exception):  # noqa: N818 - it reads as what happened
    """Not every limit was tried."""


def shortfalls_of(
    given: PlanInput, pool: Pool, *, left_s: float, clock: Callable[[], float]
) -> tuple[tuple[Shortfall, ...], bool]:
    """Return the limits that let the accelerators in once they are lifted, and whether there was time to try all.

    Each that does so alone; where none does, the fewest of them that were found to do so together, in order of the
    input: each is held to again where the others are enough.
    """
    until = clock() + left_s
    silent = {each.device for each in choices(given).unusable if each.code.startswith("unknown_")}
    told = tuple(each for each in given.devices if each.device.slug not in silent)
    if not told:
        return (), True
    # What a device does not say no wider limit tells.
    return _Shortfalls(replace(given, devices=told), pool, lambda: until - clock()).all()


class _Shortfalls:
    """`pool` are fillings of the racks as they are limited: what fits there fits where less is limited."""

    def __init__(self, given: PlanInput, pool: Pool, left_s: Callable[[], float]) -> None:
        self.given, self.pool, self.left_s = given, pool, left_s
        self.stocks = _stocks(given)
        self._stocks_are_enough: bool | None = None
        self.limits = {**site_limits(given), **_of_rows(given), **_of_racks(given), **self.stocks}

    def all(self) -> tuple[tuple[Shortfall, ...], bool]:
        found: list[Shortfall] = []
        try:
            for name in self.limits:
                # Of sixty devices none may be too few: that is seen at once.
                if name in self.stocks and not self._are_stocks_enough():
                    break
                if self._is_enough({name}):
                    found.append(self._alone(name))
            together, are_all = ([], True) if found else self._together()
        except TimeIsOver:
            return tuple(found), False
        return (*found, *together), are_all

    def _is_enough(self, names: Collection[str]) -> bool:
        """Return whether there is a layout without some limits. Raises TimeIsOver."""
        lifted = _without_rack_limits(self.given, names)
        search = Search(lifted, choices(lifted), self.left_s, without=names, pool=self.pool, tell=_stop_at_one)
        try:
            found = search.run()
        except _Enough:
            return self._goes_into_rows(search)
        if not found.is_infeasible:
            raise TimeIsOver
        return False

    def _goes_into_rows(self, search: Search) -> bool:
        """Return whether there is a layout in rows, where there is one out of them. Raises TimeIsOver."""
        given, rows = search.given, search.given.rows
        if "rows.racks_max" in search.without:
            rows = replace(rows, racks_max=None)
        if rows.count is None or rows.power_max_kw is None:
            return True
        if search.best is not None and rows_of(search.best, rows, time_limit_s=max(self.left_s(), 0.1)) is not None:
            return True
        found = RowSearch(given, search.choice, self.left_s, without=search.without, pool=search.pool).run(
            search.weights
        )
        if found.found.counts is None and not found.found.is_infeasible:
            raise TimeIsOver
        return found.found.counts is not None

    def _are_stocks_enough(self) -> bool:
        if self._stocks_are_enough is None:
            self._stocks_are_enough = self._is_enough(self.stocks)
        return self._stocks_are_enough

    def _alone(self, name: str) -> Shortfall:
        limit, needed, less = self.limits[name], None, ""
        weights = _weights(name)
        if weights is not None:
            lifted = _without_rack_limits(self.given, {name})
            search = Search(lifted, choices(lifted), self.left_s, weights=weights, without={name}, pool=self.pool)
            found = search.run()
            if found.is_proven and found.counts is not None:
                needed = rounded(weights.exactly(found.counts), DIGITS)
            elif found.bound and math.isfinite(found.bound):
                needed = rounded(Decimal(repr(found.bound)), DIGITS)
        if name == "rows.count":
            needed = self._rows_needed()
        elif name.startswith("rows."):  # As the input has it: of one row.
            assert self.given.rows.count is not None
            limit /= self.given.rows.count
            if needed is not None:
                needed /= self.given.rows.count
                needed = needed.to_integral_value(ROUND_CEILING) if is_of_racks(name) else rounded(needed, DIGITS)
                # All rows together may hold it, and no layout be got into each.
                needed = needed if needed > limit else None
        if needed is not None:
            less = f" No layout takes less than {_told(needed)}."
        message = f"{name} is {_told(limit)}: with more of it there is a layout.{less}"
        return Shortfall(name, limit, needed, (), message)

    def _rows_needed(self) -> Decimal | None:
        lifted = _without_rack_limits(self.given, {"rows.count"})
        found = RowSearch(lifted, choices(lifted), self.left_s, pool=self.pool).fewest_rows()
        return None if found is None else Decimal(found)

    def _together(self) -> tuple[list[Shortfall], bool]:
        lifted = list(self.limits)
        if not self._is_enough(lifted):
            return [], True
        is_over = False
        # Limits of a rack first: who may have more racks, power and money need not have higher racks too.
        for names in ([*self.stocks], *([name] for name in reversed(self.limits))):
            fewer = [each for each in lifted if each not in names]
            try:
                if len(fewer) < len(lifted) and self._is_enough(fewer):
                    lifted = fewer
            except TimeIsOver:
                is_over = True
                break
        found = []
        for name in lifted:
            others = tuple(each for each in lifted if each != name)
            is_of_one = name in OF_ALL
            limit = self.limits[name] / (self.given.rows.count or 1 if is_of_one else 1)
            message = f"{name} is {_told(limit)}: with more of it, and of {' and '.join(others)}, there is a layout."
            found.append(Shortfall(name, limit, None, others, message))
        return found, not is_over


def _weights(name: str) -> Weights | None:
    """Return what counts what is taken of a limit of the site; None for one of each rack."""
    if is_of_racks(name):
        return Weights(rack=1.0)
    if name.startswith("available:"):
        return Weights(device={name.removeprefix("available:"): 1.0})
    return {
        "budget": Weights(price=1.0),
        "site_power_max_kw": Weights(power_kw=1.0),
        "rows.power_max_kw": Weights(power_kw=1.0),
    }.get(name)


def _stocks(given: PlanInput) -> dict[str, Decimal]:
    stocks = {each.device.slug: each.available for each in given.devices}
    return {f"available:{slug}": Decimal(count) for slug, count in stocks.items() if count is not None}


_RACK_LIMITS = ("rack_power_max_kw", "rack_weight_max_kg", "rack_airflow_max_m3_h")
_CABINET_LIMITS = ("max_kg", "floor_max_kg_m2")


def _of_racks(given: PlanInput) -> dict[str, Decimal]:
    """Return the limits of each rack, by the name of the input; the height is one until racks are as high as any."""
    found = {name: value for name in _RACK_LIMITS if (value := getattr(given, name)) is not None}
    found |= {f"rack.{name}": value for name in _CABINET_LIMITS if (value := getattr(given.rack, name)) is not None}
    if given.rack.units < _HIGHEST:
        found["rack.units"] = Decimal(given.rack.units)
    return found


def _of_rows(given: PlanInput) -> dict[str, Decimal]:
    """Return how many rows there are, where each holds only so much."""
    rows = given.rows
    is_limit = rows.count is not None and (rows.racks_max is not None or rows.power_max_kw is not None)
    return {"rows.count": Decimal(rows.count or 0)} if is_limit else {}


_HIGHEST = int(UNITS.high or 0)


def _without_rack_limits(given: PlanInput, names: Collection[str]) -> PlanInput:
    lifted: dict[str, Any] = {name: None for name in _RACK_LIMITS if name in names}
    cabinet: dict[str, Any] = {name: None for name in _CABINET_LIMITS if f"rack.{name}" in names}
    rack = replace(given.rack, **cabinet)
    if "rack.units" in names:
        rack = replace(rack, units=_HIGHEST)
    if "rows.count" in names:
        lifted["rows"] = replace(given.rows, count=None)
    if "rows.power_max_kw" in names:
        # A rack stands in one row, and its power is limited by that of the row.
        lifted["rows"] = replace(lifted.get("rows", given.rows), power_max_kw=None)
    return replace(given, rack=rack, **lifted)


class _Enough(Exception):  # noqa: N818 - it reads as what happened
    """There is a layout; whether it is the best nobody asks."""


def _stop_at_one(value: Decimal | None, bound: float | None) -> None:
    if value is not None:
        raise _Enough


def _told(value: Decimal) -> str:
    return f"{plain(value):,}"
