"""Many questions in one over REST: a sweep over one or two numbers, and a comparison of two to six inputs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema

from core.api import parameters
from simulator.comparing import compare
from simulator.explanations import explained_quantities, explanations
from simulator.rest.asking import Question, fresh, json_of
from simulator.rest.openapi import (
    comparison_input_schema,
    comparison_schema,
    run_schema,
    sweep_input_schema,
    sweep_report_schema,
)
from simulator.rest.runs import started
from simulator.sweeping import read_sweep, sweep_report, too_many_at_once


class Sweep(Question):
    """Run a layer over a range of one of its numbers, or of two: every quantity at every point.

    Up to 500 points are answered at once; more, up to 10,000, with 202 and the address of a run to poll. Of two axes
    the second moves fastest. A number is told with six digits; `outcomes`, which are no numbers, and `warnings` with
    the runs of points at which they hold. Nothing is stored.
    """

    @extend_schema(
        operation_id="simulator_sweep",
        request={"application/json": sweep_input_schema()},
        responses={
            (200, "application/json"): sweep_report_schema(),
            (202, "application/json"): run_schema(sweep_report_schema()),
        },
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        parameters.only_known(request.GET, ())
        data = json_of(request)
        wanted, layer, given = read_sweep(data)
        if too_many_at_once(wanted, layer, given):
            return started(request, "sweep", data)
        return _explained(sweep_report(wanted, layer, given))


class Compare(Question):
    """Put two to six inputs of one layer, or scenarios, beside each other: the same quantities with differences.

    `differences` and `ratios` are against the first; `outcomes` are answers that are no numbers, and say whether they
    differ. Scenarios are run as they would be today. Nothing is stored.
    """

    @extend_schema(
        operation_id="simulator_compare",
        request={"application/json": comparison_input_schema()},
        responses={(200, "application/json"): comparison_schema()},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        parameters.only_known(request.GET, ())
        return _explained(compare(json_of(request)))


def _explained(report: dict[str, Any]) -> HttpResponse:
    return fresh(explained_quantities(report, explanations()))
