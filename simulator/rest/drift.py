"""How far a saved run lies behind one of today, over REST."""

from datetime import datetime
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api.errors import not_found
from core.api.ids import as_uuid
from core.feed import conditional
from core.feed.views import PublicView
from simulator.drift import drift_data
from simulator.models import Scenario
from simulator.rest.openapi import drift_schema


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
        if "\x00" in kwargs["key"]:
            raise not_found()
        return str(kwargs["key"])

    def body(self, request: HttpRequest, question: str, at: datetime, etag: str) -> HttpResponse:
        key = as_uuid(question)
        named = {"slug": question} if key is None else {"pk": key}
        scenario = Scenario.objects.visible(at).select_related("drift").filter(**named).first()
        if scenario is None:
            raise not_found()
        tags = [*self.kinds, f"scenario:{scenario.pk}"]
        return conditional.answer(orjson.dumps(drift_data(scenario)), etag, tags=tags)
