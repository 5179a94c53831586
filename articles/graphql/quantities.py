"""The numbers of a text that are bound to records: as they were frozen, and what the records say today."""

from decimal import Decimal

import strawberry
import strawberry_django

from articles import models
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row, text_or_null
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, number_key
from core.facts.graphql_units import Converted, Units, converted, text_in
from core.facts.units import digits_of

MOST_QUANTITIES = 100_000
"""More than a body can hold."""


@strawberry.type(
    description="What the record behind a quantity says now; null or empty where it says nothing any more."
)
class QuantityToday:
    number: strawberry.Private[Decimal | None]
    unit: str
    dated: str
    confidence: str
    claim_kind: str
    source_id: strawberry.ID | None
    source: str | None = strawberry.field(description="The slug of its source.")

    @strawberry.field(description="The digits: a decimal, as text.")
    def value(self) -> str | None:
        return None if self.number is None else digits_of(self.number)

    @strawberry.field
    def text(self, units: Units = None) -> str | None:
        return text_in(self.number, self.unit, units)


@strawberry_django.type(
    models.BoundQuantity,
    field_cls=Column,
    description="A quantity of the text, as it was when the edition was frozen. It moves with no record.",
)
class Quantity(Row):
    key: strawberry.auto
    unit: strawberry.auto
    record: strawberry.auto = strawberry.field(description="fact or scenario: what it was taken from.")
    record_id: strawberry.ID
    field: strawberry.auto
    dated: strawberry.auto
    confidence: strawberry.auto
    claim_kind: strawberry.auto
    source_id: strawberry.ID | None
    source: str | None = strawberry.field(description="The slug of its source.")
    stale: bool = strawberry.field(
        description="Whether its record says another quantity today, whatever instant the article is asked for."
    )
    source_changed: bool = strawberry.field(
        description="Whether it is the same quantity today, by another source, date, kind or confidence."
    )
    number: strawberry.Private[Decimal]
    frozen_text: strawberry.Private[str]
    now_value: strawberry.Private[Decimal | None]
    now_unit: strawberry.Private[str]
    now_dated: strawberry.Private[str]
    now_confidence: strawberry.Private[str]
    now_claim_kind: strawberry.Private[str]
    now_source_id: strawberry.Private[strawberry.ID | None]
    now_source: strawberry.Private[str | None]

    @strawberry.field(description="The digits: a decimal, as text.")
    def value(self) -> str:
        return digits_of(self.number)

    @strawberry.field(description="As readers see it: 10.2 kW.")
    def text(self, units: Units = None) -> str:
        return self.frozen_text if units is None else str(text_in(self.number, self.unit, units))

    @strawberry.field(description="In the units that are asked for; `value` and `unit` stay as they were frozen.")
    def converted(self, units: Units = None) -> Converted:
        return converted(self.number, self.unit, units)

    @strawberry.field(description="What its record says today.")
    def now(self) -> QuantityToday:
        return QuantityToday(
            number=self.now_value,
            unit=self.now_unit,
            dated=self.now_dated,
            confidence=self.now_confidence,
            claim_kind=self.now_claim_kind,
            source_id=self.now_source_id,
            source=self.now_source,
        )


_TODAY = (
    "now_value", "now_unit", "now_dated", "now_confidence", "now_claim_kind", "now_source_id", "now_source",
)  # fmt: skip

QUANTITIES = Listing(
    kind="",
    row=Quantity,
    visible=lambda at: models.BoundQuantity.objects.today(),
    columns=columns_of(
        Quantity,
        number="value",
        frozen_text="text",
        source=text_or_null("source_slug"),
        stale="is_stale",
        source_changed="is_source_changed",
        **{name: name for name in _TODAY},
    ),
    orders={"number": Order((number_key("number"), number_key("id")))},
    narrows={"edition_id": Narrow(lambda rows, p: rows.filter(edition_id=p), UUIDS)},
)
