"""The GraphQL schema: what each app answers, merged. Each exports a class `Query` from its `graphql/queries.py`."""

import strawberry
from graphql import GraphQLInputObjectType
from strawberry.schema.config import StrawberryConfig

from articles.graphql.queries import Query as ArticlesQuery
from catalog.graphql.queries import Query as CatalogQuery
from core.api.graphql.scalars import SCALARS
from core.facts.graphql import Query as FactsQuery
from core.publishing.graphql import Query as PublishingQuery
from simulator.graphql.made import SCALARS as SIMULATOR_SCALARS
from simulator.graphql.queries import Query as SimulatorQuery
from sponsors.graphql.queries import Query as SponsorsQuery


@strawberry.type(description="What can be asked. There are no mutations: editors write in the admin.")
class Query(ArticlesQuery, SponsorsQuery, SimulatorQuery, CatalogQuery, FactsQuery, PublishingQuery):
    pass


schema = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=SCALARS | SIMULATOR_SCALARS))

for made in schema._schema.type_map.values():
    if isinstance(made, GraphQLInputObjectType):
        # Strawberry keeps this to itself and raises while it runs; graphql-core says it of the document, with the path.
        made.is_one_of = bool(made.extensions["strawberry-definition"].is_one_of)
