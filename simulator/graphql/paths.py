"""Paths of fields in the names of GraphQL."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError

from core.api.errors import RequestRefused, problems_of


def as_asked(path: str | None) -> str | None:
    """Return the path of a field in the names of this surface: rack.tare_kg is rack.tareKg."""
    return None if path is None else re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), path)


@contextmanager
def named_as_asked(place: Callable[[str], str] = lambda path: path) -> Iterator[None]:
    """Refuse what a service refuses, each problem by its path in this surface: what `place` makes of that of REST."""
    try:
        yield
    except ValidationError as error:
        problems = [
            problem._replace(field=as_asked(problem.field and place(problem.field))) for problem in problems_of(error)
        ]
        raise RequestRefused(400, problems) from error
