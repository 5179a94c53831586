"""The simulator over REST: run a rack, read the saved ones."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, TextField
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema

from core.api import parameters
from core.api.errors import not_found
from core.api.ids import as_uuid
from core.api.keyset import BY_SLUG
from core.feed.views import Filter, ItemView, ListView
from simulator.models import Scenario
from simulator.rest import serializers
from simulator.rest.asking import Question, simulated
from simulator.rest.openapi import input_schema, report_schema
from simulator.services import QUESTIONS, run_rack


def key_of(kwargs: Mapping[str, Any]) -> str:
    """Return the key in an address: a slug or an id. Raises RequestRefused (404) for what no record can have."""
    key = str(kwargs["key"])
    if "\x00" in key:
        raise not_found()
    return key


def scenario_at(key: str, at: datetime) -> Scenario:
    """Return the scenario that the public sees at `at`, by slug or id, with its drift. Raises RequestRefused (404)."""
    identifier = as_uuid(key)
    named = {"slug": key} if identifier is None else {"pk": identifier}
    scenario = Scenario.objects.visible(at).select_related("drift").filter(**named).first()
    if scenario is None:
        raise not_found()
    return scenario


class RackSimulation(Question):
    """Run a rack: `POST` its devices and conditions, and get space, power, weight, feed, cooling, warnings and trace.

    Nothing is stored. A total with an unknown part is null; `at_least` beside it has the sum of what is known.
    """

    @extend_schema(
        operation_id="simulator_rack",
        request={"application/json": input_schema()},
        responses={(200, "application/json"): report_schema()},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        return simulated(request, lambda data: run_rack(data).report)


class ScenarioList(ListView):
    """Saved runs."""

    representation = serializers.ScenarioSummary
    source = staticmethod(Scenario.objects.visible)
    kinds = ("scenario",)
    orders = BY_SLUG
    filters = {
        "device": Filter(
            parameters.read_text,
            lambda rows, slug: rows.using_device(slug),
            TextField(),
            "Slug of a device that was simulated.",
            kinds=("device",),
        ),
        "drifted": Filter(
            parameters.read_bool,
            lambda rows, drifted: rows.drifted(drifted),
            BooleanField(),
            "true: those of which a run of today says something else; false: the others.",
        ),
        "kind": Filter(
            parameters.one_of(*QUESTIONS),
            lambda rows, kind: rows.filter(kind=kind),
            TextField(),
            f"{', '.join(QUESTIONS)}.",
        ),
    }


class ScenarioItem(ItemView):
    """One saved run: its input and its report."""

    representation = serializers.ScenarioRepresentation
    source = staticmethod(Scenario.objects.visible)
    kinds = ("scenario",)
