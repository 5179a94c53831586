"""Facts, their claims and their sources, over GraphQL."""

from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, cast
from uuid import UUID

import strawberry
import strawberry_django
from django.db.models import BooleanField, DecimalField, Exists, OuterRef
from strawberry.utils.str_converters import to_camel_case

from core.api import parameters
from core.api.errors import bad_request
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, find_item, find_related, node
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row, text_or_null
from core.api.graphql.types import Column, columns_of
from core.api.keyset import BY_SLUG, Order, id_key, instant_key, text_key
from core.facts import models
from core.facts.graphql_units import Converted, Units, converted, text_in
from core.facts.quantities import IN_USE
from core.facts.units import UnitError, parse_quantity

NUMBER = DecimalField(max_digits=100, decimal_places=24)


@strawberry_django.type(
    models.Source,
    field_cls=Column,
    description="A document that says something: who published it, when, and where it can be read.",
)
class Source(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    title: strawberry.auto
    publisher: strawberry.auto
    dated: strawberry.auto = strawberry.field(description="As the document says it: 2026-03-11, 2025, undated.")
    address: str | None
    licence: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto

    @strawberry.field(description="The facts of which it makes a claim.")
    def facts(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> "Connection[Fact]":
        return page_of(self, info, FACTS, "source_id", first=first, after=after)


@strawberry_django.type(models.Claim, field_cls=Column, description="What one source says of a fact.")
class Claim(Row):
    id: strawberry.auto
    value: strawberry.auto
    unit: strawberry.auto = strawberry.field(description="As the source gives it: kW, lb, CFM, U; empty for a count.")
    claim_kind: strawberry.auto = strawberry.field(description="nameplate, typical, idle, measured, planned or stated.")
    dated: strawberry.auto = strawberry.field(description="The date that the value is of.")
    confidence: strawberry.auto = strawberry.field(description="verified, reported or unverified.")
    note: strawberry.auto
    source_id: strawberry.Private[UUID | None]

    @strawberry.field(description="As people read it: 10.2 kW.")
    def text(self, units: Units = None) -> str:
        return str(text_in(self.value, self.unit, units))

    @strawberry.field(description="In the units that are asked for; `value` and `unit` are what the source gives.")
    def converted(self, units: Units = None) -> Converted:
        return converted(self.value, self.unit, units)

    @strawberry.field
    def source(self, info: Info) -> Source:
        return cast(Source, reads.one(self, info.context, SOURCES, "source_id"))


@strawberry_django.type(
    models.Fact, field_cls=Column, description="One quantity of one subject, with everything that was said of it."
)
class Fact(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    label: strawberry.auto
    subject_kind: strawberry.auto = strawberry.field(description="device, installation, vendor, section, or empty.")
    subject_id: strawberry.ID | None
    field: strawberry.auto = strawberry.field(description="The name of the quantity with its unit: power_nameplate_w.")
    created_at: strawberry.auto
    updated_at: strawberry.auto
    chosen_id: strawberry.Private[UUID | None]
    conflict: bool = strawberry.field(
        description="Whether its sources disagree: two claims of one kind differ, as exact quantities."
    )

    @strawberry.field(description="What it is a quantity of; null where that is nothing, or nothing that is public.")
    def subject(self, info: Info) -> Node | None:
        return find_related(self, info.context, "subject_kind", "subject_id")

    @strawberry.field(description="The claim that quantities and the simulator use.")
    def chosen(self, info: Info) -> Claim | None:
        return reads.one(self, info.context, CLAIMS, "chosen_id")

    @strawberry.field(description="All claims. Where they differ, that is a conflict, and shown.")
    def claims(self, info: Info) -> list[Claim]:
        return reads.many(self, info.context, CLAIMS, "fact_id")


def quantity_narrows(name: str, by: Callable[[Any, str, Any], Any]) -> dict[str, Narrow]:
    """Return the ways to narrow by a quantity: `by` takes the rows, `gte` or `lte`, and the value in base units."""

    def narrow(comparison: str) -> Narrow:
        return Narrow(lambda rows, value: by(rows, comparison, value), NUMBER)

    return {f"{name}_{comparison}": narrow(comparison) for comparison in ("gte", "lte")}


def _in_use(measures: str) -> Callable[[Any, str, Any], Any]:
    return lambda rows, comparison, value: rows.in_use(measures, comparison, value)


SOURCES = node(
    Listing(
        kind="source",
        row=Source,
        visible=models.Source.objects.visible,
        columns=columns_of(Source, address=text_or_null("address")),
        orders=BY_SLUG,
        narrows={"publisher": Narrow(lambda rows, p: rows.filter(publisher=p))},
    )
)
CLAIMS = Listing(
    kind="",
    row=Claim,
    visible=models.Claim.objects.visible,
    columns=columns_of(Claim),
    orders={"age": Order((instant_key("created_at"), id_key()))},
    narrows={"fact_id": Narrow(lambda rows, p: rows.filter(fact_id=p), UUIDS)},
)
FACTS = node(
    Listing(
        kind="fact",
        row=Fact,
        visible=models.Fact.objects.visible,
        columns=columns_of(Fact, conflict=Exists(models.Claim.objects.filter(fact=OuterRef("pk")).conflicts())),
        orders={**BY_SLUG, "field": Order((text_key("field"), id_key()))},
        narrows={
            "subject_kind": Narrow(lambda rows, p: rows.filter(subject_kind=p)),
            "subject_id": Narrow(lambda rows, p: rows.filter(subject_id=p), UUIDS),
            "field": Narrow(lambda rows, p: rows.filter(field=p)),
            "conflict": Narrow(lambda rows, p: rows.in_conflict(p), BooleanField()),
            **{
                name: one
                for quantity, (measures, _) in IN_USE.items()
                for name, one in quantity_narrows(quantity, _in_use(measures)).items()
            },
            "source": Narrow(
                lambda rows, p: rows.filter(Exists(models.Claim.objects.filter(fact=OuterRef("pk"), source__slug=p)))
            ),
            "source_id": Narrow(
                lambda rows, p: rows.filter(Exists(models.Claim.objects.filter(fact=OuterRef("pk"), source_id=p))),
                UUIDS,
            ),
        },
    )
)


Quantity = Annotated[str | None, strawberry.argument(description="A quantity with its unit: 100kW, 0.1 MW, 30 lb.")]


def quantity(name: str, value: str | None, unit: str, places: int = 24) -> Decimal | None:
    """Return a filter that is a quantity, in `unit`: 0.1MW is found by 100kW. None stays None."""
    if value is None:
        return None
    try:
        return parse_quantity(value, unit=unit, places=places)
    except UnitError as error:
        raise bad_request(name, "not_a_quantity", f"{name}: {error}") from error


def between(name: str, gte: str | None, lte: str | None, unit: str, places: int = 24) -> dict[str, Decimal | None]:
    """Return the two filters of `quantity_narrows(name, …)`, of the arguments `nameGte` and `nameLte`."""
    argument = to_camel_case(name)
    return {
        f"{name}_gte": quantity(f"{argument}Gte", gte, unit, places),
        f"{name}_lte": quantity(f"{argument}Lte", lte, unit, places),
    }


@strawberry.type
class Query:
    @strawberry.field
    def source(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Source | None:  # noqa: A002
        return find_item(SOURCES, info.context, slug=slug, id=id)

    @strawberry.field(description="The documents that facts and articles cite.")
    def sources(
        self, info: Info, publisher: str | None = None, first: First = DEFAULT_FIRST, after: After = None
    ) -> Connection[Source]:
        filters = {"publisher": text("publisher", publisher)}
        return root_page(SOURCES, info, first=first, after=after, filters=filters)

    @strawberry.field
    def fact(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Fact | None:  # noqa: A002
        return find_item(FACTS, info.context, slug=slug, id=id)

    @strawberry.field(
        description="Sourced quantities. source is a slug; powerGte and the like compare the claim in use."
    )
    def facts(
        self,
        info: Info,
        subject_kind: str | None = None,
        subject_id: strawberry.ID | None = None,
        field: str | None = None,
        source: str | None = None,
        conflict: bool | None = None,
        power_gte: Quantity = None,
        power_lte: Quantity = None,
        energy_gte: Quantity = None,
        energy_lte: Quantity = None,
        weight_gte: Quantity = None,
        weight_lte: Quantity = None,
        length_gte: Quantity = None,
        length_lte: Quantity = None,
        airflow_gte: Quantity = None,
        airflow_lte: Quantity = None,
        height_gte: Quantity = None,
        height_lte: Quantity = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Fact]:
        kinds = parameters.one_of(*models.Fact.SubjectKind.values[1:])
        filters = {
            "subject_kind": None if subject_kind is None else kinds("subjectKind", subject_kind),
            "subject_id": None if subject_id is None else parameters.read_uuid("subjectId", subject_id),
            "field": text("field", field),
            "source": text("source", source),
            "conflict": conflict,
            **between("power", power_gte, power_lte, "W"),
            **between("energy", energy_gte, energy_lte, "J"),
            **between("weight", weight_gte, weight_lte, "kg"),
            **between("length", length_gte, length_lte, "m"),
            **between("airflow", airflow_gte, airflow_lte, "m3/h"),
            **between("height", height_gte, height_lte, "U"),
        }
        return root_page(FACTS, info, first=first, after=after, filters=filters)
