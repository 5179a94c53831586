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
    unchanged: set[str] = field(default_factory=set)
    """Those of them whose draft held all that the folder says."""

    def may_write(self, row: Any, slug: str, place: Place) -> bool:
        """Return whether nobody but the importer ever wrote in `row` (an article, a vendor); else say that it stays.

        `slug` is the one of the file. The importer never changes it, so where another stands, somebody else wrote.
        """
        writers = set(row.draft_writer_ids)
        for ids in row.editions.values_list("writer_ids", flat=True):
            writers |= set(ids)
        if row.slug == slug and writers <= {self.writer.pk}:
            return True
        name = slug if row.slug == slug else f"{slug} is {row.slug} today and"
        self.tally.notice(place, "slug", "edited_here", f"{name} was edited here; what stands here stays.")
        return False
