"""What the verbs did, told in their own transaction to who asked for it: whoever writes notices of it.

A function is called, no signal is sent: `tell` is the next step of a verb, and `listen` says who hears it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.contrib.auth.models import User

from core.publishing.kinds import Kind, excluded_reviewers

Verb = Literal["submitted", "changes_requested", "approved", "published", "scheduled", "cancelled", "withdrawn"]


@dataclass(frozen=True)
class Happening:
    """A verb that was done to `subject` (an article, a vendor, a placement), of which `edition_id` was frozen.

    `writer_ids` are the accounts that wrote it, `excluded_ids` those whose approval does not count. `at` is an instant
    that the verb set; `note` is what was said with it.
    """

    verb: Verb
    subject: Any
    edition_id: Any
    number: int | None
    by: User | None
    writer_ids: tuple[int, ...]
    excluded_ids: tuple[int, ...] = ()
    note: str = ""
    at: datetime | None = None


Listener = Callable[[Sequence[Happening]], object]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Call `listener` with what each verb did from now on, to one or to many; an app asks when ready."""
    if listener not in _listeners:
        _listeners.append(listener)


def tell(happenings: Sequence[Happening]) -> None:
    for listener in _listeners if happenings else ():
        listener(happenings)


def tell_of(
    kind: Kind, editions: Sequence[Any], verb: Verb, *, by: User | None, note: str = "", at: datetime | None = None
) -> None:
    """Tell what a verb did to editions of one kind."""
    tell(
        [
            Happening(
                verb,
                edition.subject,
                edition.pk,
                edition.number,
                by,
                writer_ids=tuple(edition.writer_ids),
                excluded_ids=tuple(excluded_reviewers(kind, edition)),
                note=note,
                at=at,
            )
            for edition in editions
        ]
    )
