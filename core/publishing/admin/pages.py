"""What can be done with something that is published, and the pages that ask before it is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError

from core.publishing.admin.forms import BasedOnForm, ReviewForm, VerbForm, WhenForm, WithdrawForm
from core.publishing.services import Kind


@dataclass(frozen=True)
class Remark:
    """Something to say of a draft; where it is about a place in its text, line and column from 1, else 0."""

    message: str
    line: int = 0
    column: int = 0


def remarks_of(error: ValidationError) -> list[Remark]:
    """Return what a service said, with the places it named."""
    by_field = getattr(error, "error_dict", None)
    errors = [one for each in by_field.values() for one in each] if by_field is not None else error.error_list
    return [
        Remark(message, (one.params or {}).get("line", 0), (one.params or {}).get("column", 0))
        for one in errors
        for message in one.messages
    ]


@dataclass(frozen=True)
class Verbs:
    """The services of a kind, as the admin calls them."""

    kind: Kind
    submit: Callable[..., Any]
    """(subject, *, by, based_on) -> edition; StaleDraft where the draft is no longer of that version"""
    review: Callable[..., Any]
    """(edition, *, by, verdict, note) -> edition"""
    publish: Callable[..., Any]
    """(edition, *, at, by) -> edition"""
    cancel: Callable[..., Any]
    """(edition, *, by) -> edition"""
    withdraw: Callable[..., Any]
    """(subject, *, reason, at, by) -> edition"""
    restore: Callable[..., Any]
    """(edition, *, based_on, by) -> subject"""
    delete: Callable[..., None]
    """(subject); refuses what readers have seen"""
    check: Callable[[Any], list[Remark]]
    """(subject) -> what could be better; raises ValidationError for what stands in the way of submitting"""
    duplicate: Callable[..., Any] | None = None
    """(subject, *, by) -> subject; None where nobody needs a second one"""


@dataclass(frozen=True)
class Page:
    """One verb as a page."""

    title: str
    button: str
    permission: str
    form: type[VerbForm]
    explanation: str
    tone: str = "primary"


SUBJECT_PAGES = {
    "submit": Page(
        "Submit for review",
        "Submit for review",
        "change",
        BasedOnForm,
        "The draft is frozen as an edition, which others review. You can go on writing: that changes the draft only.",
    ),
    "withdraw": Page(
        "Withdraw",
        "Withdraw",
        "publish",
        WithdrawForm,
        "Readers no longer find it, in any interface. The draft and all editions stay.",
        "danger",
    ),
    "duplicate": Page(
        "Duplicate",
        "Duplicate the draft",
        "add",
        VerbForm,
        "The draft is copied under a new address. The copy has no editions, so readers see nothing of it.",
    ),
}
EDITION_PAGES = {
    "review": Page(
        "Review edition {number}",
        "Give this verdict",
        "review",
        ReviewForm,
        "The verdict is bound to exactly this edition and stays with it.",
    ),
    "publish": Page(
        "Publish edition {number}",
        "Publish",
        "publish",
        WhenForm,
        "From then on this is what readers see, in every interface, in place of what they see now.",
    ),
    "cancel": Page(
        "Cancel the publication of edition {number}",
        "Cancel the publication",
        "publish",
        VerbForm,
        "The edition does not go live. What readers see now goes on.",
        "danger",
    ),
    "restore": Page(
        "Restore edition {number} into the draft",
        "Restore into the draft",
        "change",
        BasedOnForm,
        "What the edition says replaces what the draft says. Readers see no change.",
    ),
}
