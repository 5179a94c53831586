"""The pictures of a saved run, at addresses of its own: as SVG, as its numbers in JSON, and as a page with both."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api import parameters
from core.api.errors import not_found
from core.feed.views import PublicView
from simulator.engine import ENGINE_VERSION
from simulator.models import Scenario
from simulator.picturing import SCENARIO_PICTURES, NoPicture, picture_of
from simulator.rest.picture_formats import FORMATS, OPERATIONS, WIDTHS, picture_answer, table_schema, width_parameter
from simulator.rest.views import key_of, scenario_at

_ABOUT = {
    "rack": "The elevation of a saved rack, front and rear.",
    "cooling": "How far each cooling method reaches, and where a saved rack stands.",
    "ladder": "The power of one chip, node, rack, hall and campus of a saved ladder, on a log axis.",
    "waterfall": "What each rung of a saved ladder adds to the power of the chips until the grid.",
}


class ScenarioPictureView(PublicView):
    """One picture of a saved run in one format, drawn of the report that readers have."""

    kinds = ("scenario", "device", "manufacturer", "rack_type")
    picture_name: str
    written_as: str

    def known_parameters(self) -> set[str]:
        return {"width"} if self.written_as == "svg" else set()

    def variant(self) -> str:
        return ENGINE_VERSION

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> tuple[str, bool]:
        """Return the key of the scenario, and whether the picture is to be narrow."""
        width = asked.get("width", "wide")
        parameters.one_of(*WIDTHS)("width", width)
        return key_of(kwargs), width == "narrow"

    def body(self, request: HttpRequest, question: tuple[str, bool], at: datetime, etag: str) -> HttpResponse:
        key, is_narrow = question
        scenario: Scenario = scenario_at(key, at)
        try:
            drawing = picture_of(scenario, self.picture_name)
        except NoPicture as error:
            raise not_found(str(error)) from None
        tags = [*self.kinds, f"scenario:{scenario.pk}", "simulator"]
        return picture_answer(request, drawing, self.written_as, etag, tags=tags, is_narrow=is_narrow)


def scenario_picture_view(name: str, format_name: str) -> type[ScenarioPictureView]:
    """Return the view of a picture of scenarios in a format."""
    schema = table_schema() if format_name == "json" else {"type": "string"}
    key = OpenApiParameter("key", str, OpenApiParameter.PATH, description="Its slug or id.")

    class View(ScenarioPictureView):
        __doc__ = f"{_ABOUT[name]} It is drawn of the saved report; 404 for a scenario of another kind."
        written_as = format_name
        media_type = FORMATS[format_name]

        @extend_schema(
            operation_id=f"scenarios_{name}_{OPERATIONS[format_name]}",
            parameters=[key, width_parameter(name)] if format_name == "svg" else [key],
            responses={(200, FORMATS[format_name].partition(";")[0]): schema},
        )
        def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
            return self.dispatch(request, **kwargs)

    View.picture_name = name
    return View


VIEWS = {
    f"{name}.{format_name}": scenario_picture_view(name, format_name)
    for name in SCENARIO_PICTURES
    for format_name in FORMATS
}
"""Each address below `scenarios/{key}/pictures/`: rack.svg, ladder.json…"""
