"""Kinds of records: what the feed, references and facts call a model. It is the model's name."""

from functools import cache
from typing import Any

from django.apps import apps


@cache
def model_of(kind: str) -> Any:
    """Return the model of a kind (`device`, `rack_type`); None where there is none."""
    name = kind.replace("_", "")
    return next((model for model in apps.get_models() if model._meta.model_name == name), None) if name else None
