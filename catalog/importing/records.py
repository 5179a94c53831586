"""What the readers give: device, module and rack types with components and sourced claims. Plain values, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils.text import slugify

from core.facts.units import as_decimal, convert

# The column of the catalogue.
MAX_SLUG = 120


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record begins: a file, relative to the path of the run, and a line of it."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Weight:
    """As entered; `unit` is kg, g, lb or oz."""

    value: Decimal
    unit: str

    @property
    def kg(self) -> Decimal:
        """The weight in kg, exact to the twelfth decimal (an ounce has as many)."""
        return as_decimal(convert(self.value, self.unit, "kg"), places=12)


@dataclass(frozen=True, slots=True)
class Source:
    """A document that claims cite. `date` is as the source gives it: a day, a month, a year, or empty where undated."""

    title: str
    publisher: str
    date: str = ""
    url: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One value of one quantity of a device, as its source has it.

    `unit` is the unit of the source (kg, lb, W, U, cfm; empty for a count). `kind` is nameplate, typical or idle for a
    power and stated for anything else. `confidence` is reported or unverified. `note` says where in the source it
    stands.
    """

    field: str
    value: Decimal
    unit: str
    kind: str
    confidence: str
    source: Source
    note: str
    line: int


@dataclass(frozen=True, slots=True)
class Component:
    """A port, bay, interface or item. `kind` is the library's word for the list, such as power-ports.

    `attributes` holds every other key that the library's schema knows for the kind, and `description`.
    """

    kind: str
    name: str
    type: str
    label: str
    attributes: Mapping[str, str | int | bool]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceType:
    """`None` and empty texts stand for what the source does not say.

    `device_kind` is the word of the systems file (server, rack, switch, cdu-in-rack, …); `contains` counts what a
    whole-rack device is made of, `remark` is what the systems file adds in words. `images` names the pictures that the
    library promises. `origin` is the reader: library or systems.
    """

    place: Place
    origin: str
    manufacturer: str
    model: str
    slug: str
    part_number: str = ""
    description: str = ""
    comments: str = ""
    device_kind: str = ""
    u_height: Decimal | None = None
    is_full_depth: bool | None = None
    airflow: str = ""
    weight: Weight | None = None
    subdevice_role: str = ""
    is_powered: bool | None = None
    images: tuple[str, ...] = ()
    psu_redundancy: str = ""
    remark: str = ""
    contains: Mapping[str, int] = field(default_factory=dict)
    components: tuple[Component, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def identity(self) -> tuple[str, str]:
        return slugify(self.manufacturer), self.model


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleType:
    place: Place
    manufacturer: str
    model: str
    slug: str
    part_number: str = ""
    description: str = ""
    comments: str = ""
    weight: Weight | None = None
    components: tuple[Component, ...] = ()

    @property
    def identity(self) -> tuple[str, str]:
        return slugify(self.manufacturer), self.model


@dataclass(frozen=True, slots=True, kw_only=True)
class RackType:
    """Outer lengths as entered, in `outer_unit` (mm or in); the depth between the rails is always in mm."""

    place: Place
    manufacturer: str
    model: str
    slug: str
    form_factor: str
    width_inch: int
    u_height: int
    starting_unit: int
    description: str = ""
    comments: str = ""
    outer_width: Decimal | None = None
    outer_height: Decimal | None = None
    outer_depth: Decimal | None = None
    outer_unit: str = ""
    mounting_depth_mm: int | None = None
    weight: Weight | None = None
    max_weight: Weight | None = None
    is_numbered_down: bool = False

    @property
    def identity(self) -> tuple[str, str]:
        return slugify(self.manufacturer), self.model


TypeRecord = DeviceType | ModuleType | RackType
