"""Redirects over GraphQL."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry
import strawberry_django
from django.db.models import DateTimeField

from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.reads import Listing, Narrow, Row
from core.api.graphql.types import Column, columns_of
from core.api.parameters import one_of
from core.feed.services import read_horizon
from core.publishing import models
from core.publishing.asking import CHANGED, KINDS, read_address


@strawberry_django.type(
    models.Redirect,
    field_cls=Column,
    description="An address at which something once stood, and where it stands today. "
    "With changedSince, one whose from and to are null has ended: forget what you keep under its id.",
)
class Redirect(Row):
    id: strawberry.ID
    kind: strawberry.auto = strawberry_django.field(field_cls=Column, description="article or vendor.")
    record_id: strawberry.ID | None = strawberry.field(description="Of the article or vendor.")
    old_address: str | None = strawberry.field(
        name="from", description="A slug, or with a leading slash a path of another site."
    )
    today: str | None = strawberry.field(name="to", description="The slug of today.")
    changed_at: datetime = strawberry.field(description="When it began, or ended.")


REDIRECTS = Listing(
    kind="",
    row=Redirect,
    visible=models.Redirect.objects.visible,
    columns=columns_of(
        Redirect, id="id", record_id="record_id", old_address="old_address", today="today", changed_at="changed_at"
    ),
    orders=CHANGED,
    narrows={
        "kind": Narrow(lambda rows, p: rows.filter(kind=p)),
        "from": Narrow(lambda rows, p: rows.at_address(p)),
        "changed_since": Narrow(lambda rows, p: rows.changed_since(p), DateTimeField()),
    },
)
REDIRECT_CHANGES = replace(REDIRECTS, visible=models.Redirect.objects.told)


@strawberry.type(name="RedirectConnection")
class Redirects(Connection[Redirect]):
    covered_to: datetime | None = strawberry.field(
        description="With changedSince, the changedSince of the next time: nothing that took effect before can still "
        "appear. Of several pages, that of the first."
    )


@strawberry.type
class Query:
    @strawberry.field(
        description="Addresses that articles and vendors once had, for front-ends that redirect by themselves.",
        metadata={"kinds": KINDS},
    )
    def redirects(
        self,
        info: Info,
        kind: Slug = None,
        from_: Annotated[
            str | None, strawberry.argument(name="from", description="A slug, or a path: /2024/busways.")
        ] = None,
        changed_since: Annotated[
            datetime | None, strawberry.argument(description="Tells also, by their ids alone, of those that ended.")
        ] = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Redirects:
        filters = {
            "kind": None if kind is None else one_of(*KINDS)("kind", kind),
            "from": None if text("from", from_) is None else read_address("from", str(from_)),
            "changed_since": changed_since,
        }
        listing = REDIRECTS if changed_since is None else REDIRECT_CHANGES
        # Read before the page: who is missed here began after, and writes of a later instant.
        covered_to = None if changed_since is None else read_horizon()[1]
        page = root_page(listing, info, first=first, after=after, filters=filters)
        return Redirects(**vars(page), covered_to=covered_to)
