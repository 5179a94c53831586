"""Which article explains a number of the simulator: it knows no articles, so this joins the two."""

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from uuid import UUID

from django.db import models

from articles.models import Edition
from core.api.compiled import Parameter, Statement, Waiting, statement
from core.publishing.models import Reference
from core.publishing.querysets import STATEMENT_TIME


@contextmanager
def articles_explaining(names: Iterable[str], *, at: datetime | None = None) -> Iterator[Callable[[], dict[str, UUID]]]:
    """Yield what gives the article live at `at` that explains each of `names`: density_kw, method:air.

    Without `at` it is now, by the database's clock. Where several do, the one that was published first: it is not
    displaced by a later mention. One statement, which goes out with the next one, where another follows.
    """
    with Waiting(_explaining(at is None), {"at": at}) as waiting:
        yield lambda: _first(waiting.rows(), names if isinstance(names, Set) else frozenset(names))


def _first(rows: Iterable[tuple[str, UUID]], names: Set[str]) -> dict[str, UUID]:
    found: dict[str, UUID] = {}
    for name, article_id in rows:
        if name in names:
            found.setdefault(name, article_id)
    return found


@cache
def _explaining(is_now: bool) -> Statement:
    """Return the statement that gives each name with the articles that explain it, the first published first."""
    at = STATEMENT_TIME if is_now else Parameter("at", models.DateTimeField())
    live = Edition.objects.visible(at).filter(pk=models.OuterRef("edition_id"))
    rows = Reference.objects.filter(role="explains", target_kind="simulator").annotate(
        article=models.Subquery(live.values("article_id")), published=models.Subquery(live.values("published_at"))
    )
    told = rows.filter(article__isnull=False).order_by("published", "article")
    return statement(told.values_list("target_key", "article"))
