"""The publication over GraphQL. `Article` is the edition that is visible then, under the id of the article."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

import strawberry
import strawberry_django
from django.db.models import DateTimeField, Exists, Field, Func, OuterRef

from articles import models
from articles.graphql.blocks import Block, make_blocks
from articles.graphql.contents import PARTS, read_parts
from articles.graphql.figures import images_of
from articles.graphql.links import CITATIONS, LINKS, Citation, Link
from articles.graphql.quantities import MOST_QUANTITIES, QUANTITIES, Quantity
from articles.uses import KINDS, using
from catalog.graphql.types import RUNGS, SECTIONS, Rung, Section
from core.api.compiled import Parameter
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import TEXT, UUIDS, Listing, Narrow, Row, text_or_null
from core.api.graphql.types import Column, columns_of
from core.api.keyset import BY_SLUG, Order, id_key, instant_key, number_key
from core.media.graphql import IMAGES, Image

NEWEST = (instant_key("published_at"), id_key("article_id"))


@strawberry.enum(description="By the instant of the first publication.")
class ArticleOrder(Enum):
    NEWEST = "newest"
    OLDEST = "oldest"


@strawberry_django.type(models.Author, field_cls=Column, description="A byline.")
class Author(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    bio: strawberry.auto
    homepage: str | None
    created_at: strawberry.auto
    updated_at: strawberry.auto
    image_id: strawberry.Private[UUID | None]

    @strawberry.field
    def image(self, info: Info) -> Image | None:
        return reads.one(self, info.context, IMAGES, "image_id")

    @strawberry.field
    def articles(
        self,
        info: Info,
        order_by: ArticleOrder = ArticleOrder.NEWEST,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> "Connection[Article]":
        return page_of(self, info, ARTICLES, "author_id", first=first, after=after, order=order_by)


@strawberry_django.type(models.Tag, field_cls=Column, description="A free label of articles.")
class Tag(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto

    @strawberry.field
    def articles(
        self,
        info: Info,
        order_by: ArticleOrder = ArticleOrder.NEWEST,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> "Connection[Article]":
        return page_of(self, info, ARTICLES, "tag_id", first=first, after=after, order=order_by)


@strawberry.type(description="A heading in the table of contents. `plain` is `text` with the values of quantities.")
class TocEntry:
    level: int
    text: str
    anchor: str
    plain: str


@strawberry.type(
    description="A note. `n` counts from 1 as readers meet them; `back` is how often the text refers to it."
)
class Footnote:
    n: int
    label: str
    back: int
    text: str
    html: str
    blocks: list[Block]


@strawberry.type(description="What an article said, what it says since, and how grave that was: minor or major.")
class Correction:
    said: str
    says: str
    on: str
    gravity: str


@strawberry_django.type(
    models.Edition, field_cls=Column, description="An article, as readers see it at the instant asked for."
)
class Article(Row, Node):
    id: strawberry.ID
    slug: strawberry.auto
    title: strawberry.auto
    dek: strawberry.auto
    published_at: datetime = strawberry.field(description="When readers first saw it.")
    updated_at: datetime = strawberry.field(description="Since when this edition is what they see.")
    edition: strawberry.auto = strawberry_django.field(field_cls=Column, field_name="number")
    word_count: strawberry.auto
    reading_minutes: strawberry.auto
    corrected: str | None = strawberry.field(description="How grave the gravest correction is: major, minor, or null.")
    sha256: strawberry.auto = strawberry.field(description="The hash of all that the edition holds.")
    edition_id: strawberry.Private[UUID]
    section_id: strawberry.Private[UUID | None]
    rung_id: strawberry.Private[UUID | None]
    image_id: strawberry.Private[UUID | None]

    @strawberry.field
    def section(self, info: Info) -> Section | None:
        return reads.one(self, info.context, SECTIONS, "section_id")

    @strawberry.field
    def rung(self, info: Info) -> Rung | None:
        return reads.one(self, info.context, RUNGS, "rung_id")

    @strawberry.field
    def image(self, info: Info) -> Image | None:
        return reads.one(self, info.context, IMAGES, "image_id")

    @strawberry.field(description="In the order of the byline.")
    def authors(self, info: Info) -> list[Author]:
        return reads.many(self, info.context, AUTHORS, "edition_id", "edition_id", order="byline")

    @strawberry.field
    def tags(self, info: Info) -> list[Tag]:
        return reads.many(self, info.context, TAGS, "edition_id", "edition_id")

    @strawberry.field(description="The body as it was written: Markdown with directives.")
    def markdown(self, info: Info) -> str:
        return str(_part(self, info, "body"))

    @strawberry.field(description="The body as sanitised HTML.", metadata={"kinds": ("image",)})
    def html(self, info: Info) -> str:
        return str(_part(self, info, "html"))

    @strawberry.field(description="The body as typed blocks.", metadata={"kinds": ("image",)})
    def blocks(self, info: Info) -> list[Block]:
        return self.batch.once("blocks", lambda: _blocks(_parts(self, info, "blocks")))[self.edition_id]

    @strawberry.field
    def toc(self, info: Info) -> list[TocEntry]:
        return [TocEntry(**entry) for entry in _part(self, info, "toc")]

    @strawberry.field(metadata={"kinds": ("image",)})
    def footnotes(self, info: Info) -> list[Footnote]:
        return self.batch.once("footnotes", lambda: _footnotes(_parts(self, info, "footnotes")))[self.edition_id]

    @strawberry.field(description="The images that the text shows, as they are today.")
    def images(self, info: Info) -> list[Image]:
        shown = images_of(self.batch, info.context)
        return [image for (edition_id, _), image in shown.items() if edition_id == self.edition_id]

    @strawberry.field(description="The sources of the text, by their numbers in it.")
    def citations(self, info: Info) -> list[Citation]:
        return reads.many(self, info.context, CITATIONS, "edition_id", "edition_id")

    @strawberry.field(
        description="The numbers of the text that are bound to records.",
        metadata={"kinds": ("article", "fact", "source", "scenario")},
    )
    def quantities(self, info: Info) -> list[Quantity]:
        question = reads.Question(first=MOST_QUANTITIES)
        return reads.page_of(self, info.context, QUANTITIES, "edition_id", "edition_id", question).rows

    @strawberry.field(metadata={"kinds": ("article", "device", "vendor", "installation", "scenario")})
    def links(self, info: Info) -> list[Link]:
        return reads.many(self, info.context, LINKS, "edition_id", "edition_id")

    @strawberry.field(description="Names of the simulator that it explains: density_kw, method:air, …")
    def explains(self, info: Info) -> list[str]:
        return list(_part(self, info, "explains"))

    @strawberry.field
    def corrections(self, info: Info) -> list[Correction]:
        return [Correction(**correction) for correction in _part(self, info, "corrections")]


def _part(article: Article, info: Info, key: str) -> Any:
    return _parts(article, info, key)[article.edition_id]


def _parts(article: Article, info: Info, key: str) -> Any:
    """Return a part of the contents, for all articles that were read with `article`, by the ids of their editions."""
    asked = tuple(sorted({PARTS[name] for name in info.context.asked & PARTS.keys()} | {key}))
    batch = article.batch
    return batch.once(("contents", asked), lambda: read_parts(batch.values("edition_id"), asked))[key]


def _blocks(bodies: Mapping[UUID, Any]) -> dict[UUID, list[Any]]:
    return dict(zip(bodies, make_blocks(list(bodies.items())), strict=True))


def _footnotes(bodies: Mapping[UUID, Any]) -> dict[UUID, list[Footnote]]:
    """Return the notes of editions. The blocks of all notes are one batch."""
    notes = [(edition_id, note) for edition_id, some in bodies.items() for note in some]
    made = make_blocks([(edition_id, note["blocks"]) for edition_id, note in notes])
    found: dict[UUID, list[Footnote]] = {edition_id: [] for edition_id in bodies}
    for (edition_id, note), blocks in zip(notes, made, strict=True):
        found[edition_id].append(Footnote(**{**note, "blocks": blocks}))
    return found


AUTHORS = node(
    Listing(
        kind="author",
        row=Author,
        visible=models.Author.objects.visible,
        columns=columns_of(Author, homepage=text_or_null("homepage")),
        orders={**BY_SLUG, "byline": Order((number_key("authorships__position"), id_key()))},
        narrows={"edition_id": Narrow(lambda rows, p: rows.filter(authorships__edition_id=p), UUIDS)},
    )
)
TAGS = node(
    Listing(
        kind="tag",
        row=Tag,
        visible=models.Tag.objects.visible,
        columns=columns_of(Tag),
        orders=BY_SLUG,
        narrows={"edition_id": Narrow(lambda rows, p: rows.filter(taggings__edition_id=p), UUIDS)},
    )
)


def _joined(join: Any, column: str, field: Field = TEXT) -> Narrow:
    """Narrow articles to those that have a row of a join table."""
    return Narrow(
        lambda rows, p: rows.filter(Exists(join.objects.filter(edition=OuterRef("pk"), **{column: p}))), field
    )


def _using(kind: str, *, by_id: bool) -> Narrow:
    """Narrow articles to those that name a record."""
    return Narrow(lambda rows, key: using(rows, kind, key, by_id=by_id), UUIDS if by_id else TEXT)


ARTICLES = node(
    Listing(
        kind="article",
        row=Article,
        visible=models.Edition.objects.visible,
        has_history=True,
        key="article_id",
        columns=columns_of(
            Article,
            id="article_id",
            edition_id="id",
            updated_at=Func("live", function="lower", output_field=DateTimeField()),
        ),
        orders={"newest": Order(NEWEST, falling=True), "oldest": Order(NEWEST)},
        narrows={
            "section": Narrow(lambda rows, p: rows.filter(section__slug=p)),
            "section_id": Narrow(lambda rows, p: rows.filter(section_id=p), UUIDS),
            "rung": Narrow(lambda rows, p: rows.filter(rung__slug=p)),
            "rung_id": Narrow(lambda rows, p: rows.filter(rung_id=p), UUIDS),
            "author": _joined(models.Authorship, "author__slug"),
            "author_id": _joined(models.Authorship, "author_id", UUIDS),
            "tag": _joined(models.Tagging, "tag__slug"),
            "tag_id": _joined(models.Tagging, "tag_id", UUIDS),
            "search": Narrow(lambda rows, p: rows.matching(p)),
            "published_since": Narrow(lambda rows, p: rows.filter(published_at__gte=p), DateTimeField()),
            **{kind: _using(kind, by_id=False) for kind in KINDS},
            **{f"{kind}_id": _using(kind, by_id=True) for kind in KINDS},
        },
    )
)

# The article that once stood at an address and has another one now.
MOVED = replace(
    ARTICLES,
    visible=lambda at: models.Edition.objects.moved_from(Parameter("by_slug", TEXT), at),
    narrows={"slug": Narrow(lambda rows, p: rows)},
)
