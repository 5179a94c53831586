"""The pictures that are asked for with an input: what each shows, whose input it takes, and how it is made of that."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.api.errors import bad_request
from simulator.engine import Layer
from simulator.picturing import Drawing
from simulator.plots import elevation
from simulator.plots.cooling import cooling
from simulator.plots.elevation import elevation_picture, rack_elevation
from simulator.plots.grids import sweep_curves
from simulator.plots.ladder import ladder
from simulator.plots.picture import Picture
from simulator.plots.svg import KEPT, drawn
from simulator.plots.waterfall import waterfall
from simulator.services import layer_report, run_rack
from simulator.sweeping import SweepInput, read_sweep, sweep_report, too_many_at_once


@dataclass(frozen=True)
class Question:
    """What is asked for: an input, whether it stood in `items`, and how it is to be drawn."""

    data: Any
    is_of_items: bool = False
    is_narrow: bool = False
    shown: tuple[str, ...] = ()
    """The quantities of a sweep."""


@dataclass(frozen=True)
class Kind:
    """One picture: what it shows, the layer whose input it takes, and how it is made of that."""

    about: str
    layer: str
    make: Callable[[Question], Drawing]
    kinds: tuple[str, ...] = ()

    @property
    def takes_items(self) -> bool:
        """Whether `items` may stand for the input."""
        return self.layer == "rack"


def _of_rack(draw: Callable[[Any], Picture]) -> Callable[[Question], Drawing]:
    def make(asked: Question) -> Drawing:
        run = run_rack(asked.data)
        return _drawn(draw(run.report), _tags(run.made_of))

    return make


def _of_ladder(draw: Callable[[Any], Picture]) -> Callable[[Question], Drawing]:
    return lambda asked: _drawn(draw(layer_report("ladder", asked.data)))


def _sweep(asked: Question) -> Drawing:
    wanted, layer, given = read_sweep(asked.data)
    if message := too_many_at_once(wanted, layer, given):
        raise bad_request("input.axes", "too_many", f"{message} A picture waits for no worker.")
    try:
        return _drawn(_curves(wanted, layer, given, asked.shown))
    except KeyError as error:
        names = ", ".join(each["quantity"] for each in sweep_report(wanted, layer, given)["quantities"])
        message = f"show names {error.args[0]!r}, which {wanted.layer} does not tell; it tells {names}."
        raise bad_request("show", "not_a_choice", message) from None


@lru_cache(maxsize=KEPT)
def _curves(wanted: SweepInput, layer: Layer, given: Any, shown: tuple[str, ...]) -> Picture:
    """Return the picture of a sweep: some hundred points, which every reader of a page asks for."""
    return sweep_curves(sweep_report(wanted, layer, given), shown)


def _drawn(picture: Picture, tags: tuple[str, ...] = ()) -> Drawing:
    return Drawing(picture, lambda is_narrow: drawn(picture, is_narrow=is_narrow), tags=tags)


def _elevation(asked: Question) -> Drawing:
    run = run_rack(asked.data)
    return Drawing(
        elevation_picture(run.given, run.report),
        lambda is_narrow: rack_elevation(run.given, run.report, is_narrow=is_narrow),
        elevation.STYLE_CSP,
        _tags(run.made_of),
    )


def _tags(made_of: Iterable[tuple[str, Any, str]]) -> tuple[str, ...]:
    return tuple(f"{kind}:{pk}" for kind, pk, _ in made_of)


_CATALOGUE = ("device", "manufacturer", "rack_type")
PICTURES = {
    "rack": Kind("Draw the elevation of a rack, front and rear.", "rack", _elevation, _CATALOGUE),
    "cooling": Kind(
        "Show how far each cooling method reaches, and where a rack stands.", "rack", _of_rack(cooling), _CATALOGUE
    ),
    "ladder": Kind(
        "Show the power of one chip, node, rack, hall and campus on a log axis.", "ladder", _of_ladder(ladder)
    ),
    "waterfall": Kind(
        "Show what each rung adds to the power of the chips until the grid.", "ladder", _of_ladder(waterfall)
    ),
    "sweep": Kind("Show how quantities move over one or two numbers of a layer.", "sweep", _sweep, _CATALOGUE),
}
