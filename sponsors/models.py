"""The directory: vendors with their reviewed editions, the domains proven to be theirs, and paid placements."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField, DateTimeRangeField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Collate, Now

from catalog.models import Manufacturer, Section
from core.api.fields import IdField, PublicSlugField, slug_constraints
from core.media.models import Image
from core.publishing.models import BaseEdition, Drafted
from sponsors.countries import validate_country
from sponsors.querysets import PlacementQuerySet, VendorEditionQuerySet

REL = "sponsored nofollow noopener"
"""What every link of a placement carries, on every surface."""
VENDOR_REL = "nofollow noopener"
"""What the link to the homepage of an entry carries: nobody pays for it."""

UNVERIFIABLE = (
    "city",
    "company_status",
    "country",
    "description",
    "homepage",
    "manufacturer",
    "name",
    "parent",
    "role",
    "sections",
)
"""What of an entry can be marked as checked by nobody, by the names that readers get."""


class Role(models.TextChoices):
    """What a company does: makes what others build of, builds, or runs what was built."""

    VENDOR = "vendor", "Vendor"
    BUILDER = "builder", "Builder"
    OPERATOR = "operator", "Operator"


class CompanyStatus(models.TextChoices):
    ACTIVE = "active", "Active"
    ACQUIRED = "acquired", "Acquired"
    DEFUNCT = "defunct", "Defunct"


class VendorFields(models.Model):
    """What the draft of an entry and its editions both have."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="", help_text="A sentence or two, in our own words.")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VENDOR)
    homepage = models.URLField(
        max_length=500, blank=True, default="", help_text="https, on a domain that is proven to be theirs."
    )
    country = models.CharField(
        max_length=2, blank=True, default="", validators=[validate_country], help_text="ISO 3166-1 alpha-2."
    )
    city = models.CharField(max_length=120, blank=True, default="", help_text="Of the headquarters.")
    company_status = models.CharField(max_length=10, choices=CompanyStatus.choices, blank=True, default="")
    parent = models.ForeignKey(
        "sponsors.Vendor",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="%(class)s_children",
        help_text="The company that owns it.",
    )
    manufacturer = models.ForeignKey(
        Manufacturer,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="%(class)ss",
        help_text="Its name in the catalogue, where it makes devices.",
    )
    unverified = ArrayField(
        models.CharField(max_length=20, choices=[(name, name) for name in UNVERIFIABLE]),
        default=list,
        blank=True,
        help_text="Fields whose value nobody checked against a source; readers are told.",
    )

    class Meta:
        abstract = True


class Vendor(VendorFields, Drafted):
    """An entry of the directory: its identity, and in its columns the one draft. Readers never see these columns."""

    slug = PublicSlugField(unique=True, help_text="The address. It can change later: the old one redirects.")
    sections = models.ManyToManyField(
        Section, through="sponsors.VendorSection", related_name="vendor_drafts", blank=True
    )
    note = models.TextField(blank=True, default="", help_text="For editors. It is never published.")

    class Meta:
        ordering = ["slug"]
        constraints = [
            *slug_constraints("vendor"),
            models.CheckConstraint(
                condition=Q(parent=None) | ~Q(parent=models.F("id")),
                name="vendor_not_its_parent",
                violation_error_code="own_parent",
                violation_error_message="A company does not own itself.",
            ),
        ]
        permissions = [
            ("review_vendor", "Can approve editions of vendors or ask for changes"),
            ("publish_vendor", "Can publish, schedule and withdraw vendors, and record their domains"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse a chain of owners that leads back here."""
        seen, owner = {self.pk}, self.parent
        while owner is not None:
            if owner.pk in seen:
                raise ValidationError({"parent": ValidationError("It would own itself.", code="own_parent")})
            seen.add(owner.pk)
            owner = owner.parent


class VendorSection(models.Model):
    """A section that a vendor works in, in its draft; the first is the main one."""

    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="draft_sections")
    section = models.ForeignKey(Section, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["vendor", "section"], name="vendor_section_once")]

    def __str__(self) -> str:
        return str(self.section)


class VendorDomain(models.Model):
    """A registrable domain that is the vendor's, and how we know. Links lead to such domains only."""

    class Proof(models.TextChoices):
        SOURCE = "source", "A source that an editor can open"
        DNS = "dns", "A record in the DNS of the domain"
        MAIL = "mail", "Mail from the domain"

    id = IdField()
    vendor = models.ForeignKey(Vendor, on_delete=models.CASCADE, related_name="domains")
    domain = models.CharField(max_length=253, help_text="Registrable, in its ASCII form: example.com.")
    proof = models.CharField(max_length=10, choices=Proof.choices, default=Proof.SOURCE)
    source = models.CharField(max_length=500, help_text="What was seen, where and when.")
    proven_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    proven_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["domain"]
        constraints = [
            models.UniqueConstraint(fields=["vendor", "domain"], name="vendor_domain_once"),
            models.CheckConstraint(
                condition=Q(domain__regex=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$"), name="vendor_domain_letters"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="vendor_domain_source"),
        ]

    def __str__(self) -> str:
        return self.domain


class VendorEdition(VendorFields, BaseEdition):
    """A frozen copy of an entry. The database holds that these columns, and the sections, say what `content` says."""

    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="editions")
    domain = models.CharField(  # noqa: DJ001 - null is no homepage, and keeps the foreign key to the proof out of it.
        max_length=253, null=True, help_text="The registrable domain of the homepage, proven when it was frozen."
    )
    sections = models.ManyToManyField(
        Section, through="sponsors.VendorEditionSection", related_name="vendor_editions", blank=True
    )
    search = models.GeneratedField(
        expression=SearchVector("name", weight="A", config="english")
        + SearchVector("name", "slug", "city", weight="A", config="simple")
        + SearchVector("description", weight="C", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = VendorEditionQuerySet.as_manager()  # type: ignore[misc]

    subject_name = "vendor"

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["vendor", "number"], name="vendor_edition_number")]
        indexes = [
            models.Index(Collate("name", "C"), "vendor_id", name="vendor_by_name", condition=Q(live__isnull=False)),
            models.Index("published_at", "vendor_id", name="vendor_newest", condition=Q(live__isnull=False)),
            models.Index(fields=["slug"], name="vendor_slug", condition=Q(live__isnull=False)),
            GinIndex(fields=["search"], name="vendor_search"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, edition {self.number}"

    @property
    def subject(self) -> Vendor:
        return self.vendor


class VendorEditionSection(models.Model):
    """A section of an edition, in the order of the draft. Frozen with it."""

    edition = models.ForeignKey(VendorEdition, on_delete=models.CASCADE, related_name="section_rows")
    section = models.ForeignKey(Section, on_delete=models.PROTECT, related_name="vendor_rows")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["edition", "section"], name="vendor_edition_section_once")]

    def __str__(self) -> str:
        return str(self.section)


class Placement(models.Model):
    """A paid appearance of a vendor in a slot for a bounded period. One frozen row: a change is a new placement.

    `sha256` is the hash of all that readers get, which the database computes itself (`sponsors_placement_content`).
    """

    class ReviewState(models.TextChoices):
        IN_REVIEW = "in_review", "In review"
        APPROVED = "approved", "Approved"
        CHANGES_REQUESTED = "changes_requested", "Changes requested"

    id = IdField()
    slot = models.SlugField(max_length=60, help_text="Where it appears: sidebar, newsletter-top.")
    lane = models.PositiveSmallIntegerField(default=0, help_text="Of several places in one slot, which.")
    period = DateTimeRangeField(help_text="From when until when.")
    vendor = models.ForeignKey(Vendor, on_delete=models.PROTECT, related_name="placements")
    headline = models.CharField(max_length=120)
    text = models.CharField(max_length=400, blank=True, default="")
    address = models.URLField(max_length=500, help_text="https, on a domain that is proven to be the vendor's.")
    domain = models.CharField(max_length=253, editable=False)
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    picture = models.JSONField(
        null=True, editable=False, help_text="The image as it was approved: file, sha256, width, height, alt."
    )
    label = models.CharField(max_length=40, default="Advertisement", help_text="The word that discloses it.")
    paid_by = models.CharField(max_length=200)
    on_behalf_of = models.CharField(max_length=200, blank=True, default="")
    sha256 = models.CharField(max_length=64, editable=False)
    writer_ids = ArrayField(models.IntegerField(), editable=False)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )
    submitted_at = models.DateTimeField(db_default=Now(), editable=False)
    replaces = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="replaced_by",
        help_text="The placement that ends when this one is approved.",
    )
    review_state = models.CharField(
        max_length=20, choices=ReviewState.choices, default=ReviewState.IN_REVIEW, editable=False
    )
    approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_reason = models.TextField(blank=True, default="", editable=False)

    objects = PlacementQuerySet.as_manager()

    class Meta:
        ordering = ["-submitted_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(label__regex=r"^\s*$") & ~Q(paid_by__regex=r"^\s*$"), name="placement_disclosed"
            ),
            models.CheckConstraint(
                condition=Q(approved_at=None) ^ Q(review_state="approved"), name="placement_approved_state"
            ),
            models.CheckConstraint(
                condition=Q(suspended_at=None, suspended_reason="")
                | (Q(suspended_at__isnull=False) & ~Q(suspended_reason="")),
                name="placement_suspended_reason",
            ),
        ]
        indexes = [models.Index(fields=["vendor", "approved_at"], name="placement_vendor")]
        permissions = [
            ("review_placement", "Can approve placements or ask for changes"),
            ("publish_placement", "Can suspend placements"),
        ]

    def __str__(self) -> str:
        return f"{self.headline} ({self.slot} {self.lane})"
