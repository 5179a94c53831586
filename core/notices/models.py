"""Notices: what somebody should know of what others did. Nothing here is public."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from core.api.fields import IdField
from core.notices.querysets import NoticeQuerySet


class Notice(models.Model):
    """One thing that happened, for one person. Of a draft it holds the title as it was then, and no text."""

    class Verb(models.TextChoices):
        SUBMITTED = "submitted", "Waits for review"
        CHANGES_REQUESTED = "changes_requested", "Changes requested"
        APPROVED = "approved", "Approved"
        PUBLISHED = "published", "Published"
        SCHEDULED = "scheduled", "Scheduled"
        CANCELLED = "cancelled", "Publication cancelled"
        WITHDRAWN = "withdrawn", "Withdrawn"

    id = IdField()
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    verb = models.CharField(max_length=20, choices=Verb.choices)
    subject_model = models.CharField(max_length=80, help_text="articles.article, sponsors.vendor, sponsors.placement.")
    subject_id = models.UUIDField()
    edition_id = models.UUIDField()
    number = models.PositiveIntegerField(null=True)
    title = models.CharField(max_length=300)
    note = models.TextField(blank=True, default="")
    begins_at = models.DateTimeField(null=True, help_text="The instant that was set, of what is scheduled.")
    at = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [
            models.Index(fields=["recipient", "-at", "-id"], name="notice_of_recipient"),
            models.Index(fields=["recipient"], name="notice_unread", condition=Q(read_at=None)),
            models.Index(fields=["edition_id"], name="notice_of_edition"),
            models.Index(fields=["read_at"], name="notice_read", condition=Q(read_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.get_verb_display()}: {self.title}"


class MailChoice(models.Model):
    """Of what somebody gets an e-mail too. Who has not chosen gets both."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="mail_choice"
    )
    reviews = models.BooleanField(default=True)
    own_work = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"E-mail to {self.person}"
