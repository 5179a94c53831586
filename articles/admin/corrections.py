"""The corrections of an article as rows of a form: what it said, what it says, when, how grave."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import INPUT_CLASSES, SELECT_CLASSES

from articles.corrections import GRAVITIES, KEYS

LABELS = {"said": "It said", "says": "It says", "on": "On", "gravity": "How grave"}
SPARE_ROWS = 1
MOST_ROWS = 200


class CorrectionsWidget(forms.Widget):
    """A row for each correction, and an empty one."""

    template_name = "admin/articles/corrections.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        rows = [*(value or []), *[{} for _ in range(SPARE_ROWS)]]
        context["widget"] |= {
            "rows": [
                {
                    "number": n,
                    "cells": [
                        {"name": f"{name}-{n}-{key}", "key": key, "label": LABELS[key], "value": row.get(key) or ""}
                        for key in KEYS
                    ],
                }
                for n, row in enumerate(rows)
            ],
            "gravities": [(gravity, gravity.capitalize()) for gravity in GRAVITIES],
            "input_class": " ".join(INPUT_CLASSES),
            "select_class": " ".join(SELECT_CLASSES),
        }
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[dict[str, str]]:
        rows = []
        for n in range(MOST_ROWS):
            if f"{name}-{n}-said" not in data:
                break
            row = {key: (data.get(f"{name}-{n}-{key}") or "").replace("\r\n", "\n").strip() for key in KEYS}
            if any(row[key] for key in KEYS if key != "gravity"):  # Emptied rows are taken out.
                rows.append(row)
        return rows

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-0-said" not in data

    def id_for_label(self, id_: str) -> str:
        return ""


class CorrectionsField(forms.Field):
    """Corrections as an edition holds them: a list of objects with said, says, on (a day) and gravity."""

    widget = CorrectionsWidget

    def has_changed(self, initial: Any, data: Any) -> bool:
        return (initial or []) != (data or [])

    def clean(self, value: Any) -> list[dict[str, str]]:
        errors = []
        for n, row in enumerate(value or [], start=1):
            errors += [
                ValidationError(f"Correction {n}: write what the article {word}.", code="required")
                for key, word in (("said", "said"), ("says", "says now"))
                if not row[key]
            ]
            try:
                date.fromisoformat(row["on"])
            except ValueError:
                errors.append(ValidationError(f"Correction {n}: write the day as 2026-10-05.", code="not_a_day"))
            if row["gravity"] not in GRAVITIES:
                errors.append(ValidationError(f"Correction {n}: say how grave it is.", code="required"))
        if errors:
            raise ValidationError(errors)
        return list(value or [])
