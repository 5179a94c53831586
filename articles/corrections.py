"""What a correction is: what the article said, what it says, on which day it was set right, and how grave it was."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Func

KEYS = ("said", "says", "on", "gravity")
GRAVITIES = ("minor", "major")


def validate_corrections(value: Any) -> None:
    """Refuse what readers could not rely on: a list of objects with exactly `KEYS`, all of them filled."""
    if not isinstance(value, list):
        raise ValidationError("Corrections are a list.", code="not_corrections")
    for number, row in enumerate(value, start=1):
        if not isinstance(row, dict) or set(row) != set(KEYS) or not all(isinstance(row[key], str) for key in KEYS):
            raise ValidationError(f"Correction {number} has {', '.join(KEYS)}.", code="not_corrections")
        if not row["said"].strip() or not row["says"].strip():
            raise ValidationError(f"Correction {number}: say what it said and what it says.", code="required")
        try:
            date.fromisoformat(row["on"])
        except ValueError:
            raise ValidationError(f"Correction {number}: {row['on']!r} is no day.", code="not_a_day") from None
        if row["gravity"] not in GRAVITIES:
            raise ValidationError(f"Correction {number} is {' or '.join(GRAVITIES)}.", code="not_a_choice")


def gravest() -> Func:
    """Return the expression for how grave the gravest correction in `content` is; null without any."""
    return Func(
        F("content"),
        template="""case when %(expressions)s -> 'corrections' @> '[{"gravity": "major"}]' then 'major'
            when %(expressions)s -> 'corrections' @> '[{"gravity": "minor"}]' then 'minor' end""",
        output_field=models.CharField(max_length=10),
    )
