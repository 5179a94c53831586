"""Scenarios: each is run with the devices of the catalogue, and saved with its report."""

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from articles.importing import records
from articles.importing.tally import Tally, refusals_of
from simulator.models import Scenario
from simulator.services import save_scenario


def store_scenarios(found: Iterable[records.Scenario], tally: Tally) -> None:
    found = list(found)
    rows = {row.slug: row for row in Scenario.objects.filter(slug__in=[record.slug for record in found])}
    for record in found:
        row = rows.get(record.slug)
        saved_at = None if row is None else row.updated_at
        try:
            row = save_scenario(
                slug=record.slug,
                title=record.title,
                description=record.description,
                kind=record.kind,
                input=record.input,
                scenario=row,
            )
        except ValidationError as error:
            tally.refusals += refusals_of(error, record.place)
            continue
        verb = "created" if saved_at is None else "unchanged" if row.updated_at == saved_at else "changed"
        tally.count("scenarios", verb)
