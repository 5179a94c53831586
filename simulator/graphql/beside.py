"""Many questions in one over GraphQL: a sweep over one or two numbers, and a comparison of two to six inputs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import strawberry

from core.api.errors import Problem, RequestRefused
from core.api.graphql.context import Info
from simulator.comparing import Comparison, compare
from simulator.engine import LAYERS, RACK
from simulator.engine.parameters import declared
from simulator.explanations import explanations
from simulator.graphql.layers import LAYER_WEIGHT
from simulator.graphql.made import given_data, input_type, output_type, told
from simulator.graphql.paths import as_asked, named_as_asked
from simulator.services import QUESTIONS
from simulator.sweeping import AT_ONCE_MAX, SweepAxis, SweepReport, read_sweep, sweep_report, too_many_at_once

SWEEP_WEIGHT = 5_000
"""Some seconds where a layer computes its points one by one: one sweep a document."""
_LAYERS = {"rack": RACK, **LAYERS}
_KINDS = ("device", "manufacturer", "rack_type")

Axis: Any = input_type(SweepAxis, "SimulatorSweepAxisInput")


def _question_type() -> Any:
    made: Any = type("SimulatorQuestion", (), {"__annotations__": {}})
    for name in QUESTIONS:
        of: Any = _LAYERS[name].input_type
        given: Any = input_type(of, f"Simulate{of.__name__}")
        made.__annotations__[name] = strawberry.Maybe[given]  # type: ignore[misc]
    about = "What a layer takes: its input, by the name of the layer."
    return strawberry.input(made, name="SimulatorQuestion", one_of=True, description=about)


Question: Any = _question_type()


@strawberry.input(name="SimulatorComparedInput", description="One of those that are compared: input, or scenario.")
class Compared:
    name: str | None = strawberry.field(default=None, description="What it is called in the answer.")
    input: Question | None = strawberry.field(default=None, description="With one number everywhere.")
    scenario: str | None = strawberry.field(default=None, description="Slug of a scenario, instead of an input.")


def _sweep(info: Info, input: Any, axes: Any) -> Any:  # noqa: A002
    layer, inner = _asked(input)
    rows = [{**given_data(axis), "field": _path_of(layer, axis.field)} for axis in axes]
    data = {"layer": layer, "input": inner, "axes": rows}
    with named_as_asked(_inside({"input": layer})):
        wanted, engine_layer, given = read_sweep(data)
        if message := too_many_at_once(wanted, engine_layer, given):
            raise RequestRefused(400, [Problem("axes", "too_many", f"{message} REST sweeps more.")])
        report = sweep_report(wanted, engine_layer, given)
    for axis in report["axes"]:
        axis["field"] = as_asked(axis["field"])
    return told(SweepReport, report, cache(lambda: explanations(at=info.context.now)), "SweepReport")


def _compare(info: Info, compared: Any, layer: str | None = None) -> Any:
    asked = {n: _asked(row.input) for n, row in enumerate(compared) if row.input is not None}
    named = layer or next((name for name, _ in asked.values()), None)
    problems = [
        Problem(f"compared[{n}].input.{name}", "conflict", f"The others are of {named}; compare inputs of one layer.")
        for n, (name, _) in asked.items()
        if name != named
    ]
    if problems:
        raise RequestRefused(400, problems)
    rows = [{**_without_input(row), **({"input": asked[n][1]} if n in asked else {})} for n, row in enumerate(compared)]
    data = {"compared": rows, **({"layer": named} if named else {})}
    with named_as_asked(_inside({f"compared[{n}].input": name for n, (name, _) in asked.items()})):
        report = compare(data)
    return told(Comparison, report, cache(lambda: explanations(at=info.context.now)))


def _without_input(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("name", "scenario") if getattr(row, name) is not None}


def _asked(question: Any) -> tuple[str, Any]:
    """Return which layer is asked, and its input as REST takes it: exactly one of the members was given."""
    name = next(name for name in QUESTIONS if getattr(question, name) is not None)
    return name, given_data(getattr(question, name).value)


def _inside(layers: Mapping[str, str]) -> Callable[[str], str]:
    """Return what makes `input.pue` of REST the `input.ladder.pue` of this surface."""

    def place(path: str) -> str:
        for inside, layer in layers.items():
            if path == inside or path.startswith((f"{inside}.", f"{inside}[")):
                return f"{inside}.{layer}{path[len(inside) :]}"
        return path

    return place


def _path_of(layer: str, path: str) -> str:
    """Return a path in the names of REST; a step that names no parameter stays, and is refused there."""
    of: Any = _LAYERS[layer].input_type
    steps = []
    for step in path.split("."):
        name, bracket, index = step.partition("[")
        known: Mapping[str, Any] = declared(of) if of else {}
        found = next((each for each in known if as_asked(each) == name), name)
        steps.append(f"{found}{bracket}{index}")
        of = known[found][0].part if found in known else None
    return ".".join(steps)


def _typed(resolver: Callable[..., Any], **hints: Any) -> Callable[..., Any]:
    resolver.__annotations__.update(hints)
    return resolver


def _about(of: Any, about: str) -> Any:
    return Annotated[of, strawberry.argument(description=about)]


@strawberry.type
class BesideQuery:
    simulate_sweep: output_type(SweepReport, "SweepReport") | None = strawberry.field(  # type: ignore[valid-type]
        resolver=_typed(
            _sweep,
            input=_about(Question, "With one number everywhere; what its axes name may be any."),
            axes=_about(list[Axis], "One or two numbers of the input, by their paths: pue, racks[0].nameplateKw."),
        ),
        description="Run a layer over a range of one of its numbers, or of two: every quantity at every point, "
        f"{AT_ONCE_MAX} of them at most. Of two axes the second moves fastest. Nothing is stored.",
        metadata={"weight": SWEEP_WEIGHT, "kinds": _KINDS},
    )
    simulate_compare: output_type(Comparison) | None = strawberry.field(  # type: ignore[valid-type]
        resolver=_typed(
            _compare,
            compared=_about(Sequence[Compared], "Two to six."),
            layer=_about(str | None, "Of scenarios: their kind."),
        ),
        description="Put two to six inputs of one layer, or scenarios, beside each other: the same quantities, with "
        "differences and ratios against the first. Nothing is stored.",
        metadata={"weight": LAYER_WEIGHT, "kinds": (*_KINDS, "scenario")},
    )
