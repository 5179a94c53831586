"""The pictures of a saved run: drawn of the report that readers have, whatever a run of today would say."""

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from simulator.engine.ladder.layer import LadderReport
from simulator.engine.report import RackReport
from simulator.models import Scenario
from simulator.plots import elevation
from simulator.plots.cooling import cooling
from simulator.plots.elevation import elevation_picture, rack_elevation
from simulator.plots.ladder import ladder
from simulator.plots.picture import Picture
from simulator.plots.svg import drawn
from simulator.plots.theme import STYLE_CSP
from simulator.plots.waterfall import waterfall
from simulator.restoring import NotAsStored, restored
from simulator.services import read_question


class NoPicture(Exception):  # noqa: N818 - it reads as what happened
    """A scenario has no such picture; the message says why."""


@dataclass(frozen=True)
class Drawing:
    """A picture, its SVG by width (True for the narrow one), and what its style is called by a policy.

    `tags` are those of the records of the catalogue that went into it, where it is made of a question.
    """

    picture: Picture
    svg: Callable[[bool], str]
    style: str = STYLE_CSP
    tags: tuple[str, ...] = ()


def picture_of(scenario: Scenario, name: str) -> Drawing:
    """Return a picture of a scenario by its name. Raises NoPicture.

    The elevation draws the positions as they were saved, with the devices as the catalogue has them: at most two
    statements. The others need none.
    """
    if name not in pictures_of(scenario.kind):
        own = pictures_of(scenario.kind)
        has = f"it has {' and '.join(own)}" if own else f"a scenario of the kind {scenario.kind} has none"
        raise NoPicture(f"It has no picture {name}; {has}.")
    try:
        return _DRAWN[scenario.kind][name](scenario)
    except NotAsStored:
        raise NoPicture(
            "An earlier engine saved its report, which lacks what the picture shows; save it anew."
        ) from None


def pictures_of(kind: str) -> tuple[str, ...]:
    """Return the names of the pictures that a scenario of a kind has."""
    return tuple(_DRAWN.get(kind, ()))


def _elevation(scenario: Scenario) -> Drawing:
    try:
        given = read_question("rack", scenario.input)[1].input
    except ValidationError:
        raise NoPicture("The catalogue no longer has what this rack is made of.") from None
    report = restored(RackReport, scenario.result)
    picture = elevation_picture(given, report)
    return Drawing(picture, lambda narrow: rack_elevation(given, report, is_narrow=narrow), elevation.STYLE_CSP)


def _of_rack(draw: Callable[[RackReport], Picture]) -> Callable[[Scenario], Drawing]:
    return lambda scenario: _plotted(draw(restored(RackReport, scenario.result)))


def _of_ladder(draw: Callable[[LadderReport], Picture]) -> Callable[[Scenario], Drawing]:
    return lambda scenario: _plotted(draw(restored(LadderReport, scenario.result)))


def _plotted(picture: Picture) -> Drawing:
    return Drawing(picture, lambda is_narrow: drawn(picture, is_narrow=is_narrow))


_DRAWN: dict[str, dict[str, Callable[[Scenario], Drawing]]] = {
    "rack": {"rack": _elevation, "cooling": _of_rack(cooling)},
    "ladder": {"ladder": _of_ladder(ladder), "waterfall": _of_ladder(waterfall)},
}
SCENARIO_PICTURES = tuple(dict.fromkeys(name for pictures in _DRAWN.values() for name in pictures))
