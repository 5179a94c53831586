"""Query parameters, strictly: what is unknown, repeated, misspelt or out of range is a 400 that names it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from difflib import get_close_matches
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from core.api.errors import Problem, RequestRefused, bad_request
from core.api.ids import as_uuid

Reader = Callable[[str, str], Any]
"""Reads the text of a parameter: (name, text) -> value, or raises RequestRefused."""


class Problems:
    """What is wrong with the parameters of a request, so far: all of it belongs into one answer."""

    def __init__(self, found: Iterable[Problem] = ()) -> None:
        self.found = list(found)

    def read(self, reader: Callable[..., Any], *given: Any, default: Any = None, **more: Any) -> Any:
        """Return what `reader` makes of what is given, and `default` where it refuses that, which is kept."""
        try:
            return reader(*given, **more)
        except RequestRefused as refusal:
            if refusal.status != 400:
                raise
            self.keep(refusal.problems)
            return default

    def keep(self, problems: Iterable[Problem]) -> None:
        """Keep problems, but of parameters about which something has been said."""
        told = {problem.field for problem in self.found}
        self.found += [problem for problem in problems if problem.field not in told]

    def refuse(self) -> None:
        """Raise RequestRefused if there are any."""
        if self.found:
            raise RequestRefused(400, self.found)


def only_known(query: QueryDict, known: Iterable[str]) -> dict[str, str]:
    """Return the parameters of a request, each at most once, all of them known."""
    found, problems = sorted_out(query, known)
    problems.refuse()
    return found


def sorted_out(query: QueryDict, known: Iterable[str]) -> tuple[dict[str, str], Problems]:
    """Return the parameters of a request that can be read, and what is wrong with the others."""
    names = set(known)
    problems = []
    for name, values in query.lists():
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            problems.append(Problem(name, "unknown_parameter", f"There is no parameter {name!r} here.{hint}"))
        elif len(values) > 1:
            problems.append(
                Problem(name, "repeated_parameter", f"{name} is given {len(values)} times; once is allowed.")
            )
        elif "\x00" in values[0]:
            problems.append(Problem(name, "invalid", f"{name} holds a NUL character."))
        elif "\ufffd" in values[0]:
            # What is not UTF-8 arrives as this character, which no word that could be found has.
            problems.append(Problem(name, "invalid", f"{name} is not written in UTF-8."))
    refused = {problem.field for problem in problems}
    return {name: str(query[name]) for name in query if name not in refused}, Problems(problems)


def read_text(name: str, text: str) -> str:
    """Read a parameter that is any text but empty, of at most 200 characters."""
    if not text.strip():
        raise bad_request(name, "empty", f"{name} is empty; leave it out to ask without it.")
    if len(text) > 200:
        raise bad_request(name, "too_long", f"{name} has {len(text)} characters; 200 is the most.")
    return text


def read_bool(name: str, text: str) -> bool:
    """Read true or false."""
    if text not in ("true", "false"):
        raise bad_request(name, "not_a_boolean", f"{name} is true or false, not {text!r}.")
    return text == "true"


def read_int(name: str, text: str) -> int:
    """Read a whole number that fits a bigint."""
    if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdigit() or len(text) > 18:
        raise bad_request(name, "not_a_number", f"{name} is a whole number, not {text!r}.")
    return int(text)


def read_uuid(name: str, text: str) -> UUID:
    """Read an id."""
    value = as_uuid(text)
    if value is None:
        raise bad_request(name, "not_an_id", f"{name} is an id of 36 characters, not {text!r}.")
    return value


def read_instant(name: str, text: str) -> datetime:
    """Read an instant with its zone, as in 2026-11-30T09:00:00Z."""
    try:
        value = parse_datetime(text)
    except ValueError:
        value = None
    if value is None or value.tzinfo is None:
        raise bad_request(
            name, "not_an_instant", f"{name} is an instant with its zone, as in 2026-11-30T09:00:00Z, not {text!r}."
        )
    return value


def one_of(*choices: str) -> Reader:
    """Return a reader for one of `choices`."""

    def read(name: str, text: str) -> str:
        if text not in choices:
            raise bad_request(name, "not_a_choice", f"{name} is one of {', '.join(choices)}, not {text!r}.")
        return text

    return read


def some_of(*choices: str) -> Callable[[str, str], tuple[str, ...]]:
    """Return a reader for some of `choices`, with commas between them. It gives them in the order of `choices`."""
    read = one_of(*choices)

    def read_some(name: str, text: str) -> tuple[str, ...]:
        wanted = {read(name, part) for part in text.split(",")}
        return tuple(choice for choice in choices if choice in wanted)

    return read_some


def read_limit(text: str | None, *, default: int, maximum: int) -> int:
    """Read `limit`: 1 to `maximum`; more is refused, never cut in silence."""
    if text is None:
        return default
    value = read_int("limit", text)
    if not 1 <= value <= maximum:
        raise bad_request("limit", "limit_out_of_range", f"limit is 1 to {maximum}, not {value}.")
    return value
