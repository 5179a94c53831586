"""What goes into a rack: devices as the catalogue knows them, and lines of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal

from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range
from simulator.engine.parameters import text, whole

HEIGHT_U = Range("U", low=0, high=100, step=Decimal("0.5"))
WEIGHT_KG = Range("kg", low=0, high=20_000)
POWER_W = Range("W", low=0, high=10_000_000)
LIQUID_FRACTION = Range("", low=0, high=1)
ACCELERATORS = Range("accelerators", low=0, high=10_000, step=Decimal(1))
QUANTITY = Range("devices", low=1, high=1000, step=Decimal(1))

_RANGES = {
    "height_u": HEIGHT_U,
    "weight_kg": WEIGHT_KG,
    "power_nameplate_w": POWER_W,
    "power_typical_w": POWER_W,
    "power_idle_w": POWER_W,
    "heat_to_liquid_fraction": LIQUID_FRACTION,
    "accelerators_count": ACCELERATORS,
    "accelerator_tdp_w": POWER_W,
}


@dataclass(frozen=True, slots=True)
class Device:
    """A device type; None is unknown, and stays unknown in every sum.

    `height_u` in half rack units (0 for what hangs beside the rails). A device that is not `is_full_depth` leaves the
    other side of its unit to another one; unknown counts as full depth. `is_whole_rack` is a rack of its own.
    `heat_to_liquid_fraction` is the share of the heat that cold plates take; `has_cold_plates` where only that is
    known. `is_power_path` marks what passes power on (a PDU, a shelf, a UPS): its rating is a limit, and its load is
    that of the devices behind it, so it adds none.

    Raises InvalidParameters for values outside their range or against each other.
    """

    slug: str
    name: str = ""
    height_u: Decimal | None = None
    is_full_depth: bool | None = None
    is_whole_rack: bool = False
    weight_kg: Decimal | None = None
    power_nameplate_w: Decimal | None = None
    power_typical_w: Decimal | None = None
    power_idle_w: Decimal | None = None
    is_power_path: bool = False
    heat_to_liquid_fraction: Decimal | None = None
    has_cold_plates: bool | None = None
    is_immersible: bool | None = None
    accelerators_count: Decimal | None = None
    accelerator_tdp_w: Decimal | None = None

    def __post_init__(self) -> None:
        problems = [] if self.slug else [Problem("slug", "required", "A device needs a slug: reports name it.")]
        for name, allowed in _RANGES.items():
            value = getattr(self, name)
            problem = None if value is None else allowed.problem(name, value)
            if problem and name == "height_u" and 0 < value < Decimal("0.5"):
                # A quarter unit has no place of its own: it sits in a bay of a shelf.
                hint = "Enter the shelf or chassis as the device, with bays for what sits in it."
                problem = Problem(name, "out_of_range", f"{problem.message} {hint}")
            if problem:
                problems.append(problem)
        plates, liquid = self.has_cold_plates, self.heat_to_liquid_fraction
        if liquid is not None and plates is not None and plates != (liquid > 0):
            message = f"has_cold_plates is {plates}, but heat_to_liquid_fraction is {liquid}; correct one of them."
            problems.append(Problem("has_cold_plates", "conflict", message))
        raise_for(problems)

    @property
    def cold_plates(self) -> bool | None:
        """Whether it has cold plates; None if it says neither that nor a liquid share."""
        if self.heat_to_liquid_fraction is not None:
            return self.heat_to_liquid_fraction > 0
        return self.has_cold_plates


@dataclass(frozen=True, slots=True)
class Line:
    """`quantity` devices of one type."""

    device: Device = text(about="Slug of a device of the catalogue.")
    quantity: int = whole(QUANTITY)

    def __post_init__(self) -> None:
        problem = QUANTITY.problem("quantity", Decimal(self.quantity))
        raise_for([problem] if problem else [])


def merged(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return one line for each device, in order of slug, so that neither order nor splitting of lines matters.

    Raises InvalidParameters when two different devices have one slug.
    """
    found: dict[str, Line] = {}
    problems = []
    for line in lines:
        slug = line.device.slug
        known = found.get(slug)
        if known is None:
            found[slug] = line
            continue
        if known.device != line.device:
            differ = ", ".join(
                f.name for f in fields(Device) if getattr(known.device, f.name) != getattr(line.device, f.name)
            )
            problems.append(Problem("items", "conflict", f"Two devices are called {slug}; they differ in {differ}."))
        found[slug] = Line(known.device, known.quantity + line.quantity)
    raise_for(problems)
    return tuple(found[slug] for slug in sorted(found))
