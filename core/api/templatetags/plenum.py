"""Small words of the admin's templates."""

from typing import Any

from django import template

register = template.Library()

MARKS = {"+": "plenum-added", "-": "plenum-removed", "@": "plenum-place"}


@register.filter
def diff_class(line: str) -> str:
    """Return the class of a line of a unified diff."""
    return MARKS.get(line[:1], "plenum-same")


@register.filter
def admin_change_name(opts: Any) -> str:
    """Return the name of the address at which a record of this model is changed."""
    return f"admin:{opts.app_label}_{opts.model_name}_change"
