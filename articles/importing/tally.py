"""What a run did, by kind; what it refused; and the files that it wrote, which no transaction takes back."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from catalog.importing.problems import Notice, Refusal
from catalog.importing.records import Place

IN_BODY = re.compile(r"^Line \d+, column (\d+): ")


def written(counts: Mapping[tuple[str, str], int]) -> int:
    """Return how many rows were written, of counts by (kind, verb)."""
    return sum(number for (_, verb), number in counts.items() if verb != "unchanged")


@dataclass
class Tally:
    """`counts` holds (kind, verb): verbs are created, changed, published, unchanged."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    refusals: list[Refusal] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    files: list[tuple[Any, str]] = field(default_factory=list)

    def count(self, kind: str, verb: str, number: int = 1) -> None:
        self.counts[kind, verb] += number

    @property
    def written(self) -> int:
        """How many rows were written so far."""
        return written(self.counts)

    def notice(self, place: Place, name: str, code: str, message: str) -> None:
        self.notices.append(Notice(place.file, place.line, name, code, message))

    def remove_files(self) -> None:
        """Remove the files that the run wrote, for what names them was rolled back."""
        for storage, name in self.files:
            storage.delete(name)
        self.files.clear()


def refusals_of(error: ValidationError, place: Place, *, body_line: int = 1) -> list[Refusal]:
    """Return a refusal for each message of `error`. Lines of a body count from `body_line` of the file."""
    by_field = error.error_dict if hasattr(error, "error_dict") else {"": error.error_list}
    refusals = []
    for name, errors in by_field.items():
        shown = "" if name == "__all__" else name
        for each in errors:
            line = place.line
            texts = each.messages
            if shown == "body" and each.params and "line" in each.params:
                # The message counts from the head of the body, the report from that of the file.
                line = body_line - 1 + int(each.params["line"])
                texts = [IN_BODY.sub(r"column \1: ", text) for text in texts]
            refusals += [Refusal(place.file, line, shown, each.code or "invalid", text) for text in texts]
    return refusals
