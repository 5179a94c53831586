"""Which function of the engine answers which published value, found by kind and names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

Answer = Callable[..., Any]
A = TypeVar("A", bound=Answer)

_answers: dict[tuple[str, str], list[tuple[frozenset[str], Answer]]] = {}

UNANSWERED = object()
"""No function of the engine gives this value from these inputs."""


def answers(kind: str, *expected: str) -> Callable[[A], A]:
    """Say that the decorated function gives the values called `expected` in rows of `kind`.

    The names of its parameters are the names of the inputs it needs; of several functions for one value the first
    whose inputs a row has is asked.
    """

    def register(function: A) -> A:
        needs = frozenset(inspect.signature(function).parameters)
        for name in expected:
            _answers.setdefault((kind, name), []).append((needs, function))
        return function

    return register


def answer(kind: str, name: str, inputs: Mapping[str, Any]) -> Any:
    """Return our value of `name` for the inputs of a row, or UNANSWERED.

    An input `x_options` with a list stands for `x` several times: the answer is the list of the answers.
    """
    for needs, function in _answers.get((kind, name), []):
        plain = needs & inputs.keys()
        listed = {need for need in needs - plain if isinstance(inputs.get(f"{need}_options"), list)}
        if plain | listed != needs:
            continue
        fixed = {need: inputs[need] for need in plain}
        if not listed:
            return function(**fixed)
        names = sorted(listed)
        columns = [inputs[f"{need}_options"] for need in names]
        return [function(**fixed, **dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
    return UNANSWERED


def whole(value: Decimal) -> int:
    """Return a count that a table gives as a number."""
    return int(value)
