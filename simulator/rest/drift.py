"""How far a saved run lies behind one of today, over REST."""

from datetime import datetime
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.feed import conditional
from core.feed.views import PublicView
from simulator.drift import drift_data
from simulator.rest.openapi import drift_schema
from simulator.rest.views import key_of, scenario_at


class ScenarioDrift(PublicView):
    """The numbers of a saved run that a run of today would give otherwise, old and new: an engine or a device changed.

    It is compared when it is asked for. A scenario keeps its report until an editor accepts the new one;
    `drifted_since` of scenarios follows a change within moments, and `since` says when each number was seen to move.
    """

    kinds = ("scenario", "device", "manufacturer", "rack_type")

    @extend_schema(
        operation_id="scenarios_drift",
        parameters=[OpenApiParameter("key", str, OpenApiParameter.PATH, description="Its slug or id.")],
        responses={(200, "application/json"): drift_schema()},
    )
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.dispatch(request, **kwargs)

    def question(self, asked: Any, **kwargs: Any) -> str:
        return key_of(kwargs)

    def body(self, request: HttpRequest, question: str, at: datetime, etag: str) -> HttpResponse:
        scenario = scenario_at(question, at)
        tags = [*self.kinds, f"scenario:{scenario.pk}"]
        return conditional.answer(orjson.dumps(drift_data(scenario)), etag, tags=tags)
