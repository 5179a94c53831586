"""The verdict on each row of a table: what a page, an answer or a command shows of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.numbers import REPORT_DIGITS, rounded
from simulator.engine.validation.cases import Case, Finding, check, read_case, unused

VERDICTS = {
    "holds": "Ours is within the tolerance.",
    "fails": "Ours is outside the tolerance of a row that must hold.",
    "differs": "Ours is outside the tolerance of a row that does not close in its source; shown, never fitted to.",
    "unanswered": "No function of the engine gives this value from these inputs.",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """One value of a row: as published, ours, the relative error, and one of VERDICTS."""

    name: str
    published: Any
    ours: Any
    error_fraction: Decimal | None
    verdict: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its source; its verdict is the worst of its values'. `unused_inputs` made none of our values."""

    id: str
    title: str
    kind: str
    status: str
    source: Mapping[str, str]
    note: str
    verdict: str
    values: tuple[Compared, ...]
    unused_inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that cannot be compared: its place in the table, from 1 on, its id as far as it has one, and why."""

    number: int
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Table:
    """A whole table; `counts` has the values by verdict, `broken` the rows that are not among `rows`."""

    rows: tuple[Row, ...]
    counts: Mapping[str, int]
    broken: tuple[Broken, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether there is something to check, every value is answered, and none that must hold fails."""
        return bool(self.rows) and not self.broken and not self.counts["fails"] and not self.counts["unanswered"]


_WORST = ("fails", "unanswered", "differs", "holds")


def compare_table(rows: Iterable[object]) -> Table:
    """Return every row of JSON compared with the engine; a row of another form is told among the broken ones."""
    compared: list[Row] = []
    broken: list[Broken] = []
    for number, row in enumerate(rows, 1):
        try:
            case = read_case(row)
        except ValueError as error:
            name = row.get("id") if isinstance(row, Mapping) else None
            broken.append(Broken(number, None if name is None else str(name), str(error)))
        else:
            compared.append(_row(case))
    verdicts = [value.verdict for row in compared for value in row.values]
    return Table(tuple(compared), {verdict: verdicts.count(verdict) for verdict in VERDICTS}, tuple(broken))


def _row(case: Case) -> Row:
    findings = check(case)
    values = tuple(_compared(case, finding) for finding in findings)
    verdict = next(each for each in _WORST if any(value.verdict == each for value in values))
    return Row(
        case.id, case.title, case.kind, case.status, case.source, case.note, verdict, values, unused(case, findings)
    )


def _compared(case: Case, finding: Finding) -> Compared:
    if finding.holds is None:
        verdict = "unanswered"
    elif finding.holds:
        verdict = "holds"
    else:
        verdict = "differs" if case.status == "control" else "fails"
    error = finding.error_fraction
    return Compared(
        finding.name,
        finding.expected,
        _rounded(finding.ours),
        None if error is None else rounded(error, REPORT_DIGITS),
        verdict,
        finding.reason,
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, Decimal):
        return rounded(value, REPORT_DIGITS + 2)
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _rounded(each) for key, each in value.items()}
    return value
