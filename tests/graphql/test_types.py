"""The types of records are those of their models, and a field of one costs what a plain field costs."""

from datetime import UTC, datetime
from statistics import median
from time import thread_time
from uuid import UUID

import pytest
import strawberry
import strawberry_django
from django.core.exceptions import FieldDoesNotExist, ImproperlyConfigured
from strawberry.schema.config import StrawberryConfig
from strawberry.types import get_object_definition
from strawberry_django.utils.typing import get_django_definition

from articles.graphql.links import CITATIONS, LINKS
from articles.graphql.quantities import QUANTITIES
from catalog import models
from catalog.graphql.types import COMPONENTS
from config.schema import schema
from core.api.graphql.nodes import LISTINGS, Node
from core.api.graphql.reads import Row, text_or_null
from core.api.graphql.scalars import SCALARS
from core.api.graphql.types import Column, columns_of
from core.facts.graphql import CLAIMS
from core.media.graphql import Rendition
from core.publishing.graphql import REDIRECTS

INSTANT = datetime(2026, 11, 30, 9, tzinfo=UTC)


EVERY = [*LISTINGS.values(), CLAIMS, COMPONENTS, LINKS, CITATIONS, QUANTITIES, REDIRECTS]


def test_every_type_that_has_a_model_is_here():
    definitions = (getattr(type_, "definition", None) for type_ in schema.schema_converter.type_map.values())
    origins = {getattr(definition, "origin", None) for definition in definitions}
    assert {origin for origin in origins if get_django_definition(origin)} == {
        *(listing.row for listing in EVERY),
        Rendition,  # It is read with its image, in a column of that.
    }


@pytest.mark.parametrize("listing", EVERY, ids=lambda listing: listing.row.__name__)
def test_a_record_has_the_columns_of_its_model_as_plain_fields(listing):
    model = get_django_definition(listing.row, strict=True).model

    assert listing.visible(INSTANT).model is model
    read = [field for field in get_object_definition(listing.row, strict=True).fields if field.base_resolver is None]
    assert read
    for field in read:
        assert isinstance(field, Column), field.python_name
        assert field.is_basic_field, field.python_name
        assert field.arguments == [], field.python_name
        assert field.python_name in listing.columns


def test_a_field_without_a_column_stops_the_start():
    with pytest.raises(FieldDoesNotExist, match="nickname"):

        @strawberry_django.type(models.Section, field_cls=Column)
        class Named(Row):
            nickname: strawberry.auto


@strawberry_django.type(models.Section, field_cls=Column)
class Titled(Row):
    title: strawberry.auto = strawberry_django.field(field_cls=Column, field_name="name")
    description: str | None
    places: int
    devices: int
    position: strawberry.Private[int]

    @strawberry.field
    def twice(self) -> int:
        return 2 * self.position


def test_the_columns_of_a_listing_are_those_of_its_type():
    description = text_or_null("description")

    assert columns_of(Titled, description=description, places="position", devices="position") == {
        "title": "name",
        "description": description,
        "places": "position",
        "devices": "position",
        "position": "position",
    }


@pytest.mark.parametrize(
    ("computed", "message"),
    [
        ({"devices": "position"}, "Section has no column places"),
        ({"places": "position"}, "Section has no column devices"),  # The name of a relation, of which this has none.
        ({"devices": "position", "places": "position", "gone": "position"}, "no attribute gone"),
    ],
)
def test_an_attribute_that_nothing_gives_stops_the_start(computed, message):
    with pytest.raises(ImproperlyConfigured, match=message):
        columns_of(Titled, **computed)


@strawberry.type
class Plain(Row, Node):
    id: strawberry.ID
    slug: str
    model: str
    part_number: str
    device_kind: str
    description: str
    comments: str
    airflow: str
    licence: str
    gpu_count: int | None


@strawberry_django.type(models.Device, field_cls=Column)
class Typed(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    model: strawberry.auto
    part_number: strawberry.auto
    device_kind: strawberry.auto
    description: strawberry.auto
    comments: strawberry.auto
    airflow: strawberry.auto
    licence: strawberry.auto
    gpu_count: strawberry.auto


NAMES = "id slug model partNumber deviceKind description comments airflow licence gpuCount"


def test_a_field_of_a_record_costs_what_a_plain_field_costs():
    """100 rows of 10 fields, both ways in turn: two that follow each other share what else the machine does."""

    def rows(row: type[Row]) -> list[Row]:
        found = [object.__new__(row) for _ in range(100)]
        for each in found:
            each.__dict__.update(dict.fromkeys(columns_of(Typed), "a text"), id=UUID(int=7), gpu_count=8)
        return found

    plain, typed = rows(Plain), rows(Typed)

    @strawberry.type
    class Query:
        @strawberry.field
        def plain(self) -> list[Plain]:
            return plain

        @strawberry.field
        def typed(self) -> list[Typed]:
            return typed

    schema = strawberry.Schema(query=Query, config=StrawberryConfig(scalar_map=SCALARS))
    answers: dict = {}
    took: dict[str, list[float]] = {"plain": [], "typed": []}
    for _ in range(60):
        for name, times in took.items():
            begun = thread_time()
            result = schema.execute_sync(f"{{ {name} {{ {NAMES} }} }}")
            times.append(thread_time() - begun)
            answers[name] = result.data[name]
    ratios = [typed / plain for plain, typed in zip(took["plain"], took["typed"], strict=True)]

    assert answers["typed"] == answers["plain"]
    assert len(answers["typed"]) == 100
    assert median(ratios) < 1.3, sorted(ratios)
