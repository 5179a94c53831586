"""What differs between two editions, or an edition and the draft: field by field, text as a diff."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Difference:
    """One field that differs. `lines` is a unified diff where the field is a longer text, else empty."""

    field: str
    old: Any
    new: Any
    lines: list[str]


def compare(old: Mapping[str, Any], new: Mapping[str, Any], *, texts: tuple[str, ...] = ("body",)) -> list[Difference]:
    """Return the differences between two documents, in the order of their fields."""
    found = []
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        lines = []
        if name in texts:
            lines = list(
                difflib.unified_diff(
                    str(before or "").splitlines(), str(after or "").splitlines(), "old", "new", lineterm="", n=2
                )
            )
        found.append(Difference(name, before, after, lines))
    return found
