"""The simulator over REST: run a rack, read the saved ones."""

from django.db.models import BooleanField, TextField
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from core.api import parameters
from core.api.keyset import BY_SLUG
from core.feed.views import Filter, ItemView, ListView
from simulator.models import Scenario
from simulator.rest import serializers
from simulator.rest.asking import simulated
from simulator.rest.openapi import input_schema, report_schema
from simulator.services import QUESTIONS, run_rack


class RackSimulation(APIView):
    """Run a rack: `POST` its devices and conditions, and get space, power, weight, feed, cooling, warnings and trace.

    Nothing is stored. A total with an unknown part is null; `at_least` beside it has the sum of what is known.
    """

    @extend_schema(
        operation_id="simulator_rack",
        request={"application/json": input_schema()},
        responses={(200, "application/json"): report_schema()},
    )
    def post(self, request: Request) -> HttpResponse:
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
