"""The engine beside published tables, over GraphQL."""

from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from core.api.errors import bad_request
from simulator.engine import as_data
from simulator.engine.validation.tables import VERDICTS
from simulator.graphql.made import output_type
from simulator.graphql.types import fill
from simulator.tables import Totals, validation, validation_kinds

VALIDATION_WEIGHT = 500
"""There are several hundred values."""


@strawberry.type(name="SimulatorValidationSource", description="What the published value stands in.")
class Source:
    publisher: str | None
    title: str | None
    date: str | None
    address: str | None


@strawberry.type(name="SimulatorValidationValue", description="One value of a row, as published and as computed.")
class Value:
    name: str
    published: JSON
    ours: JSON | None
    error_fraction: float | None = strawberry.field(description="(ours − published) / published.")
    verdict: str = strawberry.field(description="holds, fails, differs or unanswered.")
    reason: str


@strawberry.type(name="SimulatorValidationRow", description="A row; its verdict is the worst of its values'.")
class Row:
    id: str
    title: str
    kind: str
    status: str = strawberry.field(description="published, derived or control.")
    source: Source
    note: str
    verdict: str
    values: list[Value]
    unused_inputs: list[str] = strawberry.field(description="Inputs that the source says and none of ours is made of.")


@strawberry.type(
    name="SimulatorValidation", description="Published tables beside ours. holds and totals are of the whole table."
)
class Validation:
    engine_version: str
    holds: bool
    totals: output_type(Totals, "SimulatorValidationTotals")  # type: ignore[valid-type]
    rows: list[Row]


Kind = Annotated[str | None, strawberry.argument(description="Only the rows of a kind: fabric, rack, …")]
Verdict = Annotated[str | None, strawberry.argument(description="Only the rows of a verdict.")]


@strawberry.type
class ValidationQuery:
    @strawberry.field(
        description="The engine beside published tables: each row with source, published value, ours, error, verdict.",
        metadata={"weight": VALIDATION_WEIGHT},
    )
    def simulator_validation(self, kind: Kind = None, verdict: Verdict = None) -> Validation:
        for name, given, known in (("kind", kind, validation_kinds()), ("verdict", verdict, tuple(VERDICTS))):
            if given is not None and given not in known:
                raise bad_request(name, "not_a_choice", f"{name} is one of {', '.join(known)}.")
        data = as_data(validation(kind=kind, verdict=verdict))
        return Validation(
            engine_version=data["engine_version"],
            holds=data["holds"],
            totals=fill(output_type(Totals, "SimulatorValidationTotals"), data["totals"]),
            rows=[
                Row(
                    **{
                        **row,
                        "source": Source(**{name: row["source"].get(name) for name in Source.__annotations__}),
                        "values": [Value(**value) for value in row["values"]],
                    }
                )
                for row in data["rows"]
            ],
        )
