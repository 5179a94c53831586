"""Which article explains a number, a method or a warning. The simulator knows no articles: settings name who does."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from simulator.engine.cooling import METHODS
from simulator.engine.layer_list import LAYER_WARNINGS
from simulator.engine.notices import WARNINGS
from simulator.engine.report import names_of
from simulator.engine.trace import quantities

Resolver = Callable[..., AbstractContextManager[Callable[[], Mapping[str, UUID]]]]
"""(names, *, at) -> what gives the id of the article live at `at` that explains each name."""


@cache
def explainable_names() -> frozenset[str]:
    """Return all that an article can say it explains: `density_kw`, `method:air`, `warning:does_not_fit`."""
    return frozenset(
        (
            *quantities(),
            *(f"method:{name}" for name in METHODS),
            *(f"warning:{code}" for code in {**WARNINGS, **LAYER_WARNINGS}),
        )
    )


def explanations(*, at: datetime | None = None) -> Mapping[str, UUID]:
    """Return the id of the article, live at `at`, that explains each name; names without one are left out.

    Without `at` it is now, by the database's clock.
    """
    with explanations_beside(at=at) as found:
        return found()


def explanations_beside(*, at: datetime | None = None) -> AbstractContextManager[Callable[[], Mapping[str, UUID]]]:
    """Yield what gives the same; it is asked together with the next statement, so that both take one round trip."""
    resolve: Resolver = import_string(settings.PLENUM_EXPLANATIONS)
    return resolve(explainable_names(), at=at)


def explained_report(report: Any, articles: Mapping[str, UUID]) -> dict[str, Any]:
    """Return a report of the engine as `explained` does; what lies inside of it stays of the engine's own classes."""

    def with_article(row: Any, name: str) -> dict[str, Any]:
        return {**_members(row), "article_id": articles.get(name)}

    data = _members(report)
    if "cooling" in data and hasattr(report.cooling, "methods"):
        methods = [with_article(row, f"method:{row.method}") for row in report.cooling.methods]
        data["cooling"] = {**_members(report.cooling), "methods": methods}
    data["warnings"] = [with_article(row, f"warning:{row.code}") for row in report.warnings]
    data["trace"] = [{**vars(row), "article_id": articles.get(row.quantity)} for row in report.trace]
    return data


def _members(of: Any) -> dict[str, Any]:
    kind: Any = type(of)
    return {name: getattr(of, name) for name in names_of(kind)}


def explained(report: Mapping[str, Any], articles: Mapping[str, UUID]) -> dict[str, Any]:
    """Return a report as plain data with `article_id` in its trace, methods and warnings: an id, or None."""

    def with_article(row: Mapping[str, Any], name: str) -> dict[str, Any]:
        found = articles.get(name)
        return {**row, "article_id": None if found is None else str(found)}

    cooling = report.get("cooling")
    methods = {}
    if cooling is not None:
        rows = [with_article(row, f"method:{row['method']}") for row in cooling["methods"]]
        methods = {"cooling": {**cooling, "methods": rows}}
    return {
        **report,
        **methods,
        "warnings": [with_article(row, f"warning:{row['code']}") for row in report["warnings"]],
        "trace": [with_article(row, row["quantity"]) for row in report["trace"]],
    }


def explained_quantities(report: Mapping[str, Any], articles: Mapping[str, UUID]) -> dict[str, Any]:
    """Return a sweep or a comparison as plain data with `article_id` in each of its quantities."""
    rows = [
        {**row, "article_id": None if (found := articles.get(row["quantity"])) is None else str(found)}
        for row in report["quantities"]
    ]
    return {**report, "quantities": rows}


def explained_plan(report: Mapping[str, Any], articles: Mapping[str, UUID]) -> dict[str, Any]:
    """Return a plan as plain data with `article_id` in the reports of its racks."""
    racks = [{**rack, "report": explained(rack["report"], articles)} for rack in report["racks"]]
    return {**report, "racks": racks}
