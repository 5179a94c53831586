"""The publication: authors, tags, articles with their drafts, and the editions that readers see."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now

from articles.corrections import gravest, validate_corrections
from articles.moving.identity import ImportedAuthor as ImportedAuthor
from articles.moving.identity import ImportedItem as ImportedItem
from articles.moving.identity import ImportedPicture as ImportedPicture
from articles.quantities import BoundQuantityQuerySet
from articles.querysets import ArticleEditionQuerySet, BylineQuerySet
from catalog.models import Rung, Section
from core.api.fields import IdField, PublicSlugField, slug_constraints
from core.facts.fields import generated_base_value, generated_measures
from core.facts.models import Fact, Source
from core.media.models import Image
from core.publishing.addresses import LONGEST_PATH
from core.publishing.models import BaseEdition, Drafted
from simulator.models import Scenario

LONGEST_BODY = 300_000
"""Characters: a book. Reading a body takes time in proportion to its length, so it has an end."""


class Author(models.Model):
    """A byline. It is not an account: who may write is a matter of the admin."""

    id = IdField()
    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=200)
    bio = models.TextField(blank=True, default="")
    homepage = models.URLField(max_length=500, blank=True, default="")
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = BylineQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("author")

    def __str__(self) -> str:
        return self.name


class Tag(models.Model):
    """A free label of an article."""

    id = IdField()
    slug = PublicSlugField(unique=True)
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = BylineQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("tag")

    def __str__(self) -> str:
        return self.name


class Article(Drafted):
    """An article: its identity, and in its columns the one draft. Readers never see these columns."""

    title = models.CharField(max_length=300, blank=True, default="")
    slug = PublicSlugField(unique=True, help_text="The address. It can change later: the old one redirects.")
    dek = models.CharField(max_length=500, blank=True, default="", help_text="The sentence under the title.")
    body = models.TextField(
        blank=True,
        default="",
        validators=[MaxLengthValidator(LONGEST_BODY)],
        help_text="Markdown with directives; see docs/markup.md.",
    )
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.PROTECT, related_name="drafts")
    rung = models.ForeignKey(Rung, null=True, blank=True, on_delete=models.PROTECT, related_name="drafts")
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    authors = models.ManyToManyField(Author, through="articles.DraftAuthor", related_name="drafts", blank=True)
    tags = models.ManyToManyField(Tag, related_name="drafts", blank=True)
    explains = ArrayField(
        models.CharField(max_length=80),
        default=list,
        blank=True,
        help_text="What of the simulator this article explains: density_kw, method:air, warning:floor_load.",
    )
    corrections = models.JSONField(
        default=list,
        blank=True,
        validators=[validate_corrections],
        help_text="What it said, what it says, when, how grave (minor, major).",
    )
    note = models.TextField(blank=True, default="", help_text="For editors. It is never published.")

    class Meta:
        ordering = ["-draft_changed_at", "-id"]
        constraints = slug_constraints("article")
        permissions = [
            ("review_article", "Can approve editions of articles or ask for changes"),
            ("publish_article", "Can publish, schedule and withdraw articles"),
        ]

    def __str__(self) -> str:
        return self.title or self.slug


class DraftAuthor(models.Model):
    """An author of a draft, in the order of the byline."""

    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="authorships")
    author = models.ForeignKey(Author, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["article", "author"], name="draft_author_once")]

    def __str__(self) -> str:
        return str(self.author)


class Edition(BaseEdition):
    """A frozen copy of an article. `content` is all that readers can get; the columns are derived from it."""

    article = models.ForeignKey(Article, on_delete=models.PROTECT, related_name="editions")
    title = models.CharField(max_length=300)
    dek = models.CharField(max_length=500, blank=True, default="")
    plain_text = models.TextField()
    word_count = models.PositiveIntegerField()
    section = models.ForeignKey(Section, null=True, on_delete=models.PROTECT, related_name="editions")
    rung = models.ForeignKey(Rung, null=True, on_delete=models.PROTECT, related_name="editions")
    image = models.ForeignKey(Image, null=True, on_delete=models.PROTECT, related_name="+")
    authors = models.ManyToManyField(Author, through="articles.Authorship", related_name="editions")
    tags = models.ManyToManyField(Tag, through="articles.Tagging", related_name="editions")
    search = models.GeneratedField(
        expression=SearchVector("title", weight="A", config="english")
        + SearchVector("dek", weight="B", config="english")
        + SearchVector("plain_text", weight="C", config="english"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    # Lists show these, and would read each document whole for them.
    reading_minutes = models.GeneratedField(
        expression=Func(F("content"), template="((%(expressions)s ->> 'reading_minutes')::integer)"),
        output_field=models.PositiveIntegerField(),
        db_persist=True,
    )
    corrected = models.GeneratedField(
        expression=gravest(), output_field=models.CharField(max_length=10, null=True), db_persist=True
    )

    objects = ArticleEditionQuerySet.as_manager()  # type: ignore[misc]

    subject_name = "article"

    class Meta:
        ordering = ["-published_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["article", "number"], name="articles_edition_number")]
        indexes = [
            models.Index(
                fields=["-published_at", "-article_id"], name="edition_newest", condition=Q(live__isnull=False)
            ),
            models.Index(
                fields=["section", "-published_at", "-article_id"],
                name="edition_section",
                condition=Q(live__isnull=False),
            ),
            models.Index(fields=["slug"], name="edition_slug", condition=Q(live__isnull=False)),
            GinIndex(fields=["search"], name="edition_search"),
        ]

    def __str__(self) -> str:
        return f"{self.title}, edition {self.number}"

    @property
    def subject(self) -> Article:
        return self.article


class Authorship(models.Model):
    """An author of an edition, in the order of the byline. Frozen with it."""

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="authorships")
    author = models.ForeignKey(Author, on_delete=models.PROTECT, related_name="authorships")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["edition", "author"], name="authorship_once")]

    def __str__(self) -> str:
        return str(self.author)


class Tagging(models.Model):
    """A tag of an edition. Frozen with it."""

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="taggings")
    tag = models.ForeignKey(Tag, on_delete=models.PROTECT, related_name="taggings")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["edition", "tag"], name="tagging_once")]

    def __str__(self) -> str:
        return str(self.tag)


class Citation(models.Model):
    """A numbered reference of an edition to a source. Frozen with it."""

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="citations")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="citations")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["edition", "number"], name="citation_number")]

    def __str__(self) -> str:
        return f"[{self.number}] {self.source}"


class OldAddress(models.Model):
    """A path at which an article stood before it came here. It leads to the article for as long as that is live."""

    id = IdField()
    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="old_addresses")
    path = models.CharField(
        max_length=LONGEST_PATH, unique=True, help_text="As articles/addresses.py normalises it: /2024/05/busways."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["path"]
        verbose_name_plural = "old addresses"
        constraints = [
            models.CheckConstraint(condition=Q(path__regex=r"^(/[^/]+)+$"), name="old_address_is_a_path"),
        ]

    def __str__(self) -> str:
        return self.path


class BoundQuantity(models.Model):
    """A quantity of an edition, as it was frozen. `articles.quantities` says what its record holds today."""

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="quantities")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=260, help_text="As it is written in the body: dgx-h100.weight_kg.")
    text = models.CharField(max_length=120)
    value = models.DecimalField(max_digits=45, decimal_places=15)
    unit = models.CharField(max_length=20, blank=True, default="")
    # One of the two; none where the record went before references kept it.
    fact = models.ForeignKey(Fact, null=True, on_delete=models.PROTECT, related_name="+")
    scenario = models.ForeignKey(Scenario, null=True, on_delete=models.PROTECT, related_name="+")
    record = models.CharField(max_length=20, help_text="fact or scenario.")
    record_id = models.UUIDField()
    field = models.CharField(max_length=80)
    dated = models.CharField(max_length=60, blank=True, default="")
    confidence = models.CharField(max_length=12, blank=True, default="")
    claim_kind = models.CharField(max_length=12, blank=True, default="")
    source = models.ForeignKey(Source, null=True, on_delete=models.PROTECT, related_name="+")
    source_slug = models.CharField(max_length=120, blank=True, default="", help_text="Of then.")
    measures = generated_measures()
    base_value = generated_base_value(max_digits=80)

    objects = BoundQuantityQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["edition", "number"], name="bound_quantity_number")]

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"


class KeptQuantity(models.Model):
    """An editor saw that the record of a published quantity says something else, and lets the edition stand as it is.

    It holds for what the record said then. When that moves again, somebody should look again.
    """

    quantity = models.OneToOneField(BoundQuantity, on_delete=models.CASCADE, related_name="kept")
    measures = models.CharField(max_length=20, blank=True, default="")
    base_value = models.DecimalField(
        max_digits=80, decimal_places=24, null=True, help_text="What the record said, in base units; null: nothing."
    )
    note = models.CharField(max_length=400)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.quantity} is kept: {self.note}"


class PreviewLink(models.Model):
    """A link that shows a draft or an edition to somebody without an account, until it expires or is revoked."""

    id = IdField()
    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="preview_links")
    edition = models.ForeignKey(Edition, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"Preview of {self.article} until {self.expires_at:%Y-%m-%d %H:%M %Z}"
