"""What the simulator does for others: run a rack of the catalogue's devices, and save such a run as a scenario."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol
from uuid import UUID

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction

from catalog.models import RackType
from core.publishing.models import Reference
from simulator.catalogue import devices_named, engine_device, engine_rack
from simulator.engine import (
    ENGINE_VERSION,
    RACK,
    Asked,
    Device,
    InvalidParameters,
    Layer,
    Problem,
    Rack,
    RackInput,
    RackReport,
    as_data,
)
from simulator.engine.layer_list import LAYERS
from simulator.engine.layers import run_asked
from simulator.engine.reading import named_slugs, read_rack_asked
from simulator.engine.reading_layers import read_layer
from simulator.models import WORKER_LOST, BegunCheck, Scenario, ScenarioCheck, ScenarioDrift
from simulator.planning import PlanInput, plan
from simulator.planning.reading import LISTS, read_plan_input


@dataclass(frozen=True)
class RackRun:
    """A rack that was run: its input, its report, and the records of the catalogue that went into it."""

    given: RackInput
    report: RackReport
    made_of: tuple[tuple[str, UUID, str], ...]
    """(kind, id, slug) of each device and of the rack type, in no order."""

    @property
    def data(self) -> dict[str, Any]:
        """The report as JSON takes it."""
        return as_data(self.report)  # type: ignore[no-any-return]


def run_rack(data: object) -> RackRun:
    """Run the rack that `data` asks about, as the API takes it; at most two statements.

    Raises ValidationError with every problem at once, by the path of its field (`items[0].device`); codes are those of
    `read_rack_asked`, and `unusable_device` for a device whose record in the catalogue no rack could hold.
    """
    named = _named(data, ("items",))
    try:
        asked = read_rack_asked(data, devices=named.devices, racks=named.racks)
        report = run_asked(RACK, asked)
    except InvalidParameters as error:
        raise refusal(_about_records(data, error.problems, named.unusable)) from error
    return RackRun(asked.input, report, tuple(named.made_of))


QUESTIONS = ("rack", *LAYERS)
"""What can be swept, compared and saved: the rack, and every layer beside it."""


@dataclass(frozen=True)
class Answer:
    """The report of any question, and the records of the catalogue that went into it: (kind, id, slug) of each."""

    report: Any
    made_of: tuple[tuple[str, UUID, str], ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The report as JSON takes it."""
        return as_data(self.report)  # type: ignore[no-any-return]


def run_question(name: str, data: object) -> Answer:
    """Answer a question by its name (`rack`, `hall`…), as the API takes it; for the rack at most two statements.

    Raises ValidationError as `run_rack` and `run_layer` do.
    """
    if name == "rack":
        run = run_rack(data)
        return Answer(run.report, run.made_of)
    return Answer(layer_report(name, data))


def read_question(name: str, data: object) -> tuple[Layer, Asked]:
    """Return the layer of a name, with what `data` asks of it; for the rack at most two statements.

    Raises ValidationError as `run_rack` and `run_layer` do.
    """
    if name != "rack":
        try:
            return LAYERS[name], read_layer(LAYERS[name], data)
        except InvalidParameters as error:
            raise refusal(error.problems) from error
    named = _named(data, ("items",))
    try:
        return RACK, read_rack_asked(data, devices=named.devices, racks=named.racks)
    except InvalidParameters as error:
        raise refusal(_about_records(data, error.problems, named.unusable)) from error


def read_plan(data: object) -> PlanInput:
    """Return the plan that `data` asks for, as the API takes it; at most two statements.

    Raises ValidationError with every problem at once, as `run_rack` does.
    """
    named = _named(data, LISTS)
    try:
        return read_plan_input(data, devices=named.devices, racks=named.racks)
    except InvalidParameters as error:
        raise refusal(_about_records(data, error.problems, named.unusable)) from error


class PlanWatch(Protocol):
    """Who watches a plan: its clock, in seconds, and who is told of better layouts and bounds. Either may end it."""

    def clock(self) -> float: ...

    def tell(self, best: Decimal | None, bound: float | None) -> None: ...


def run_plan(data: object, *, watch: PlanWatch) -> dict[str, Any]:
    """Return the layout that `data` asks for, as JSON takes it, after as long as the input allows: up to a minute."""
    return as_data(plan(read_plan(data), clock=watch.clock, tell=watch.tell))  # type: ignore[no-any-return]


@dataclass
class _Named:
    """What an input names of the catalogue, for the engine; `unusable` says what no device or rack could be."""

    devices: dict[str, Device] = field(default_factory=dict)
    racks: dict[str, Rack] = field(default_factory=dict)
    made_of: list[tuple[str, UUID, str]] = field(default_factory=list)
    unusable: dict[str, InvalidParameters] = field(default_factory=dict)


def _named(data: object, lists: Sequence[str]) -> _Named:
    slugs, rack_slug = named_slugs(data, lists)
    found = _Named()
    for device in devices_named(slugs) if slugs else ():
        found.made_of.append(("device", device.pk, device.slug))
        try:
            found.devices[device.slug] = engine_device(device)
        except InvalidParameters as error:
            found.unusable[device.slug] = error
    for rack_type in RackType.objects.filter(slug=rack_slug) if rack_slug else ():
        found.made_of.append(("rack_type", rack_type.pk, rack_type.slug))
        try:
            found.racks[rack_type.slug] = engine_rack(rack_type)
        except InvalidParameters as error:
            found.unusable[rack_type.slug] = error
    return found


def run_layer(name: str, data: object) -> dict[str, Any]:
    """Run a layer beside the rack (`hall`, `fabric`…) as the API takes it, and return its report as JSON takes it.

    Raises ValidationError with every problem at once, by the path of its field; codes are those of `read_layer`.
    """
    return as_data(layer_report(name, data))  # type: ignore[no-any-return]


def layer_report(name: str, data: object) -> Any:
    """Return the report of a layer as the engine gives it: its own dataclass. Raises ValidationError as `run_layer`."""
    layer = LAYERS[name]
    try:
        return run_asked(layer, read_layer(layer, data))
    except InvalidParameters as error:
        raise refusal(error.problems) from error


@transaction.atomic
def save_scenario(
    *,
    slug: str,
    title: str,
    input: Mapping[str, Any],  # noqa: A002 - the name of the field
    description: str = "",
    kind: str = "rack",
    scenario: Scenario | None = None,
) -> Scenario:
    """Run `input` and save it with its report as `scenario`, else as the scenario with the slug, else as a new one.

    A save that changes nothing writes nothing, so that no reader's copy goes stale. The devices of the run are its
    references: the catalogue keeps what is used. Raises ValidationError: on `input.…` what `run_question` refuses, on
    `kind` one that is none (`not_a_choice`) or another than it was saved with (`kind_is_fixed`), and what the model
    does.
    """
    if kind not in QUESTIONS:
        message = f"{kind[:40]} is no kind; choose one of {', '.join(QUESTIONS)}."
        raise ValidationError({"kind": ValidationError(message, code="not_a_choice")})
    row = scenario or Scenario.objects.select_for_update().filter(slug=slug).first() or Scenario(kind=kind)
    if row.kind != kind:
        message = f"This scenario is of the kind {row.kind}, and articles show it as that: save another one."
        raise ValidationError({"kind": ValidationError(message, code="kind_is_fixed")})
    try:
        answer = run_question(kind, input)
    except ValidationError as error:
        raise ValidationError({_in_input(path): errors for path, errors in error.error_dict.items()}) from error
    wanted = {
        "slug": slug,
        "title": title,
        "description": description,
        "kind": kind,
        "input": as_data(input),
        "result": answer.data,
        "engine_version": ENGINE_VERSION,
    }
    if row._state.adding or any(getattr(row, name) != value for name, value in wanted.items()):
        for name, value in wanted.items():
            setattr(row, name, value)
        row.full_clean()
        row.save()
        row.refresh_from_db(fields=["created_at", "updated_at"])
    ScenarioDrift.objects.filter(scenario=row).delete()
    BegunCheck.objects.filter(scenario=row).delete()
    check = ScenarioCheck.objects.filter(scenario=row)
    if _keep_references(row, answer.made_of):
        # A device that changed since the run found no scenario here to ask for: the worker compares it once.
        check.delete()
    else:
        check.exclude(engine_version=ENGINE_VERSION).update(engine_version=ENGINE_VERSION)
    return row


def accept_scenario(scenario: Scenario) -> Scenario:
    """Save a scenario as it stands with the report of today, which readers get from then on.

    Raises ValidationError as `save_scenario` does, where it can no longer be run, and `worker_lost` where its run ended
    workers, which no choice of many may do to us.
    """
    known = ScenarioDrift.objects.filter(scenario=scenario).first()
    if known is not None and known.is_put_aside:
        raise ValidationError(known.data["problem"], code=WORKER_LOST)
    return save_scenario(
        slug=scenario.slug,
        title=scenario.title,
        description=scenario.description,
        kind=scenario.kind,
        input=scenario.input,
        scenario=scenario,
    )


def _in_input(path: str) -> str:
    return "input" if path == NON_FIELD_ERRORS else f"input.{path}"


def _keep_references(scenario: Scenario, made_of: Iterable[tuple[str, UUID, str]]) -> bool:
    """Write what a scenario is made of, and return whether it was made of anything else before."""
    held = Reference.objects.filter(holder_kind="scenario", holder_id=scenario.pk)
    wanted = set(made_of)
    if set(held.values_list("target_kind", "target_id", "target_key")) == wanted:
        return False
    held.delete()
    Reference.objects.bulk_create(
        Reference(
            holder_kind="scenario",
            holder_id=scenario.pk,
            role="simulated",
            target_kind=kind,
            target_id=pk,
            target_key=slug,
        )
        for kind, pk, slug in wanted
    )
    return True


def _about_records(
    data: object, problems: Iterable[Problem], unusable: Mapping[str, InvalidParameters]
) -> Iterable[Problem]:
    """Say what is wrong with a record that is in the catalogue but cannot be used, instead of that it is unknown."""
    for problem in problems:
        # Only of a slug that was read is it said that it is unknown: at no other path need one stand.
        is_unknown = problem.code in ("unknown_device", "unknown_rack_type")
        slug = _slug_at(data, problem.field) if is_unknown else None
        if slug is not None and slug in unusable:
            message = f"{slug} cannot be used as the catalogue has it: {unusable[slug]}"
            yield Problem(problem.field, problem.code.replace("unknown", "unusable"), message)
        else:
            yield problem


_DEVICE_PATH = re.compile(r"(\w+)\[(\d+)\]\.device")


def _slug_at(data: object, path: str) -> str | None:
    """Return the slug that stands at `items[3].device` or `rack.type`."""
    if not isinstance(data, Mapping):
        return None
    if path == "rack.type":
        return str(data["rack"]["type"])
    match = _DEVICE_PATH.fullmatch(path)
    return str(data[match[1]][int(match[2])]["device"]) if match else None


def refusal(problems: Iterable[Problem]) -> ValidationError:
    """Return what is wrong with an input as Django tells it, by the path of each field."""
    by_field: dict[str, list[ValidationError]] = {}
    for problem in problems:
        by_field.setdefault(problem.field or NON_FIELD_ERRORS, []).append(
            ValidationError(problem.message, code=problem.code)
        )
    return ValidationError(by_field)
