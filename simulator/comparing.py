"""Two to six inputs or scenarios beside each other: quantities, how far each lies from the first, and what differs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from core.publishing.services import database_now
from simulator.engine import InvalidParameters, Problem, as_data
from simulator.engine.layers import run_asked
from simulator.engine.numbers import REPORT_DIGITS, precise, rounded
from simulator.engine.outcomes import Answer, are_told, outcomes_of
from simulator.engine.reader import is_text, short
from simulator.models import Scenario
from simulator.services import QUESTIONS, read_question, refusal

LEAST, MOST = 2, 6
AT_TYPICAL = "at_typical"
"""Warns of scenarios that hold ranges, which stand in a comparison with their typical values."""
_KEYS = ("name", "scenario", "input")
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Beside:
    """A quantity of all that are compared; `differences` and `ratios` are against the first."""

    quantity: str
    unit: str
    values: tuple[Decimal | None, ...]
    differences: tuple[Decimal | None, ...]
    ratios: tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True)
class WarnedBeside:
    """A warning, and of which of those that are compared it holds."""

    code: str
    holds: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class OutcomeBeside:
    """An answer of all that are compared that is no number, by its path in the report; `differs` if not all agree."""

    path: str
    values: tuple[Answer | None, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, by name, and its quantities. What one of them does not have, or not know, is null there."""

    layer: str
    names: tuple[str, ...]
    quantities: tuple[Beside, ...]
    warnings: tuple[WarnedBeside, ...]
    outcomes: tuple[OutcomeBeside, ...]


def compare(data: object) -> dict[str, Any]:
    """Return the comparison that `data` asks for, as JSON takes it; scenarios run as they would today.

    Raises ValidationError with every problem at once.
    """
    layer_name, entries, problems = _read(data)
    reports, at_typical = [], []
    for n, (_, given) in enumerate(entries):
        if given is _NOTHING or layer_name not in QUESTIONS:
            continue  # What is wrong with it has been named.
        is_scenario = isinstance(given, Scenario)
        try:
            layer, asked = read_question(layer_name, given.input if isinstance(given, Scenario) else given)
            if asked.spans and not is_scenario:
                message = "A comparison takes one number here; ask for the range by itself."
                found = [Problem(where, "range_not_allowed", message) for where in asked.spans]
                problems += [each.under(f"compared[{n}].input") for each in found]
                continue
            # The ranges of a scenario are its editor's: it stands here with its typical values, as in its report.
            reports.append(run_asked(layer, replace(asked, spans={})))
            at_typical.append(bool(asked.spans))
        except (ValidationError, InvalidParameters) as error:
            found = _problems_of(error)
            problems += [_in_scenario(n, each) if is_scenario else each.under(f"compared[{n}].input") for each in found]
    if problems:
        raise refusal(problems)
    return as_data(_compared(layer_name, tuple(name for name, _ in entries), reports, at_typical))


def _problems_of(error: ValidationError | InvalidParameters) -> list[Problem]:
    if isinstance(error, InvalidParameters):
        return list(error.problems)
    return [
        Problem("" if where == NON_FIELD_ERRORS else where, item.code or "invalid", " ".join(item.messages))
        for where, items in error.error_dict.items()
        for item in items
    ]


def _in_scenario(n: int, problem: Problem) -> Problem:
    """Return what is wrong with the input of a scenario as of the slug that names it: the client sent no more."""
    where = f" at {problem.field}" if problem.field else ""
    message = f"The scenario cannot be run today: its input{where} is refused. {problem.message}"
    return Problem(f"compared[{n}].scenario", problem.code, f"{message} Leave it out, or compare an input of your own.")


def _read(data: object) -> tuple[str, list[tuple[str, Any]], list[Problem]]:
    if not isinstance(data, Mapping):
        raise refusal([Problem("", "wrong_type", "Send an object with layer and compared.")])
    problems = [
        Problem(short(key), "unknown_key", f"{short(key)} is not known; give layer and compared.")
        for key in data
        if key not in ("layer", "compared")
    ]
    if "layer" in data and data["layer"] not in QUESTIONS:
        problems.append(Problem("layer", "not_a_choice", f"layer is one of {', '.join(QUESTIONS)}."))
    rows = data.get("compared")
    if code := _uncomparable(rows):
        problems.append(Problem("compared", code, f"compared is a list of {LEAST} to {MOST} entries."))
        raise refusal(problems)
    assert isinstance(rows, list)
    wanted = {row["scenario"] for row in rows if isinstance(row, dict) and is_text(row.get("scenario"))}
    scenarios = {}
    if wanted:
        found = Scenario.objects.visible(database_now()).filter(slug__in=wanted)
        scenarios = {scenario.slug: scenario for scenario in found}
    kinds = [scenarios[row["scenario"]].kind for row in rows if _names(row, scenarios)]
    layer = data.get("layer", kinds[0] if kinds else "rack")
    entries = [_entry(n, row, layer, scenarios, problems) for n, row in enumerate(rows)]
    names = [name for name, _ in entries if name]
    if len(set(names)) < len(names):
        problems.append(Problem("compared", "conflict", "Two entries have one name; give each its own."))
    return layer, entries, problems


def _uncomparable(rows: object) -> str | None:
    """Return the code for what is no list of as many as can be compared, or None."""
    if rows is None:
        return "required"
    if not isinstance(rows, list):
        return "wrong_type"
    return "too_few" if len(rows) < LEAST else "too_many" if len(rows) > MOST else None


def _names(row: Any, scenarios: Mapping[str, Scenario]) -> bool:
    return isinstance(row, dict) and isinstance(row.get("scenario"), str) and row["scenario"] in scenarios


def _entry(n: int, row: Any, layer: str, scenarios: Mapping[str, Scenario], problems: list[Problem]) -> tuple[str, Any]:
    path = f"compared[{n}]"
    if not isinstance(row, dict):
        problems.append(Problem(path, "wrong_type", f"{path} is an object with input, or with scenario."))
        return "", _NOTHING
    problems += [
        Problem(f"{path}.{short(key)}", "unknown_key", f"{short(key)} is not known; give name, input, scenario.")
        for key in row
        if key not in _KEYS
    ]
    name = row.get("name", row.get("scenario", f"{n + 1}"))
    if not is_text(name):
        if "name" in row:
            message = "name is a text of 1 to 200 characters, without NUL and lone surrogates."
            problems.append(Problem(f"{path}.name", "wrong_type", message))
        name = ""
    if ("scenario" in row) == ("input" in row):
        problems.append(Problem(path, "conflict", f"{path} has either input, or scenario, the slug of one."))
        return name, _NOTHING
    if "input" in row:
        return name, row["input"]
    scenario = scenarios.get(row["scenario"]) if isinstance(row["scenario"], str) else None
    if scenario is None:
        problems.append(Problem(f"{path}.scenario", "unknown_scenario", "There is no scenario of this name."))
        return name, _NOTHING
    if layer != scenario.kind:
        message = f"The scenario is of the kind {scenario.kind}; {layer} was asked for."
        problems.append(Problem(f"{path}.scenario", "conflict", message))
        return name, _NOTHING
    return name, scenario


def _compared(layer: str, names: tuple[str, ...], reports: list[Any], at_typical: list[bool]) -> Comparison:
    columns = [{entry.quantity: entry for entry in report.trace} for report in reports]
    order = dict.fromkeys(quantity for column in columns for quantity in column)
    rows = []
    with precise():
        for quantity in order:
            unit = next(column[quantity].unit for column in columns if quantity in column)
            values = tuple(column[quantity].value if quantity in column else None for column in columns)
            first = values[0]
            differences = tuple(None if first is None or each is None else each - first for each in values)
            ratios = tuple(
                None if not first or each is None else rounded(each / first, REPORT_DIGITS) for each in values
            )
            rows.append(Beside(quantity, unit, values, differences, ratios))
    codes = dict.fromkeys(warning.code for report in reports for warning in report.warnings)
    said = [{warning.code for warning in report.warnings} for report in reports]
    warnings = tuple(WarnedBeside(code, tuple(code in each for each in said)) for code in codes)
    if any(at_typical):
        warnings = (*warnings, WarnedBeside(AT_TYPICAL, tuple(at_typical)))
    return Comparison(layer, names, tuple(rows), warnings, tuple(_outcomes(reports)))


def _outcomes(reports: list[Any]) -> Iterator[OutcomeBeside]:
    columns = [outcomes_of(report) for report in reports]
    for path in dict.fromkeys(path for column in columns for path in column):
        values = tuple(column.get(path) for column in columns)
        if are_told(path, values):
            yield OutcomeBeside(path, values, len(set(values)) > 1)
