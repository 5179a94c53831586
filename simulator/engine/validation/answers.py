"""Which function of the engine answers which published value, found by kind and names.

Tables spell one quantity in several ways (`spelling`). What of a row's inputs made a value is known, so that a row can
say which of them no answer used.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, ItemsView, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from typing import Any, TypeVar

from simulator.engine.validation.spelling import KNOWN, MISSING, converted, counts, find, in_other_units, options

Answer = Callable[..., Any]
A = TypeVar("A", bound=Answer)

UNANSWERED = object()
"""No function of the engine gives this value from these inputs."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A function, the inputs it must have, and those it takes where a row has them."""

    function: Answer
    needs: frozenset[str]
    takes: frozenset[str]
    numbers: frozenset[str]


class Inputs(Mapping[str, Any]):
    """The inputs of a row, which know what of them was read. To go through them reads none."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        value = self.given[name]
        self.read.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self.given

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)

    def items(self) -> ItemsView[str, Any]:
        return self.given.items()


_answers: dict[tuple[str, str], list[_Answer]] = {}
_patterns: dict[str, list[tuple[re.Pattern[str], Answer]]] = {}
_LAST = ""
"""The kind of patterns that are asked in rows of every kind, when nothing else answered."""
_OF_ALL: set[str] = set()
_AFTER_ALL = " "
"""The kind of those that are asked after these: no row has it, as it is no word."""


def answers(kind: str, *expected: str) -> Callable[[A], A]:
    """Say that the decorated function gives the values called `expected` in rows of `kind`.

    The names of its parameters are the names of the inputs it needs, those with a default it can do without; of several
    functions for one value the one is asked that makes use of most of what a row gives.
    """

    def register(function: A) -> A:
        parameters = inspect.signature(function).parameters.values()
        takes = frozenset(each.name for each in parameters)
        needs = frozenset(each.name for each in parameters if each.default is inspect.Parameter.empty)
        KNOWN.update(takes)
        numbers = frozenset(each.name for each in parameters if str(each.annotation).startswith("Decimal"))
        for name in expected:
            _answers.setdefault((kind, name), []).append(_Answer(function, needs, takes, numbers))
        return function

    return register


def answers_like(kind: str, pattern: str) -> Callable[[A], A]:
    """Say that the decorated function gives values whose names match `pattern` in rows of `kind`.

    It is called with the inputs of the row and with the groups of the pattern, and may return UNANSWERED: tables name
    the parts of a whole (`hbm3_fraction` of `hbm3`), and the years of a series, in the name.
    """

    def register(function: A) -> A:
        _patterns.setdefault(kind, []).append((re.compile(pattern), function))
        return function

    return register


def answers_last(pattern: str) -> Callable[[A], A]:
    """Say that the decorated function gives such values in rows of any kind, where no other function does."""
    return answers_like(_LAST, pattern)


def answers_after_all(pattern: str) -> Callable[[A], A]:
    """Say that the decorated function is asked for such values when those of `answers_last` gave none either."""
    return answers_like(_AFTER_ALL, pattern)


def answer(kind: str, name: str, inputs: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    """Return our value of `name` for the inputs of a row, or UNANSWERED, and the names of the inputs that made it.

    A count is asked for in each of its spellings. An input `x_options` with a list stands for `x` several times: the
    answer is the list of the answers.
    """
    for spelled in (name, *counts(name)):
        found = _answer(kind, spelled, inputs)
        if found[0] is not UNANSWERED:
            return found
    return _of_each_option(kind, name, inputs)


def _answer(kind: str, name: str, inputs: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    """Return our value of what is called exactly so.

    Asked in this order: functions of the name, functions of the name in another unit, patterns; then what other kinds
    answer, since tables sort a shelf under racks or under power; then the same input in another unit; then what names
    say themselves.
    """
    for way in _ways(kind, name):
        row = Inputs(inputs)
        found = way(row)
        if found is not UNANSWERED:
            return found, frozenset(row.read)
    return UNANSWERED, frozenset()


@cache
def _kinds(kind: str) -> tuple[str, ...]:
    """Return a kind and all the others, in the order in which they are asked. Answers are registered by then."""
    return (kind, *sorted({each for each, _ in _answers} - {kind}))


def _ways(kind: str, name: str) -> Iterator[Callable[[Inputs], Any]]:
    for each in _kinds(kind):
        yield from (partial(way, each, name) for way in (_by_name, _in_another_unit, _by_pattern))
    yield partial(_the_same_input, name)
    yield from (partial(_by_pattern, last, name) for last in (_LAST, _AFTER_ALL))


def answer_of_all(name: str, inputs: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    """Return our value of `name` where all inputs of a row together make it, or UNANSWERED."""
    row = Inputs(inputs)
    return _by_pattern(_AFTER_ALL, name, row), frozenset(row.read)


def asked_of_all(*names: str) -> None:
    """Say what values all inputs of a row may make together."""
    _OF_ALL.update(names)


@cache
def may_be_of_all(name: str) -> bool:
    """Whether a value, in this unit or in another one, is one of those."""
    bare = name.removesuffix("_bool")
    return bare in _OF_ALL or any(other in _OF_ALL for other, _ in in_other_units(name))


def _by_name(kind: str, name: str, row: Inputs) -> Any:
    """Ask the function that makes use of most of what the row gives; the first of several such."""
    best: tuple[Inputs, _Given, _Answer] | None = None
    for known in _answers.get((kind, name), []):
        own = Inputs(row.given)
        given = _given(known, own)
        if given is not None and (best is None or len(own.read) > len(best[0].read)):
            best = own, given, known
    if best is None:
        return UNANSWERED
    own, given, known = best
    row.read |= own.read
    values = [(each, value) for each, value in given.fixed.items()]
    values += [(each, value) for each, several in given.listed.items() for value in several]
    for each, value in values:
        # True counts as 1 and a list times a whole number is a longer list: neither is a number.
        if each in known.numbers and not isinstance(value, Decimal | None):
            raise TypeError(f"{each} is no number")
    if not given.listed:
        return known.function(**given.fixed)
    rows = zip(*given.listed.values(), strict=True)
    return [known.function(**given.fixed, **dict(zip(given.listed, each, strict=True))) for each in rows]


def of_row(kind: str, name: str, row: Inputs) -> Any:
    """Return what the functions of `name` make of a row, for a pattern that needs it on its way; else UNANSWERED."""
    return _by_name(kind, name, row)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a row has for a function: values that hold throughout, and those listed as options."""

    fixed: Mapping[str, Any]
    listed: Mapping[str, list[Any]]


def _given(known: _Answer, row: Inputs) -> _Given | None:
    fixed: dict[str, Any] = {}
    listed: dict[str, list[Any]] = {}
    for parameter in sorted(known.takes):
        if (value := find(parameter, row)) is not MISSING:
            fixed[parameter] = value
        elif (several := options(parameter, row)) is not None:
            listed[parameter] = several
        elif parameter in known.needs:
            return None
    return _Given(fixed, listed)


def _in_another_unit(kind: str, name: str, row: Inputs) -> Any:
    for other, way in in_other_units(name):
        own = Inputs(row.given)
        found = _by_name(kind, other, own)
        if found is not UNANSWERED and (value := converted(found, way)) is not MISSING:
            row.read |= own.read
            return value
    return UNANSWERED


def _by_pattern(kind: str, name: str, row: Inputs) -> Any:
    known = _patterns.get(kind, ())
    names: list[tuple[str, Callable[[Decimal], Decimal] | None]] = (
        [(name, None), *in_other_units(name)] if known else []
    )
    for spelled, way in names:
        for pattern, function in known:
            match = pattern.fullmatch(spelled)
            if match is None:
                continue
            own = Inputs(row.given)
            found = function(own, *match.groups())
            if found is UNANSWERED or (way is not None and (found := converted(found, way)) is MISSING):
                continue
            row.read |= own.read
            return found
    return UNANSWERED


def _the_same_input(name: str, row: Inputs) -> Any:
    """Return an input of the row in the unit that `name` asks for: one number, a list, or one for each key."""
    for other, way in in_other_units(name):
        for end in ("", "_options"):
            if f"{other}{end}" in row and (found := converted(row[f"{other}{end}"], way)) not in (MISSING, None):
                return found
    return UNANSWERED


def _of_each_option(kind: str, name: str, inputs: Mapping[str, Any]) -> tuple[Any, frozenset[str]]:
    """Answer once for each option, where the row lists options and all lists are as long."""
    listed = {each: value for each, value in inputs.items() if each.endswith("_options") and isinstance(value, list)}
    if len({len(value) for value in listed.values()}) != 1:
        return UNANSWERED, frozenset()
    rest = {each: value for each, value in inputs.items() if each not in listed}
    values, read = [], set()
    for row in zip(*listed.values(), strict=True):
        one = {each.removesuffix("_options"): value for each, value in zip(listed, row, strict=True)}
        found, its = answer(kind, name, {**rest, **one})
        if found is UNANSWERED:
            return UNANSWERED, frozenset()
        values.append(found)
        read |= {f"{each}_options" if each in one else each for each in its}
    return values, frozenset(read)


def whole(value: Decimal) -> int:
    """Return a count that a table gives as a number."""
    return int(value)
