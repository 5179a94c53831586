"""Who writes and who approves in a run, and what it may write in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User

from articles.importing.tally import Tally
from articles.models import Article
from catalog.importing.records import Place


@dataclass
class Desk:
    """The writer is the account of imports; the approvers are neither it nor each other."""

    writer: User
    approvers: Sequence[User]
    tally: Tally
    articles: dict[str, Article] = field(default_factory=dict)
    """The articles of the folder that this run may publish, by slug."""

    def may_write(self, row: Any, place: Place) -> bool:
        """Return whether nobody but the importer ever wrote in `row` (an article, a vendor); else say that it stays."""
        writers = set(row.draft_writer_ids)
        for ids in row.editions.values_list("writer_ids", flat=True):
            writers |= set(ids)
        if writers <= {self.writer.pk}:
            return True
        self.tally.notice(place, "slug", "edited_here", f"{row.slug} was edited here; what stands here stays.")
        return False
