"""Drafts, editions, reviews: how something becomes public. Articles and vendors use it.

An identity (an article, a vendor) holds one draft in its own columns. Submitting freezes an edition; approvals are
bound to it; it is live for a range of time. The database holds the rules (`triggers.py`), whatever statement is sent.
"""

from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField
from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField, PublicSlugField
from core.publishing.addresses import LONGEST_PATH
from core.publishing.querysets import LIVE_BEGINS, LIVE_ENDS, EditionQuerySet, RedirectQuerySet


class Drafted(models.Model):
    """The identity of something that is published, and its draft. The columns of a subclass are the draft."""

    id = IdField()
    draft_version = models.PositiveIntegerField(default=1, editable=False)
    # Who changed the draft since it was last submitted; who did so last stands last.
    draft_writer_ids = ArrayField(models.IntegerField(), default=list, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    draft_changed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True


class BaseEdition(models.Model):
    """A frozen copy of a draft. Only `live`, its review state and `published_at` ever change."""

    class ReviewState(models.TextChoices):
        IN_REVIEW = "in_review", "In review"
        APPROVED = "approved", "Approved"
        CHANGES_REQUESTED = "changes_requested", "Changes requested"
        SUPERSEDED = "superseded", "Superseded"

    id = IdField()
    number = models.PositiveIntegerField()
    slug = PublicSlugField()
    content = models.JSONField(help_text="All that readers can get, as one canonical JSON document.")
    sha256 = models.CharField(max_length=64)
    review_state = models.CharField(max_length=20, choices=ReviewState.choices, default=ReviewState.IN_REVIEW)
    submitted_at = models.DateTimeField(db_default=Now())
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    writer_ids = ArrayField(models.IntegerField(), default=list)
    live = DateTimeRangeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.TextField(blank=True, default="")

    objects = EditionQuerySet.as_manager()

    # The name of the foreign key to the identity; a subclass gives it.
    subject_name: Any = ""

    class Meta:
        abstract = True

    @property
    def subject(self) -> Any:
        """The identity that this is an edition of."""
        raise NotImplementedError(type(self).__name__)


class Review(models.Model):
    """A verdict on an edition or a placement, bound to the hash of its content. Rows are only ever inserted."""

    class Verdict(models.TextChoices):
        APPROVED = "approved", "Approved"
        CHANGES_REQUESTED = "changes_requested", "Changes requested"

    id = IdField()
    kind = models.CharField(max_length=40)
    target_id = models.UUIDField()
    sha256 = models.CharField(max_length=64)
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    note = models.TextField(blank=True, default="")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["target_id", "at"], name="publishing_review_target")]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()} by {self.reviewer}"


class Redirect(models.Model):
    """Where an address leads during `live`. Triggers write it (`redirects.py`): it follows from the editions."""

    id = IdField()
    kind = models.CharField(max_length=40)
    subject_id = models.UUIDField()
    address = models.CharField(max_length=LONGEST_PATH, help_text="An old slug, or a path of another site.")
    slug = models.CharField(max_length=120, help_text="Where it stands then.")
    live = DateTimeRangeField()

    objects = RedirectQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["kind", "address"], name="publishing_redirect_address"),
            models.Index(LIVE_BEGINS, "id", name="publishing_redirect_begins"),
            models.Index(LIVE_ENDS, name="publishing_redirect_ends"),
        ]

    def __str__(self) -> str:
        return f"{self.address} leads to {self.kind} {self.slug}"


class Reference(models.Model):
    """Something names something: `holder` (an edition, a draft, a scenario) names `target`. Kinds and ids, no more."""

    id = IdField()
    holder_kind = models.CharField(max_length=40, help_text="article, vendor, scenario…")
    holder_id = models.UUIDField()
    edition_id = models.UUIDField(
        null=True, help_text="The edition that says so; null for a draft or for what has none."
    )
    role = models.CharField(max_length=40, help_text="link, quantity, citation, figure, device, explains…")
    target_kind = models.CharField(max_length=40)
    target_id = models.UUIDField(null=True, help_text="Null for what has no row, such as a quantity of the simulator.")
    target_key = models.CharField(max_length=200, blank=True, default="", help_text="The name as it was written.")

    class Meta:
        indexes = [
            models.Index(fields=["target_kind", "target_id"], name="publishing_reference_target"),
            models.Index(fields=["target_kind", "target_key"], name="publishing_reference_key"),
            models.Index(fields=["edition_id"], name="publishing_reference_edition"),
            models.Index(fields=["holder_id", "edition_id"], name="publishing_reference_holder"),
        ]

    def __str__(self) -> str:
        return f"{self.holder_kind} {self.holder_id} names {self.target_kind} {self.target_key or self.target_id}"


class OpenForm(models.Model):
    """A form of a draft that somebody has open in a window, under an id that the window made (presence.py)."""

    id = models.UUIDField(primary_key=True, editable=False)
    kind = models.CharField(max_length=40)
    subject_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    opened_at = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now())
    has_changed = models.BooleanField(default=False, help_text="It holds something that is not saved.")
    saved_version = models.PositiveIntegerField(null=True, help_text="The version of the draft that it wrote last.")
    saved_number = models.PositiveIntegerField(default=0, help_text="How many saves it had sent then.")

    class Meta:
        indexes = [
            models.Index(fields=["subject_id", "seen_at"], name="publishing_form_subject"),
            models.Index(fields=["seen_at"], name="publishing_form_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}, open since {self.opened_at:%Y-%m-%d %H:%M %Z}"
