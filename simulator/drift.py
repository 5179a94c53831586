"""What a saved run would say today: the numbers that moved since, because the engine or a device changed.

Nothing moves by itself: a scenario keeps its report until an editor saves it again.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from core.api.errors import problems_of
from simulator.engine import ENGINE_VERSION, as_data
from simulator.models import Scenario
from simulator.services import run_question


@dataclass(frozen=True, slots=True)
class Moved:
    """A quantity as the scenario has it, and as it is today; null where it is unknown or there is none."""

    quantity: str
    unit: str
    was: Decimal | None
    now: Decimal | None


@dataclass(frozen=True, slots=True)
class Drift:
    """How far a scenario lies behind. `problem` says why it can no longer be run, such as a device that is gone."""

    engine_version_was: str
    engine_version_now: str
    moved: tuple[Moved, ...]
    warnings_gone: tuple[str, ...]
    warnings_new: tuple[str, ...]
    problem: str | None

    @property
    def is_any(self) -> bool:
        """Whether readers see something that a run of today would not say."""
        return bool(self.moved or self.warnings_gone or self.warnings_new or self.problem)


def drift_of(scenario: Scenario) -> Drift:
    """Return how the report of a scenario differs from a run of today: its cost is that of the run."""
    try:
        now = run_question(scenario.kind, scenario.input).data
    except ValidationError as error:
        said = " ".join(problem.message for problem in problems_of(error))
        return Drift(scenario.engine_version, ENGINE_VERSION, (), (), (), said)
    before, after = _quantities(scenario.result), _quantities(now)
    moved = tuple(
        Moved(name, (after.get(name) or before[name])["unit"], _value(before, name), _value(after, name))
        for name in dict.fromkeys([*before, *after])
        if _value(before, name) != _value(after, name)
    )
    gone, new = _codes(scenario.result), _codes(now)
    return Drift(
        scenario.engine_version, ENGINE_VERSION, moved, tuple(sorted(gone - new)), tuple(sorted(new - gone)), None
    )


def drift_data(scenario: Scenario) -> dict[str, Any]:
    """Return the drift as JSON takes it."""
    return as_data(drift_of(scenario))


def _quantities(report: Any) -> dict[str, Any]:
    return {entry["quantity"]: entry for entry in report.get("trace", [])}


def _value(rows: dict[str, Any], name: str) -> Any:
    return rows[name]["value"] if name in rows else None


def _codes(report: Any) -> set[str]:
    return {warning["code"] for warning in report.get("warnings", [])}
