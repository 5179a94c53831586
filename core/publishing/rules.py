"""The rules that the database holds, as sentences: what an editor reads when a trigger refuses."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from core.api.errors import explain_integrity_error

RULES: dict[str, tuple[str | None, str, str]] = {
    "edition_frozen": (None, "edition_frozen", "An edition is frozen; submit another one."),
    "edition_begins_in_review": (None, "edition_begins_in_review", "An edition begins in review."),
    "edition_hash": (None, "edition_hash", "The hash of an edition is that of its content."),
    "edition_writers": (None, "edition_writers", "Who submits an edition is one of its writers."),
    "published_at_missing": (None, "published_at_missing", "What is live has an instant of publication."),
    "approvals_missing": (None, "approvals_missing", "It has not been approved by as many people as it needs."),
    "review_frozen": (None, "review_frozen", "A review stands as it was given; give another one."),
    "live_range_shape": (None, "live_range_shape", "A live range begins at an instant."),
    "live_history": (None, "live_history", "What has been live was live; that cannot be changed."),
    "is_used": (None, "is_used", "It is in use, so it stays."),
    "feed_no_truncate": (None, "no_truncate", "Delete the rows, so that the change feed hears of it."),
}


def rules_of(table: str, noun: str) -> dict[str, tuple[str | None, str, str]]:
    """Return the rules of one kind of edition: those of all, and the two that bear its table's name."""
    return {
        **RULES,
        f"{table}_one_live": (None, "other_edition_then", f"Another edition of this {noun} is live or scheduled then."),
        f"{table}_one_slug": ("slug", "slug_taken", f"Another {noun} has this address then."),
    }


@contextmanager
def holding(rules: dict[str, tuple[str | None, str, str]]) -> Iterator[None]:
    """Turn a refusal of the database inside the block into a ValidationError; nothing of the block stays behind."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        explained = explain_integrity_error(error, rules)
        if explained is None:
            raise
        raise explained from error
