"""The pages of the simulator for people: the engine beside published tables."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from core.feed import conditional
from simulator.engine.validation.cases import shown
from simulator.engine.validation.tables import VERDICTS, Compared
from simulator.tables import validation, validation_kinds, validation_version

STATUSES = {
    "published": "The source prints the value: ours must agree.",
    "derived": "Computed from what the source prints: a check that nothing moved.",
    "control": "Does not close in its own source: shown with its error, never fitted to.",
}


@require_safe
def validation_page(request: HttpRequest) -> HttpResponse:
    """Show each row with source, published value, ours, error and verdict. It needs no database and no JavaScript."""
    etag = conditional.etag_of_version(request, validation_version(), "text/html")
    if conditional.matches(request, etag):
        return conditional.not_modified(etag)
    asked = {name: request.GET.get(name, "") for name in ("kind", "verdict")}
    found = validation(kind=asked["kind"] or None, verdict=asked["verdict"] or None)
    rows = [(row, [_value(each) for each in row.values]) for row in found.rows]
    context = {
        "validation": found,
        "rows": rows,
        "kinds": validation_kinds(),
        "verdicts": VERDICTS,
        "statuses": STATUSES,
        "asked": asked,
    }
    page = render(request, "simulator/validation.html", context)
    return conditional.answer(page.content, etag, tags=["simulator"], media_type="text/html; charset=utf-8")


def _value(value: Compared) -> dict[str, str]:
    error = value.error_fraction
    return {
        "name": value.name,
        "published": shown(value.published),
        "ours": "—" if value.verdict == "unanswered" else shown(value.ours),
        "error": "—" if error is None else f"{float(error):+.2%}" if error else "0%",
        "verdict": value.verdict,
        "reason": value.reason,
    }


urlpatterns = [path("validation/", validation_page, name="simulator-validation-page")]
