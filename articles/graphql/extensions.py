"""What articles add to the records that they are about: `section { articles }`, `device { articles }`."""

from typing import Any

import strawberry

from articles.graphql.types import ARTICLES, Article, ArticleOrder
from articles.uses import LOOKED_AT
from catalog.graphql.types import Device, Installation, Rung, Section
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of
from core.api.graphql.context import Info
from core.api.graphql.extending import extend
from core.api.graphql.reads import Row
from core.facts.graphql import Fact, Source
from core.media.graphql import Image
from simulator.graphql.types import Scenario
from sponsors.graphql.types import Vendor


def articles_of(by: str, description: str, *kinds: str) -> Any:
    """Return the field `articles` of a record by which articles are narrowed."""

    def articles(
        self: Row,
        info: Info,
        order_by: ArticleOrder = ArticleOrder.NEWEST,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Article]:
        return page_of(self, info, ARTICLES, by, first=first, after=after, order=order_by)

    return strawberry.field(resolver=articles, description=description, metadata={"kinds": kinds})


extend(Section, articles=articles_of("section_id", "The articles of the section."))
extend(Rung, articles=articles_of("rung_id", "The articles that stand on this rung."))
NAMED = "The articles that use it: link to it, show it, cite it, or are bound to its facts."
for _type, _kind in (
    (Device, "device"),
    (Installation, "installation"),
    (Vendor, "vendor"),
    (Source, "source"),
    (Fact, "fact"),
    (Scenario, "scenario"),
    (Image, "image"),
):
    extend(_type, articles=articles_of(f"{_kind}_id", NAMED, *LOOKED_AT[_kind]))
extend(Article, linked_from=articles_of("article_id", "The articles that link to it."))
