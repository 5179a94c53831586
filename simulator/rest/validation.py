"""The engine beside published tables, over REST."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api import parameters
from core.feed import conditional
from core.feed.views import PublicView
from simulator.engine import as_data
from simulator.engine.validation.tables import VERDICTS
from simulator.rest.openapi import validation_schema
from simulator.tables import validation, validation_kinds, validation_version


class ValidationTable(PublicView):
    """Every row of the published tables: source, published value, ours, error, verdict; and totals.

    The verdicts: `holds`, within the tolerance; `fails`, outside of it; `differs`, outside of it in a row that does not
    close in its own source, which is shown and never fitted to; `unanswered`, no function of the engine gives it.
    `unused_inputs` are those that the source says and none of our values is made of.
    `error_fraction` is (ours − published) / published, null where that is no number.
    """

    def known_parameters(self) -> set[str]:
        return {"kind", "verdict"}

    def describe_parameters(self) -> list[OpenApiParameter]:
        """Return the parameters, for OpenAPI."""
        return [
            OpenApiParameter("kind", str, enum=validation_kinds(), description="Only the rows of a kind."),
            OpenApiParameter("verdict", str, enum=list(VERDICTS), description="Only the rows of a verdict."),
        ]

    @extend_schema(operation_id="simulator_validation", responses={(200, "application/json"): validation_schema()})
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.dispatch(request, **kwargs)

    def read(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """Answer without the database: it depends on nothing but what was installed."""
        asked, problems = parameters.sorted_out(request.GET, self.known_parameters())
        question = problems.read(self.question, asked)
        problems.refuse()
        etag = conditional.etag_of_version(request, validation_version())
        if conditional.matches(request, etag) or request.headers.get("If-None-Match", "").strip() == "*":
            return conditional.not_modified(etag)
        return conditional.answer(orjson.dumps(as_data(validation(**question))), etag, tags=["simulator"])

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> dict[str, str]:
        readers = {"kind": parameters.one_of(*validation_kinds()), "verdict": parameters.one_of(*VERDICTS)}
        problems = parameters.Problems()
        found = {name: problems.read(readers[name], name, text) for name, text in asked.items()}
        problems.refuse()
        return found
