"""How every number of a report says where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from simulator.engine.numbers import CACHED_MAX, INPUT_DIGITS, REPORT_DIGITS, Many, exact, plain, rounded


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity the engine computes: its name in reports, unit, formula in symbols, and where the formula is from.

    `is_exact` says that it is made of sums and products only, so that it is reported as it is; what has a quotient or a
    root in it is reported with six significant digits.
    """

    name: str
    unit: str
    formula: str
    source: str
    is_exact: bool = True

    def __post_init__(self) -> None:
        if self.name in _quantities:
            raise ValueError(f"The quantity {self.name} is defined twice.")
        _quantities[self.name] = self

    def presented(self, value: Decimal | None) -> Decimal | None:
        """Return `value` with the digits that a report shows of this quantity."""
        return None if value is None else rounded(value, INPUT_DIGITS if self.is_exact else REPORT_DIGITS)


_quantities: dict[str, Quantity] = {}


def quantities() -> Mapping[str, Quantity]:
    """Return every quantity of the engine by name: what an article can say that it explains."""
    return dict(_quantities)


@dataclass(frozen=True)
class TraceInput:
    """One value that went into a formula, with 15 digits and as JSON has it; None where it is unknown.

    Without slots, as JSON is written of it three times as fast; a report holds hundreds of these.
    """

    name: str
    value: float | None


def told(name: str, value: Decimal | int | None) -> TraceInput:
    """Return what a trace says of a value; of many that are computed at once nobody reads it."""
    return TraceInput(name, None) if isinstance(value, Many) else _told(name, value)


@lru_cache(maxsize=CACHED_MAX)
def _told(name: str, value: Decimal | int | None) -> TraceInput:
    return TraceInput(name, None if value is None else plain(rounded(exact(value), INPUT_DIGITS)))


@dataclass
class TraceEntry:
    """One number of a report, how it was computed, from what, and by whose authority.

    Neither frozen nor with slots, as it is made three times as fast.
    """

    quantity: str
    value: Decimal | None
    unit: str
    formula: str
    inputs: tuple[TraceInput, ...]
    source: str


@dataclass(slots=True)
class Trace:
    """The entries of a report under construction, in the order in which they were computed."""

    entries: list[TraceEntry] = field(default_factory=list)

    def record(self, quantity: Quantity, value: Decimal | None, **inputs: Decimal | None) -> Decimal | None:
        """Keep `value` of `quantity` with its inputs, and return it as the report shows it."""
        return self.record_told(quantity, value, [told(name, each) for name, each in inputs.items()])

    def record_from(
        self, quantity: Quantity, value: Decimal | None, inputs: Mapping[str, Decimal | None], source: str = ""
    ) -> Decimal | None:
        """The same for inputs whose names are no Python names, or with a source that depends on the input."""
        return self.record_told(quantity, value, [told(name, each) for name, each in inputs.items()], source)

    def record_told(
        self, quantity: Quantity, value: Decimal | None, inputs: Iterable[TraceInput], source: str = ""
    ) -> Decimal | None:
        """The same for inputs that are told already."""
        shown = quantity.presented(value)
        self.entries.append(
            TraceEntry(quantity.name, shown, quantity.unit, quantity.formula, tuple(inputs), source or quantity.source)
        )
        return shown

    def put(self, quantity: Quantity, value: Decimal | int | None, **inputs: Decimal | int | None) -> Decimal | None:
        """The same for counts and truths (1 and 0), which become decimals."""
        shown = None if value is None else exact(value)
        return self.record_told(quantity, shown, [told(name, each) for name, each in inputs.items()])
