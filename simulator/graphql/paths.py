"""Paths of fields in the names of GraphQL."""

import re


def as_asked(path: str | None) -> str | None:
    """Return the path of a field in the names of this surface: rack.tare_kg is rack.tareKg."""
    return None if path is None else re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), path)
