"""Which articles use a record, as the public sees them: by what their editions name, never by a draft."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from articles.models import BoundQuantity, Edition
from catalog.models import Device, Installation
from core.facts.models import Fact, Source
from core.media.models import Image
from core.publishing.models import Reference
from core.publishing.querysets import STATEMENT_TIME
from simulator.models import Scenario
from sponsors.models import VendorEdition

Found = Callable[[str, Any], QuerySet[Any]]


def _of(model: Any) -> Found:
    return lambda column, key: model.objects.visible(STATEMENT_TIME).filter(**{column: key}).values("pk")


_RECORDS: dict[str, tuple[str, Found]] = {
    "device": ("slug", _of(Device)),
    "installation": ("slug", _of(Installation)),
    "fact": ("slug", _of(Fact)),
    "source": ("slug", _of(Source)),
    "scenario": ("slug", _of(Scenario)),
    "image": ("name", _of(Image)),
    # What has editions goes by the address of today; what readers do not see is found by no address.
    "vendor": (
        "slug",
        lambda column, key: (
            VendorEdition.objects.visible(STATEMENT_TIME)
            .filter(**{"vendor_id" if column == "pk" else column: key})
            .values("vendor_id")
        ),
    ),
    "article": (
        "slug",
        lambda column, key: (
            Edition.objects.visible(STATEMENT_TIME)
            .filter(**{"article_id" if column == "pk" else column: key})
            .values("article_id")
        ),
    ),
}
KINDS = tuple(_RECORDS)
LOOKED_AT: dict[str, tuple[str, ...]] = {
    kind: (kind, "fact") if kind in ("device", "installation") else (kind,) for kind in KINDS
}
"""The kinds of records that `using` looks at, for each kind that it is asked about."""


def using(rows: QuerySet[Edition], kind: str, key: Any, *, by_id: bool = False) -> QuerySet[Edition]:
    """Return those of the editions `rows` that name a record: link to it, show it, cite it, or are bound to it.

    `key` is its slug (of an image its name), or its id. A device or an installation is named by its facts too, and a
    source by the quantities that were frozen from it.
    """
    column, find = _RECORDS[kind]
    ids = find("pk" if by_id else column, key)
    naming = Q(target_id__in=ids)
    if kind in ("device", "installation"):
        naming |= Q(target_id__in=Fact.objects.filter(subject_kind=kind, subject_id__in=ids).values("pk"))
    condition = Exists(Reference.objects.filter(naming, edition_id=OuterRef("pk")))
    if kind == "source":
        return rows.filter(condition | Exists(BoundQuantity.objects.filter(edition=OuterRef("pk"), source__in=ids)))
    return rows.filter(condition)
