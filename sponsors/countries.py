"""The countries of ISO 3166-1, by their two letters: the table that comes with the time zones (public domain)."""

from functools import cache
from importlib.resources import files

from django.core.exceptions import ValidationError


@cache
def countries() -> dict[str, str]:
    """Return the English short names by code, in the order of the codes."""
    table = (files("tzdata.zoneinfo") / "iso3166.tab").read_text(encoding="utf-8")
    rows = (line.split("\t", 1) for line in table.splitlines() if line and not line.startswith("#"))
    return {code: name.strip() for code, name in rows}


def validate_country(value: str) -> None:
    """Refuse what is not a code of ISO 3166-1 alpha-2."""
    if value not in countries():
        raise ValidationError("Write the two capital letters of ISO 3166-1, such as NO.", code="not_a_country")
