"""Which article explains a number of the simulator: it knows no articles, so this joins the two."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from articles.models import Edition
from core.publishing.models import Reference


def articles_explaining(names: Iterable[str], *, at: datetime) -> dict[str, UUID]:
    """Return the article live at `at` that explains each of `names`: density_kw, method:air, warning:floor_load.

    Where several do, the one that was published first: it is not displaced by a later mention.
    """
    rows = Reference.objects.filter(role="explains", target_kind="simulator", target_key__in=list(names))
    by_edition: dict[UUID, list[str]] = {}
    for edition_id, name in rows.values_list("edition_id", "target_key"):
        if edition_id is not None:
            by_edition.setdefault(edition_id, []).append(name)
    found: dict[str, UUID] = {}
    live = Edition.objects.visible(at).filter(pk__in=by_edition).order_by("published_at", "article_id")
    for edition_id, article_id in live.values_list("pk", "article_id"):
        for name in by_edition[edition_id]:
            found.setdefault(name, article_id)
    return found
