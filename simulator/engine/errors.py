"""What the engine says when it refuses: every problem of an input at once, each with the path of its field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse: `field` is a path (`items[0].quantity`), `code` is stable, `message` says what to do."""

    field: str
    code: str
    message: str

    def under(self, prefix: str) -> Problem:
        """Return the same problem of a part that stands at `prefix` in a larger input."""
        if not prefix:
            return self
        return Problem(f"{prefix}.{self.field}" if self.field else prefix, self.code, self.message)


class InvalidParameters(ValueError):  # noqa: N818 - the name is what it says, and services translate it
    """Parameters that no calculation can start from; `problems` holds all of them, in the order of the input."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in self.problems))


def raise_for(problems: Iterable[Problem]) -> None:
    """Raise InvalidParameters when there is at least one problem."""
    found = tuple(problems)
    if found:
        raise InvalidParameters(found)
