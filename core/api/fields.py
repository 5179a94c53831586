"""Columns that many models share."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.api.ids import as_uuid, uuid7


def validate_slug_is_no_uuid(value: str) -> None:
    """Refuse a slug that could be taken for an id: item paths take either."""
    if as_uuid(value) is not None:
        raise ValidationError("A slug must not look like an id.", code="slug_is_uuid")


def validate_slug_ends(value: str) -> None:
    """Refuse a slug that begins or ends with a hyphen or an underscore."""
    if not (value[:1].isalnum() and value[-1:].isalnum()):
        raise ValidationError("A slug begins and ends with a letter or a digit.", code="slug_ends")


class IdField(models.UUIDField):
    """The primary key of every public record: a UUIDv7 made by the application."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("primary_key", True)
        kwargs.setdefault("default", uuid7)
        kwargs.setdefault("editable", False)
        super().__init__(**kwargs)


class PublicSlugField(models.SlugField):
    """The address of a record: lower-case ASCII letters, digits, hyphens, underscores; unique in its kind."""

    description = _("Slug")
    default_validators = [*models.SlugField.default_validators, validate_slug_ends]
    default_error_messages = {"unique": _("Another %(model_name)s has this address.")}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 120)
        validators = kwargs.pop("validators", [])
        if validate_slug_is_no_uuid not in validators:
            validators = [*validators, validate_slug_is_no_uuid]
        super().__init__(validators=validators, **kwargs)


def slug_constraints(table: str) -> list[models.BaseConstraint]:
    """Return what the database itself holds of a column named slug: its letters, and that it is no id."""
    return [
        models.CheckConstraint(
            condition=models.Q(slug__regex=r"^[-a-z0-9_]+$"),
            name=f"{table}_slug_letters",
            violation_error_code="slug_letters",
            violation_error_message="A slug has lower-case letters, digits, hyphens and underscores.",
        ),
        models.CheckConstraint(
            condition=~models.Q(slug__regex=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
            name=f"{table}_slug_no_id",
            violation_error_code="slug_is_uuid",
            violation_error_message="A slug must not look like an id.",
        ),
    ]
