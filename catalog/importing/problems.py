"""What an import refuses, and what it only remarks on: each with file, line, field, code and message."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """A record (or, with an empty `field`, a file) that is not imported. `line` counts from 1; codes are API."""

    file: str
    line: int
    field: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field + ': ' if self.field else ''}{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True, order=True)
class Notice:
    """Something odd in a record that is imported all the same. The same fields as `Refusal`."""

    file: str
    line: int
    field: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field + ': ' if self.field else ''}{self.message} [{self.code}]"


class Problems:
    """Collects what is wrong with one document, so that a person gets all of it in one run."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.refusals: list[Refusal] = []
        self._notices: dict[tuple[str, str], tuple[Notice, int]] = {}

    def refuse(self, line: int, field: str, code: str, message: str) -> None:
        self.refusals.append(Refusal(self.file, line, field, code, message))

    def notice(self, line: int, field: str, code: str, message: str, *, group: str | None = None) -> None:
        """Keep a notice; those of one `group` (default: the field) are kept once, with their number.

        A switch of 326 ports with one odd key would otherwise bury every other notice.
        """
        key = (code, group or field)
        first, count = self._notices.get(key, (Notice(self.file, line, field, code, message), 0))
        self._notices[key] = (first, count + 1)

    @property
    def notices(self) -> list[Notice]:
        found = []
        for first, count in self._notices.values():
            more = f" ({count} times in this document)" if count > 1 else ""
            found.append(Notice(first.file, first.line, first.field, first.code, first.message + more))
        return found
