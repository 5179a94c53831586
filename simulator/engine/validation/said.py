"""Values whose names say their own formula: a ratio of two inputs, an average of each, a chain of counts.

Nothing is guessed here: every part of a name must be an input of the row, or one that is spelled otherwise, and where
two readings of it give two values there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.units import convert, dimension_of
from simulator.engine.validation.answers import UNANSWERED, answers_last
from simulator.engine.validation.spelling import split

_SAME = (
    ("node", "server", "compute_node", "tray", "compute_tray"),
    ("gpu", "accelerator", "chip"),
    ("su", "scalable_unit"),
)
_NOUNS = {each: group[0] for group in _SAME for each in group}
_WHOLES = ("cluster", "system", "total", "site", "campus", "installed")
_TOTALS = (*_WHOLES, "aggregate", "facility", "pod", "power", "capacity", "storage", "memory", "sustained")
_CHAIN_MAX = 6


def _noun(word: str) -> str:
    """Return what a count is of: `servers_count` and `node` are one."""
    bare = word.removesuffix("_count")
    bare = bare.removesuffix("es") if bare.endswith(("ches", "xes", "ses")) else bare.removesuffix("s")
    return _NOUNS.get(bare, bare)


def _alone(name: str) -> bool:
    return split(name) is None


@answers_last(r"(\w+?)_over_(\w+?)(?:_fraction|_ratio)?")
def ratio(inputs: Mapping[str, Any], above: str, below: str) -> Any:
    """The two inputs that are called so, where each is the only one, and the rest of their names is alike."""
    ones, others = ([name for name in inputs if _called(name, stem)] for stem in (above, below))
    if len(ones) != 1 or len(others) != 1 or not _alike(ones[0][len(above) :], others[0][len(below) :]):
        return UNANSWERED
    return _ratio(inputs, ones[0], others[0])


def _called(name: str, stem: str) -> bool:
    return name == stem or name.startswith(f"{stem}_")


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    units = [split(rest.removeprefix("_")) for rest in (one, other)]
    bare = [unit for unit in units if unit is not None and not (unit.stem or unit.lower or unit.rest)]
    return len(bare) == 2 and dimension_of(bare[0].upper) == dimension_of(bare[1].upper)


def _ratio(inputs: Mapping[str, Any], one: str, other: str) -> Any:
    values = inputs[one], inputs[other]
    if not all(isinstance(each, Decimal) for each in values):
        return UNANSWERED
    units = split(one), split(other)
    if units[0] is not None and units[1] is not None and units[0].upper and units[1].upper:
        values = values[0], convert(values[1], units[1].upper, units[0].upper)
    return fraction(*values)


@answers_last(r"(?:(\w+?)_)?([a-z0-9]+(?:_per_s|_per_min)?)_per_(?!s$|min$|h$|hr$|hour$|year$|day$|kwh$|mwh$|kw$)(\w+)")
def average(inputs: Mapping[str, Any], what: str | None, unit: str, item: str) -> Any:
    """A total of that unit over a count: `capacity_tb_per_server`, `tb_per_server`."""
    return _average(inputs, what, unit, item)


@answers_last(r"(\w+?)_per_([a-z0-9]+?)_([a-z0-9]+(?:_per_s)?)")
def average_of_item(inputs: Mapping[str, Any], what: str, item: str, unit: str) -> Any:
    """The same, as `capacity_per_server_tb`, `power_per_node_w`."""
    return _average(inputs, what, unit, item)


def _average(inputs: Mapping[str, Any], what: str | None, unit: str, item: str) -> Any:
    asked = split(f"x_{unit}")
    if asked is None or not asked.upper or asked.lower or asked.stem != "x":
        return UNANSWERED
    totals = []
    for name, value in inputs.items():
        its = split(name)
        if its is None or its.lower or its.rest or not its.upper or not isinstance(value, Decimal):
            continue
        # Without a name it must be a whole: `node_kw` is that of a node, and `gpus` may be those of a cluster.
        is_whole = its.stem in _TOTALS if what is None else its.stem == what
        if is_whole and dimension_of(its.upper) == dimension_of(asked.upper):
            totals.append(name)
    counts = [name for name in inputs if name not in totals and _alone(name) and _noun(name) == _noun(item)]
    counts = [name for name in counts if "_per_" not in name and isinstance(inputs[name], Decimal)]
    if len(totals) != 1 or len(counts) != 1:
        return UNANSWERED
    its = split(totals[0])
    assert its is not None
    return fraction(convert(inputs[totals[0]], its.upper, asked.upper), inputs[counts[0]])


@answers_last(r"(\w+)_count")
def chain(inputs: Mapping[str, Any], asked: str) -> Any:
    """A count by the counts of its parts: `cpus_count` of `cpus_per_rack` and `racks`, over any number of steps."""
    of, _, each = asked.partition("_per_")
    for whole in _WHOLES:
        of = of.removeprefix(f"{whole}_")
    found = set(_values(inputs, _noun(of), _noun(each) if each else None, frozenset()))
    return found.pop() if len(found) == 1 else UNANSWERED


def _values(inputs: Mapping[str, Any], of: str, each: str | None, seen: frozenset[str]) -> Iterator[Decimal]:
    """Give the count of `of` (for one `each`) by every chain of inputs, of at least one step: it is no input itself."""
    if of in seen or len(seen) > _CHAIN_MAX:
        return
    for name in inputs:
        upper, _, lower = name.removesuffix("_count").partition("_per_")
        if not lower or "_per_" in lower or _noun(upper) != of or not _alone(name):
            continue
        value = inputs[name]
        if not isinstance(value, Decimal):
            continue
        if _noun(lower) == each:
            yield value
            continue
        if each is None:
            for count in inputs:
                whole = _alone(count) and "_per_" not in count and _noun(count) == _noun(lower)
                if whole and isinstance(inputs[count], Decimal):
                    yield value * inputs[count]
        for rest in _values(inputs, _noun(lower), each, seen | {of}):
            yield value * rest


_ALL = re.compile(r"(?:(?:all|total)_)?(\w+?)(?:_power)?")


@answers_last(r"(\w+)_(kw|usd|kg|gb_per_s)")
def all_items(inputs: Mapping[str, Any], asked: str, unit: str) -> Any:
    """What all of a kind take together: `transceivers_kw` of `transceivers` and `transceiver_w`.

    Only a plural, or `total_`, asks for all: `rack_kw` is that of one.
    """
    match = _ALL.fullmatch(asked)
    assert match is not None  # It takes any name.
    item = match.group(1)
    if item == _noun(item) and not asked.startswith(("all_", "total_")):
        return UNANSWERED
    counts = [name for name in inputs if _alone(name) and "_per_" not in name and _noun(name) == _noun(item)]
    wanted = split(f"x_{unit}")
    assert wanted is not None  # The pattern names units.
    ones = []
    for name in inputs:
        its = split(name)
        if (
            its is None
            or its.lower
            or its.rest
            or not its.upper
            or dimension_of(its.upper) != dimension_of(wanted.upper)
        ):
            continue
        if its.stem and its.stem == _singular(its.stem) and _noun(its.stem.removesuffix("_power")) == _noun(item):
            ones.append((name, its.upper))
    values = [inputs[name] for name in (*counts, *(name for name, _ in ones))]
    if len(counts) != 1 or len(ones) != 1 or not all(isinstance(each, Decimal) for each in values):
        return UNANSWERED
    return values[0] * convert(values[1], ones[0][1], wanted.upper)


def _singular(word: str) -> str:
    return word.removesuffix("s")
