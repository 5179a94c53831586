"""The questions that the publication answers."""

from datetime import datetime
from typing import Annotated

import strawberry

import articles.graphql.extensions  # noqa: F401 - it adds fields to the types of the catalogue
from articles.graphql.search import SearchHit, SearchKind, search
from articles.graphql.types import ARTICLES, AUTHORS, MOVED, TAGS, Article, ArticleOrder, Author, Tag
from articles.rehearsal import previewed
from articles.uses import LOOKED_AT
from core.api.errors import Problem, RequestRefused
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, find_item, find_moved, find_nodes

AsOf = Annotated[
    datetime | None,
    strawberry.argument(
        description="An instant of the past, one for the whole operation: all its articles are of then."
    ),
]
Words = Annotated[str | None, strawberry.argument(description='Words, "a phrase", or, -not.')]


@strawberry.type
class Query:
    @strawberry.field(
        description="One article. At an address that it once had it answers too: compare its slug, and redirect."
    )
    def article(
        self,
        info: Info,
        slug: str | None = None,
        id: strawberry.ID | None = None,  # noqa: A002
        as_of: AsOf = None,
    ) -> Article | None:
        found = find_item(ARTICLES, info.context, slug=slug, id=id) or find_moved(MOVED, info.context, slug)
        mine = previewed.get()
        if found is not None and mine is not None and found.id != mine:
            message = "This preview link is of another article."
            raise RequestRefused(403, [Problem(None, "preview_of_other", message)])
        return found

    @strawberry.field(
        description="Articles; those that name a record by device, source and the like.",
        metadata={"argument_kinds": LOOKED_AT},
    )
    def articles(
        self,
        info: Info,
        section: Slug = None,
        rung: Slug = None,
        author: Slug = None,
        tag: Slug = None,
        search: Words = None,
        published_since: datetime | None = None,
        device: Slug = None,
        installation: Slug = None,
        fact: Slug = None,
        source: Slug = None,
        scenario: Slug = None,
        vendor: Slug = None,
        image: Annotated[str | None, strawberry.argument(description="A name.")] = None,
        links_to: Annotated[str | None, strawberry.argument(description="The slug of an article.")] = None,
        as_of: AsOf = None,
        order_by: ArticleOrder = ArticleOrder.NEWEST,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Article]:
        filters = {
            "section": text("section", section),
            "rung": text("rung", rung),
            "author": text("author", author),
            "tag": text("tag", tag),
            "search": text("search", search),
            "published_since": published_since,
            "device": text("device", device),
            "installation": text("installation", installation),
            "fact": text("fact", fact),
            "source": text("source", source),
            "scenario": text("scenario", scenario),
            "vendor": text("vendor", vendor),
            "image": text("image", image),
            "article": text("linksTo", links_to),
        }
        return root_page(ARTICLES, info, first=first, after=after, filters=filters, order=order_by)

    @strawberry.field
    def author(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Author | None:  # noqa: A002
        return find_item(AUTHORS, info.context, slug=slug, id=id)

    @strawberry.field(description="Bylines.")
    def authors(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> Connection[Author]:
        return root_page(AUTHORS, info, first=first, after=after, filters={})

    @strawberry.field
    def tag(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Tag | None:  # noqa: A002
        return find_item(TAGS, info.context, slug=slug, id=id)

    @strawberry.field
    def tags(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> Connection[Tag]:
        return root_page(TAGS, info, first=first, after=after, filters={})

    @strawberry.field(
        description="Full-text search over articles, devices and vendors.",
        metadata={"kinds": ("article", "device", "vendor", "manufacturer"), "weight": 20},
    )
    def search(
        self,
        info: Info,
        q: Annotated[str, strawberry.argument(description='Words, "a phrase", or, -not.')],
        kinds: list[SearchKind] | None = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[SearchHit]:
        return search(info, q, kinds, first, after)

    @strawberry.field(description="Records by their ids, in that order; null where there is none that is public.")
    def nodes(self, info: Info, ids: list[strawberry.ID]) -> list[Node | None]:
        return find_nodes(info.context, ids)  # type: ignore[return-value]
