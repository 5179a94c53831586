"""Sourced facts: one quantity of one subject, with every claim that was made of it."""

from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField, PublicSlugField, slug_constraints
from core.api.history import keep_history
from core.facts.fields import generated_base_value, generated_measures
from core.facts.querysets import ClaimQuerySet, FactQuerySet, SourceQuerySet


@keep_history
class Source(models.Model):
    """A document that says something: who published it, when, and where it can be read."""

    id = IdField()
    slug = PublicSlugField(unique=True)
    title = models.CharField(max_length=400)
    publisher = models.CharField(max_length=200, blank=True, default="")
    dated = models.CharField(
        max_length=60, blank=True, default="", help_text="As the document says it: 2026-03-11, 2025, undated."
    )
    address = models.URLField(
        max_length=500, blank=True, default="", help_text="https where there is one; empty for print."
    )
    licence = models.CharField(max_length=80, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("source")

    def __str__(self) -> str:
        return f"{self.title} ({self.publisher})" if self.publisher else self.title


@keep_history
class Fact(models.Model):
    """One quantity of one subject: device, installation, vendor, section, or none."""

    class SubjectKind(models.TextChoices):
        NONE = "", "None"
        DEVICE = "device", "Device"
        INSTALLATION = "installation", "Installation"
        VENDOR = "vendor", "Vendor"
        SECTION = "section", "Section"

    id = IdField()
    slug = PublicSlugField(unique=True, max_length=200)
    label = models.CharField(max_length=200)
    subject_kind = models.CharField(max_length=20, choices=SubjectKind.choices, blank=True, default="")
    subject_id = models.UUIDField(null=True, blank=True)
    field = models.SlugField(max_length=60, help_text="The name of the quantity with its unit: power_nameplate_w.")
    chosen = models.ForeignKey(
        "facts.Claim",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The claim that quantities and the simulator use.",
    )
    is_chosen_by_hand = models.BooleanField(default=False, help_text="An editor chose; an import leaves it alone.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = FactQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = [
            *slug_constraints("fact"),
            models.CheckConstraint(
                condition=models.Q(subject_kind="", subject_id=None)
                | (~models.Q(subject_kind="") & models.Q(subject_id__isnull=False)),
                name="fact_subject_whole",
            ),
            models.UniqueConstraint(
                fields=["subject_kind", "subject_id", "field"],
                condition=~models.Q(subject_kind=""),
                name="fact_one_a_field",
            ),
        ]
        indexes = [models.Index(fields=["subject_id"], name="fact_subject")]

    def __str__(self) -> str:
        return self.label


@keep_history
class Claim(models.Model):
    """What one source says of a fact."""

    class ClaimKind(models.TextChoices):
        NAMEPLATE = "nameplate", "Nameplate"
        TYPICAL = "typical", "Typical"
        IDLE = "idle", "Idle"
        MEASURED = "measured", "Measured"
        PLANNED = "planned", "Planned"
        STATED = "stated", "Stated"

    class Confidence(models.TextChoices):
        VERIFIED = "verified", "Verified"
        REPORTED = "reported", "Reported"
        UNVERIFIED = "unverified", "Unverified"

    id = IdField()
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="claims")
    value = models.DecimalField(max_digits=30, decimal_places=9)
    unit = models.CharField(
        max_length=20, blank=True, default="", help_text="As the source gives it: kW, lb, CFM, U; empty for a count."
    )
    claim_kind = models.CharField(max_length=12, choices=ClaimKind.choices, default=ClaimKind.STATED)
    dated = models.CharField(max_length=60, blank=True, default="", help_text="The date that the value is of.")
    confidence = models.CharField(max_length=12, choices=Confidence.choices, default=Confidence.UNVERIFIED)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="claims")
    note = models.CharField(max_length=400, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    measures = generated_measures()
    base_value = generated_base_value(max_digits=70)

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["fact", "source", "claim_kind", "value", "unit"], name="claim_once")
        ]
        indexes = [models.Index(fields=["measures", "base_value"], name="claim_quantity")]

    def __str__(self) -> str:
        return f"{self.value.normalize():f} {self.unit}".strip()
