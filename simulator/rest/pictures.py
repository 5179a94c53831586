"""Pictures over REST: each as SVG, as its numbers in JSON, and as a page with both. They are read, so they are kept."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api import parameters
from core.api.errors import bad_request
from core.feed.views import PublicView
from simulator.engine import ENGINE_VERSION
from simulator.plots.curves import CURVES_MAX
from simulator.rest.picture_formats import FORMATS, OPERATIONS, WIDTHS, picture_answer, table_schema, width_parameter
from simulator.rest.picture_inputs import MalformedItems, read_input, read_items, read_shown, refuse
from simulator.rest.picture_kinds import PICTURES, Kind, Question
from simulator.services import read_question
from simulator.sweeping import read_sweep


class PictureView(PublicView):
    """One picture in one format. A number of its input may be a range; a picture says how far it reaches."""

    kind: Kind
    picture_name: str
    written_as: str

    def known_parameters(self) -> set[str]:
        more = {"rack": ["items", "units"], "sweep": ["show"]}.get(self.kind.layer, [])
        return {"input", *more, *self._widths()}

    def _widths(self) -> list[str]:
        return ["width"] if self.written_as == "svg" else []

    def describe_parameters(self) -> list[OpenApiParameter]:
        """Return the parameters, for OpenAPI."""
        text = f"JSON, as `POST simulator/{self.kind.layer}/` takes it."
        found = [OpenApiParameter("input", str, required=not self.kind.takes_items, description=text)]
        if self.kind.takes_items:
            found += [
                OpenApiParameter(
                    "items", str, description="Instead of `input`: devices and quantities, slug:n,slug:n."
                ),
                OpenApiParameter("units", int, default=42, description="With `items`: height of the rack, 1 to 100."),
            ]
        if self.kind.layer == "sweep":
            text = f"Names of quantities of the report, 1 to {CURVES_MAX}: campus_kw,grid_over_chips."
            found.append(OpenApiParameter("show", str, required=True, description=text))
        if self._widths():
            found.append(width_parameter(self.picture_name))
        return found

    def kinds_of(self, asked: Mapping[str, str]) -> tuple[str, ...]:
        return self.kind.kinds

    def variant(self) -> str:
        return ENGINE_VERSION

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> Question:
        """Read the parameters."""
        problems = parameters.Problems()
        width = asked.get("width", "wide")
        problems.read(parameters.one_of(*WIDTHS), "width", width)
        shown = problems.read(read_shown, asked.get("show", "")) if self.kind.layer == "sweep" else ()
        found = problems.read(self._asked, asked, problems)
        if problems.found and found is not None:
            problems.read(self.judge, found)
        problems.refuse()
        return replace(found, is_narrow=width == "narrow", shown=shown)

    def _asked(self, asked: Mapping[str, str], problems: parameters.Problems) -> Question:
        """Return what is asked for, as far as it can be read; what else is wrong is kept."""
        if "input" in asked:
            if "items" in asked or "units" in asked:
                raise bad_request("items", "conflict", "input says it all; leave out items and units.")
            return Question(read_input(asked["input"]))
        if not self.kind.takes_items:
            message = f"input is missing: give it as JSON, as POST simulator/{self.kind.layer}/ takes it."
            raise bad_request("input", "required", message)
        units = problems.read(parameters.read_int, "units", asked["units"]) if "units" in asked else None
        if "items" not in asked:
            raise bad_request("items", "required", "items is missing: say what to draw, as in items=nvidia-dgx-h100:4.")
        try:
            items = read_items(asked["items"])
        except MalformedItems as refusal:
            problems.keep(refusal.problems)
            items = refusal.readable
        rack = {} if units is None else {"rack": {"units": units}}
        return Question({"items": items, **rack}, is_of_items=True)

    def judge(self, question: Question) -> None:
        """Raise what is wrong with the input, which is not drawn."""
        if question.is_of_items and not question.data["items"]:
            return  # What cannot be read has been named.
        try:
            if self.kind.layer == "sweep":
                read_sweep(question.data)
            else:
                read_question(self.kind.layer, question.data)
        except ValidationError as error:
            refuse(error, is_of_items=question.is_of_items)

    def body(self, request: HttpRequest, question: Question, at: datetime, etag: str) -> HttpResponse:
        try:
            made = self.kind.make(question)
        except ValidationError as error:
            refuse(error, is_of_items=question.is_of_items)
        tags = [*self.kind.kinds, *made.tags, "simulator"]
        return picture_answer(request, made, self.written_as, etag, tags=tags, is_narrow=question.is_narrow)


def picture_view(name: str, format_name: str) -> type[PictureView]:
    """Return the view of a picture in a format."""
    schema = table_schema() if format_name == "json" else {"type": "string"}
    media_type_of = FORMATS[format_name].partition(";")[0]

    class View(PictureView):
        __doc__ = PICTURES[name].about
        kind = PICTURES[name]
        written_as = format_name
        media_type = FORMATS[format_name]

        @extend_schema(
            operation_id=f"simulator_{name}_{OPERATIONS[format_name]}", responses={(200, media_type_of): schema}
        )
        def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
            return self.dispatch(request, **kwargs)

    View.picture_name = name
    return View


VIEWS = {f"{name}.{format_name}": picture_view(name, format_name) for name in PICTURES for format_name in FORMATS}
"""Each address below `simulator/`: rack.svg, rack.json, rack.html, cooling.svg…"""
