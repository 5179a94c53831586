"""Small words of the admin's templates."""

from django import template

from core.api.instants import show_instant

register = template.Library()

register.filter("instant", show_instant)
MARKS = {"+": "plenum-added", "-": "plenum-removed", "@": "plenum-place"}


@register.filter
def diff_class(line: str) -> str:
    """Return the class of a line of a unified diff."""
    return MARKS.get(line[:1], "plenum-same")
