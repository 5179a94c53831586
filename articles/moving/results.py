"""What came of a run: what reports are made of."""

from collections.abc import Callable
from dataclasses import dataclass, field

from articles.moving.items import Notice
from articles.moving.people import Byline
from articles.moving.plans import Plan

Progress = Callable[[str, str], None]
"""Called with what is done ("Reading", "Writing") and the label of an item."""


@dataclass
class Result:
    """What came of a run. `written` are new or changed items with their article; the rest says why not."""

    plan: Plan
    bylines: dict[str, Byline]
    actions: dict[str, str] = field(default_factory=dict)
    """By source id: created, changed, unchanged, kept (an editor changed it here), deleted (here), skipped."""
    notices: dict[str, list[Notice]] = field(default_factory=dict)
    published: set[str] = field(default_factory=set)
    supplied: list[str] = field(default_factory=list)
    """Names of pictures whose files came now."""
    is_dry_run: bool = False

    @property
    def writes(self) -> bool:
        """Whether the run wrote anything, or would have."""
        return bool(self.supplied) or any(action in ("created", "changed", "kept") for action in self.actions.values())
