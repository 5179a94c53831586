"""What a resolver knows of the request."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import strawberry

from core.api.as_of import is_history


@dataclass
class Context:
    """`now` is the database's clock, read once; `at` is the instant that articles are asked for: `now`, or `asOf`.

    `asked` holds the names of all fields of the document, for what is read in parts.
    """

    now: datetime
    at: datetime
    asked: frozenset[str] = frozenset()
    made_of: dict[str, None] = field(default_factory=dict)
    """kind:id of the records that the answer was made of."""

    @property
    def is_past(self) -> bool:
        """Return whether another instant than now was asked for."""
        return is_history(self.at)

    def note(self, kind: str, identifier: UUID) -> None:
        """Remember that the answer was made of a record."""
        self.made_of[f"{kind}:{identifier}"] = None


Info = strawberry.Info[Context, None]
