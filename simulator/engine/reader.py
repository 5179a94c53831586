"""Reads the members of plain data one by one, and keeps every problem with its path (`items[0].quantity`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeGuard, TypeVar

from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.layers import Span
from simulator.engine.numbers import Range, as_decimal

T = TypeVar("T")

_LONGEST_ECHO = 40
_SPAN = ("low", "typical", "high")

WHOLE = Range("", low=-(10**9), high=10**9)
"""No count of ours is larger."""


class TooLarge(ValueError):  # noqa: N818 - it reads as what happened
    """A number that no whole number of an input may be."""


class Reader:
    """Reads the members of one object; problems go to a list that all readers of an input share."""

    def __init__(
        self,
        data: object,
        path: str,
        known: tuple[str, ...],
        problems: list[Problem],
        spans: dict[str, Span] | None = None,
    ) -> None:
        self.path = path
        self.problems = problems
        self.spans = spans
        self.refused = False
        self.data: Mapping[str, Any] = {}
        if not isinstance(data, Mapping):
            self.refuse("", "wrong_type", f"{path or 'The input'} must be an object.")
            return
        self.data = data
        for key in data:
            if key not in known:
                near = get_close_matches(str(key), known, n=1)
                hint = f" Did you mean {near[0]}?" if near else f" It has {', '.join(known)}."
                self.refuse(short(key), "unknown_key", f"{short(key)} is not known here.{hint}")

    def refuse(self, name: str, code: str, message: str) -> None:
        self.refused = True
        self.problems.append(Problem(joined(self.path, name), code, message))

    def get(
        self,
        name: str,
        read: Callable[[Any], T],
        what: str,
        default: Any,
        *,
        required: bool = False,
        allowed: Range | None = None,
    ) -> Any:
        """Return the member `name` as `read` makes it of the data; null counts as left out.

        What is refused gives `default`, a value that is allowed, so that everything else is still judged.
        """
        value = self.data.get(name)
        if value is None:
            if required:
                self.refuse(name, "required", f"{name} is missing.")
            return default
        try:
            return read(value)
        except TooLarge as error:
            self.refuse(name, "out_of_range", f"{name} is {error}; it must be {allowed or WHOLE}.")
            return default
        except (TypeError, ValueError, ArithmeticError):
            self.refuse(name, "wrong_type", f"{name} must be {what}.")
            return default

    def number(self, name: str, default: Any = None, *, required: bool = False) -> Any:
        """Return a number; of a range, where this input may hold some, its typical value."""
        given = self.data.get(name)
        if self.spans is not None and isinstance(given, Mapping):
            return self.span(name, given, as_decimal, default)
        return self.get(name, as_decimal, "a number", default, required=required)

    def span(
        self,
        name: str,
        given: Mapping[str, Any],
        read: Callable[[Any], Any],
        default: Any,
        allowed: Range | None = None,
        *,
        is_stepped: bool = False,
    ) -> Any:
        """Keep the range that stands for a number, and return its typical value."""
        path = joined(self.path, name)
        inner = Reader(given, path, _SPAN, self.problems)
        what = "a whole number" if read is read_whole else "a number"
        ends = [inner.get(end, read, what, None, required=True, allowed=allowed) for end in _SPAN]
        if inner.refused:
            return default
        low, typical, high = map(Decimal, ends)
        span = inner.build(lambda: Span(low, typical, high, is_stepped))
        if span is None:
            return default
        refused = [problem for end in _SPAN if allowed and (problem := allowed.problem(end, getattr(span, end)))]
        self.problems += [problem.under(path) for problem in refused]
        if refused or self.spans is None:
            return default
        self.spans[path] = span
        return ends[1]

    def whole(self, name: str, default: Any = None, *, required: bool = False, allowed: Range | None = None) -> Any:
        return self.get(name, read_whole, "a whole number", default, required=required, allowed=allowed)

    def text(self, name: str, default: Any = None, *, required: bool = False) -> Any:
        return self.get(
            name,
            read_text,
            "a text of 1 to 200 characters, without NUL and lone surrogates",
            default,
            required=required,
        )

    def choice(self, name: str, choices: tuple[str, ...], default: Any) -> Any:
        value = self.text(name, default)
        if value not in choices and value is not None:
            self.refuse(name, "not_a_choice", f"{name} is {short(value)}; choose one of {', '.join(choices)}.")
            return default
        return value

    def build(self, make: Callable[[], T]) -> T | None:
        """Return what `make` makes; what it refuses is kept with the path."""
        try:
            return make()
        except InvalidParameters as error:
            self.problems += [problem.under(self.path) for problem in error.problems]
            return None


def read_whole(value: Any) -> int:
    """Return a whole number. Raises TooLarge for one beyond WHOLE, TypeError or ValueError for what is none."""
    if type(value) is int and WHOLE.problem("", value) is None:
        return value
    number = as_decimal(value)
    if WHOLE.problem("", number):
        raise TooLarge(number)
    if number != number.to_integral_value():
        raise ValueError(value)
    return int(number)


def read_boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def read_text(value: Any) -> str:
    if not is_text(value):
        raise TypeError(value)
    return str(value)


def is_text(value: Any) -> TypeGuard[str]:
    """Return whether `value` is a text that databases and answers can hold: no NUL, no half of a surrogate pair."""
    if not isinstance(value, str) or not 0 < len(value) <= 200 or "\x00" in value:
        return False
    return value.isascii() or _printable(value) == value


def _printable(text: str) -> str:
    """Return the text with what UTF-8 cannot hold escaped, so that an answer can say it back."""
    return text.encode("utf-8", "backslashreplace").decode()


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def short(value: object) -> str:
    """Return a text of the input short enough to be said back."""
    text = _printable(str(value))
    return text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "…"
