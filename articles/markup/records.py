"""What a text refers to, and how the parser asks whether it exists.

The parser never loads anything. A caller asks `wanted(source)` for the names, loads each kind with one query, and hands
the answers to `parse()`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from .blocks import Rung

Kind = Literal["quantity", "article", "image", "device", "vendor", "installation", "scenario", "source"]


@dataclass(frozen=True, slots=True)
class Record:
    """What the parser needs to know of a record that exists.

    `text`: what stands for it ("700 W", the title of a source, the name of a device). `value`: of a quantity, the
    number for machines. `rungs`: of a scenario that is a ladder. `is_unknown`: of a quantity that has a place and no
    value, so no text can show it.
    """

    text: str
    value: str = ""
    rungs: tuple[Rung, ...] = ()
    is_unknown: bool = False


class Records(Protocol):
    """Answers what exists.

    The key of a quantity is its name as it is written, without spaces: "h100-sxm5.power_max_w", "fact:grid-share",
    "scenario:four-racks.density_kw". Without a prefix a device is meant, else an installation. All other keys are
    slugs; of an image, its name.
    """

    def find(self, kind: Kind, key: str) -> Record | None:
        """Return the record, or None where there is none."""
        ...


Names = Collection[str] | Mapping[str, str] | Mapping[str, Record]


@dataclass(frozen=True, slots=True)
class Known:
    """Records that were loaded before: names alone, or names with text or Record."""

    quantities: Names = ()
    articles: Names = ()
    images: Names = ()
    devices: Names = ()
    vendors: Names = ()
    installations: Names = ()
    scenarios: Names = ()
    sources: Names = ()

    def find(self, kind: Kind, key: str) -> Record | None:
        names: Names = getattr(self, plural(kind))
        if isinstance(names, Mapping):
            found = names.get(key)
            return Record(found) if isinstance(found, str) else found
        return Record(key) if key in names else None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The references that a text makes, of each kind once, in the order in which the parser asks for them."""

    quantities: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()
    installations: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(slots=True)
class Asked:
    """Records of nothing, which remember what was asked for."""

    names: dict[str, dict[str, None]] = field(default_factory=dict)

    def find(self, kind: Kind, key: str) -> Record | None:
        if key.strip():
            self.names.setdefault(plural(kind), {})[key] = None
        return None

    def wanted(self) -> Wanted:
        return Wanted(**{kind: tuple(names) for kind, names in self.names.items()})


def plural(kind: Kind) -> str:
    return "quantities" if kind == "quantity" else f"{kind}s"
