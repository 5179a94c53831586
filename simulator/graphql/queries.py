"""The questions that the simulator answers."""

from typing import Annotated

import strawberry

from core.api.errors import bad_request
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import find_item
from simulator.graphql import results as _results  # noqa: F401 - it gives scenarios their result
from simulator.graphql.beside import BesideQuery
from simulator.graphql.layers import LayersQuery
from simulator.graphql.rack import RackQuery
from simulator.graphql.types import SCENARIOS, Scenario
from simulator.graphql.validation import ValidationQuery
from simulator.services import QUESTIONS

Kind = Annotated[str | None, strawberry.argument(description=f"One of {', '.join(QUESTIONS)}.")]


Drifted = Annotated[
    bool | None, strawberry.argument(description="true: those of which a run of today says something else.")
]


@strawberry.type
class Query(RackQuery, LayersQuery, BesideQuery, ValidationQuery):
    @strawberry.field
    def scenario(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Scenario | None:  # noqa: A002
        return find_item(SCENARIOS, info.context, slug=slug, id=id)

    @strawberry.field(description="Saved runs of the simulator.")
    def scenarios(
        self,
        info: Info,
        device: Slug = None,
        kind: Kind = None,
        drifted: Drifted = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Scenario]:
        if kind is not None and kind not in QUESTIONS:
            raise bad_request("kind", "not_a_choice", f"kind is one of {', '.join(QUESTIONS)}.")
        filters = {"device": text("device", device), "kind": kind, "drifted": drifted}
        return root_page(SCENARIOS, info, first=first, after=after, filters=filters)
