"""What a saved run would say today: what moved since, because the engine or a device changed.

Nothing moves by itself: a scenario keeps its report until an editor saves it again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from core.api.errors import problems_of
from simulator.engine import ENGINE_VERSION, as_data
from simulator.engine.outcomes import Answer, is_answer, outcomes_of
from simulator.models import Scenario, ScenarioDrift
from simulator.services import run_question
from simulator.telling import said
from simulator.wording import words


@dataclass(frozen=True, slots=True)
class Moved:
    """A quantity as the scenario has it, and as it is today; null where it is unknown or there is none.

    `since` is when it was found to have moved: null where the worker has not looked yet.
    """

    quantity: str
    unit: str
    was: Decimal | None
    now: Decimal | None
    since: str | None = None

    @property
    def words(self) -> str:
        return words(self.quantity)

    @property
    def was_said(self) -> str:
        return said(self.was, self.unit)

    @property
    def now_said(self) -> str:
        return said(self.now, self.unit)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer of the report that is no number, by its path: whether a method is feasible, which limit binds."""

    path: str
    was: Answer | None
    now: Answer | None

    @property
    def was_said(self) -> str:
        return said(self.was, "")

    @property
    def now_said(self) -> str:
        return said(self.now, "")


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the input can no longer be run, by the path of its field."""

    field: str | None
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Drift:
    """How far a scenario lies behind. `problem` says why it can no longer be run, such as a device that is gone."""

    engine_version_was: str
    engine_version_now: str
    since: str | None
    moved: tuple[Moved, ...]
    outcomes: tuple[Outcome, ...]
    warnings_gone: tuple[str, ...]
    warnings_new: tuple[str, ...]
    problem: str | None
    problems: tuple[Refused, ...]

    @property
    def is_any(self) -> bool:
        """Whether readers see something that a run of today would not say."""
        return bool(self.moved or self.outcomes or self.warnings_gone or self.warnings_new or self.problem)


def drift_of(scenario: Scenario, *, at: str | None = None) -> Drift:
    """Return how the report of a scenario differs from a run of today: its cost is that of the run.

    What had moved before keeps its `since`; what is new gets `at`, an instant as text.
    """
    known = known_drift(scenario)
    since = known.get("since") or at
    try:
        now = run_question(scenario.kind, scenario.input).data
    except ValidationError as error:
        refused = tuple(Refused(*each) for each in problems_of(error))
        problem = " ".join(each.message for each in refused)
        return Drift(scenario.engine_version, ENGINE_VERSION, since, (), (), (), (), problem, refused)
    before, after = _quantities(scenario.result), _quantities(now)
    first_seen = {each["quantity"]: each.get("since") for each in known.get("moved", [])}
    moved = tuple(
        Moved(
            name,
            (after.get(name) or before[name])["unit"],
            _value(before, name),
            _value(after, name),
            first_seen.get(name) or at,
        )
        for name in dict.fromkeys([*before, *after])
        if _value(before, name) != _value(after, name)
    )
    gone, new = _codes(scenario.result), _codes(now)
    found = Drift(
        scenario.engine_version,
        ENGINE_VERSION,
        since,
        moved,
        tuple(_outcomes(scenario.result, now)),
        tuple(sorted(gone - new)),
        tuple(sorted(new - gone)),
        None,
        (),
    )
    return found if found.is_any else Drift(scenario.engine_version, ENGINE_VERSION, None, (), (), (), (), None, ())


def drift_shown(scenario: Scenario) -> Drift:
    """Return the drift as of now; of a scenario that is put aside what is known, for its run would end us too."""
    known = ScenarioDrift.objects.filter(scenario=scenario).first()
    if known is None or not known.is_put_aside:
        return drift_of(scenario)
    data = known.data
    problems = tuple(Refused(**problem) for problem in data["problems"])
    versions = data["engine_version_was"], data["engine_version_now"]
    return Drift(*versions, data["since"], (), (), (), (), data["problem"], problems)


def drift_data(scenario: Scenario) -> dict[str, Any]:
    """Return the drift as JSON takes it."""
    return as_data(drift_shown(scenario))


def cannot_run(scenario: Scenario, problem: Refused, *, at: str) -> Drift:
    """Return that a scenario cannot be run, since `at`, an instant as text, unless something had moved before."""
    since = known_drift(scenario).get("since") or at
    return Drift(scenario.engine_version, ENGINE_VERSION, since, (), (), (), (), problem.message, (problem,))


def known_drift(scenario: Scenario) -> dict[str, Any]:
    """Return the drift of a scenario that the worker found, as JSON has it; empty where it found none."""
    try:
        return dict(scenario.drift.data)
    except ScenarioDrift.DoesNotExist:
        return {}


def drift_in_words(data: Mapping[str, Any]) -> str:
    """Return in a few words how far a scenario lies behind; empty where nothing moved."""
    if not data:
        return ""
    if data["problem"]:
        return "can no longer be run"
    count = len(data["moved"])
    if not count:
        return "other answers or warnings"
    return "1 number" if count == 1 else f"{count} numbers"


def _quantities(report: Any) -> dict[str, Any]:
    return {entry["quantity"]: entry for entry in report.get("trace", [])}


def _value(rows: dict[str, Any], name: str) -> Any:
    return rows[name]["value"] if name in rows else None


def _codes(report: Any) -> set[str]:
    return {warning["code"] for warning in report.get("warnings", [])}


def _outcomes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Outcome]:
    was, now = outcomes_of(before), outcomes_of(after)
    for path in dict.fromkeys([*was, *now]):
        one, other = was.get(path), now.get(path)
        # A number that became known or unknown is told with its quantity.
        if one != other and (is_answer(one) or is_answer(other)):
            yield Outcome(path, one, other)
