"""What changed of what is public, and how far each kind has come. Triggers write these tables; the feed reads them."""

from typing import Any

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models.functions import Now

from core.api.ids import uuid7


class Xid8Field(models.Field):
    """A transaction id of PostgreSQL that never wraps around (xid8); in Python its decimal text."""

    def db_type(self, connection: Any) -> str:
        return "xid8"


class Change(models.Model):
    """One change of one public record. Read in the order (xid, id) below the oldest transaction still running."""

    class ChangeKind(models.TextChoices):
        UPSERT = "upsert"
        TOMBSTONE = "tombstone"

    id = models.BigAutoField(primary_key=True)
    xid = Xid8Field()
    at = models.DateTimeField(db_default=TransactionNow())
    kind = models.CharField(max_length=40)
    object_id = models.UUIDField()
    change_kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    reason = models.CharField(max_length=40)

    class Meta:
        indexes = [models.Index(fields=["xid", "id"], name="feed_change_order")]

    def __str__(self) -> str:
        return f"{self.change_kind} {self.kind} {self.object_id}"


class Version(models.Model):
    """A part of the version of a kind: the version is the sum of `n`, exact however late a transaction commits."""

    pk = models.CompositePrimaryKey("kind", "xid")
    kind = models.CharField(max_length=40)
    xid = Xid8Field()
    n = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.kind} +{self.n}"


class Instant(models.Model):
    """A bound of a live range that lay ahead when it was written. It takes effect by itself; it is announced after."""

    kind = models.CharField(max_length=40)
    object_id = models.UUIDField()
    source_id = models.UUIDField(help_text="The row whose range it is: an edition, a placement.")
    at = models.DateTimeField()
    opens = models.BooleanField()
    announced = models.BooleanField(default=False)
    announced_at = models.DateTimeField(null=True, help_text="When the feed told it; how late that was is a metric.")

    class Meta:
        indexes = [
            models.Index(fields=["at"], name="feed_instant_at"),
            models.Index(fields=["at"], condition=models.Q(announced=False), name="feed_instant_due"),
            models.Index(fields=["source_id"], name="feed_instant_source"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id} {'opens' if self.opens else 'closes'} at {self.at:%Y-%m-%d %H:%M:%S%z}"


class Epoch(models.Model):
    """The life of this database, one row. A restore begins another, and cursors of the old one are refused."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    value = models.UUIDField(default=uuid7)
    # What the cluster and the table are known by, hashed (`core.feed.services.ensure_epoch`).
    system_identifier = models.CharField(max_length=24)
    began_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="feed_epoch_one_row")]

    def __str__(self) -> str:
        return str(self.value)
