"""Notices as sentences, and where they lead."""

from django.urls import reverse

from core.api.instants import show_instant
from core.notices.models import Notice

SENTENCES = {
    "submitted": "{by} submitted {thing}. It waits for a review.",
    "changes_requested": "{by} asks for changes to {thing}.",
    "approved": "{by} approved {thing}. It can be published.",
    "published": "{by} published {thing}. Readers see it.",
    "scheduled": "{by} scheduled {thing}: readers see it from {begins} on.",
    "cancelled": "{by} cancelled the publication of {thing}.",
    "withdrawn": "{by} withdrew {thing}. Readers no longer see it.",
}
PLACEMENT_SENTENCES = {
    "approved": "{by} approved {thing}. Readers see it within its period.",
    "withdrawn": "{by} suspended {thing}. Readers no longer see it.",
}


def sentence_of(notice: Notice) -> str:
    """Return what happened, on the clock of the current time zone."""
    name = notice.subject_model.partition(".")[2]
    number = f"edition {notice.number} of " if notice.number else ""
    sentences = SENTENCES | (PLACEMENT_SENTENCES if name == "placement" else {})
    sentence = sentences[notice.verb]
    if notice.verb == "withdrawn" and notice.begins_at is not None:
        sentence = "{by} set an end to {thing}: readers see it until {begins}."
    return sentence.format(
        by=(notice.by.get_full_name() or notice.by.get_username()) if notice.by else "Somebody",
        thing=f"{number}the {name} “{notice.title}”",
        begins=show_instant(notice.begins_at) if notice.begins_at else "",
    )


def address_of(notice: Notice) -> str:
    """Return the path of the page where one does what is to be done: review, or look."""
    name = f"admin:{notice.subject_model.replace('.', '_')}"
    if notice.verb == Notice.Verb.SUBMITTED:
        number = [notice.number] if notice.number is not None else []
        return reverse(f"{name}_review", args=[notice.subject_id, *number])
    return reverse(f"{name}_change", args=[notice.subject_id])
