"""Quantities that moved: what live articles say, and what the records behind it say today.

PostgreSQL compares the quantities of live editions with the claims in use, by their values in base units: for ten
thousand articles that is a join, and nothing in Python.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Func, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Coalesce

from articles.models import Article, BoundQuantity, Edition, KeptQuantity
from articles.quantities import NUMBER
from core.facts.models import Claim, Fact
from core.facts.units import show
from core.publishing import services as publishing
from core.publishing.querysets import STATEMENT_TIME


def moved_articles(at: datetime | Any = STATEMENT_TIME) -> QuerySet[Article]:
    """Return the articles that readers see at `at` with a quantity that moved, each with `moved_count`.

    What an editor let stand is not among them, until its record moves again. The last published come first.
    """
    moved = BoundQuantity.objects.moved(at)
    here = moved.filter(edition__article=OuterRef("pk")).order_by().values("edition__article")
    live = Edition.objects.visible(at).filter(article=OuterRef("pk"))
    return (
        Article.objects.filter(pk__in=moved.order_by().values("edition__article"))
        .annotate(
            moved_count=Coalesce(Subquery(here.annotate(n=Count("pk")).values("n")), 0),
            live_at=Subquery(live.values("published_at")[:1]),
        )
        .order_by("-live_at", "-id")
    )


@dataclass(frozen=True)
class Moved:
    """A quantity of a live edition, and what its record says today; `since` is when that became another.

    Of a scenario, which keeps no history of its results, it is when it was last saved.
    """

    quantity: BoundQuantity
    now_text: str
    since: datetime | None

    @property
    def says_nothing(self) -> bool:
        return self.quantity.now_value is None  # type: ignore[attr-defined]

    @property
    def seen(self) -> str:
        """What the record says, for a decision to name what it was based on."""
        return _said(self.quantity)


def _said(quantity: Any) -> str:
    """Return what the record of a quantity says now, exactly, as text; empty for nothing."""
    return "" if quantity.now_base is None else f"{quantity.now_base.normalize()} {quantity.now_measures}"


def moved_quantities(articles: Iterable[Article], *, kept: bool = False) -> dict[UUID, list[Moved]]:
    """Return the quantities of each article that moved, as they stand in it; with those that were `kept`, if asked.

    Three statements, however many articles there are.
    """
    ids = [article.pk for article in articles]
    rows = (
        BoundQuantity.objects.of_live(STATEMENT_TIME)
        .filter(edition__article__in=ids)
        .stale()
        .select_related("edition", "fact", "scenario", "source", "kept__by")
        .defer("edition__content", "edition__plain_text", "scenario__result", "scenario__input")
        .order_by("edition__article", "number")
    )
    found: dict[UUID, list[Moved]] = {pk: [] for pk in ids}
    quantities = [row for row in rows if kept or not row.is_kept]  # type: ignore[attr-defined]
    since = _moved_at([row.fact_id for row in quantities if row.fact_id])
    for row in quantities:
        now: Any = row
        text = "" if now.now_value is None else show(now.now_value.normalize(), now.now_unit)
        moved_at = row.scenario.updated_at if row.scenario is not None else since.get(row.fact_id)
        found[row.edition.article_id].append(Moved(row, text, moved_at))
    return found


def _moved_at(fact_ids: list[UUID]) -> dict[UUID, datetime]:
    """Return since when the value in use of each fact is what it is, as its history and that of its claims tell.

    Another claim that says the same, or a claim that changed in all but its quantity, moves nothing.
    """
    said: dict[UUID, _Said] = {pk: _Said() for pk in fact_ids}
    facts: Any = Fact.pgh_event_model  # type: ignore[attr-defined]
    claims: Any = Claim.pgh_event_model  # type: ignore[attr-defined]
    choices = facts.objects.filter(pgh_obj_id__in=fact_ids).values_list("pgh_obj_id", "pgh_created_at", "chosen_id")
    choosers: dict[UUID, set[UUID]] = {}
    for fact, at, claim in choices.order_by("pgh_created_at", "pgh_id"):
        said[fact].chosen[at] = claim
        choosers.setdefault(claim, set()).add(fact)
    measures = Func("unit", function="facts_measures", output_field=TextField())
    base = Func("value", "unit", function="facts_in_base", output_field=NUMBER)
    written = claims.objects.filter(pgh_obj_id__in=[claim for claim in choosers if claim]).order_by(
        "pgh_created_at", "pgh_id"
    )
    for claim, at, label, *quantity in written.values_list("pgh_obj_id", "pgh_created_at", "pgh_label", measures, base):
        for fact in choosers[claim]:
            said[fact].written.setdefault(at, {})[claim] = None if label == "delete" else tuple(quantity)
    return {pk: since for pk, each in said.items() if (since := each.since()) is not None}


@dataclass
class _Said:
    """What the history of a fact holds, by instants: which claim was in use, and what each of them said."""

    chosen: dict[datetime, UUID | None] = field(default_factory=dict)
    written: dict[datetime, dict[UUID | None, Any]] = field(default_factory=dict)

    def since(self) -> datetime | None:
        """Return the last instant at which the quantity in use became another; None where there is no history."""
        claim: UUID | None = None
        quantities: dict[UUID | None, Any] = {}
        before: Any = ...
        last = None
        # What one transaction wrote bears one instant, and is one step.
        for at in sorted({*self.chosen, *self.written}):
            claim = self.chosen.get(at, claim)
            quantities |= self.written.get(at, {})
            now = quantities.get(claim)
            if now != before:
                before, last = now, at
        return last


@dataclass(frozen=True)
class Renewal:
    """A draft that will say what the records say now. `has_other_changes`: somebody has written into it meanwhile."""

    article: Article
    quantities: list[Moved]
    has_other_changes: bool


@transaction.atomic
def renew_draft(article: Article, *, by: User) -> Renewal:
    """Make a draft with the values of today, and return it. Readers see nothing of it until it is published.

    Bodies bind by key, so the draft already says what the records say: it becomes work of `by`, to be submitted. What
    somebody else has written into it since the live edition stays, and is said. Raises ValidationError `not_moved`.
    """
    draft = publishing.lock_draft(article)
    quantities = moved_quantities([draft])[draft.pk]
    if not quantities:
        raise ValidationError("No quantity of it has moved; readers see what the records say.", code="not_moved")
    live = Edition.objects.visible(publishing.database_now()).get(article=draft)
    has_other_changes = bool(draft.draft_writer_ids) or not _says_what(draft, live)
    return Renewal(publishing.take_up_draft(draft, by=by), quantities, has_other_changes)


def _says_what(draft: Article, edition: Edition) -> bool:
    """Return whether a draft says what an edition does, but for what is frozen from records."""
    content = edition.content
    authors = draft.authorships.order_by("position", "id").values_list("author_id", flat=True)
    tags = draft.tags.order_by("slug").values_list("pk", flat=True)
    return all(
        (
            (draft.title.strip(), draft.slug, draft.dek.strip(), draft.body)
            == (content["title"], content["slug"], content["dek"], content["body"]),
            (draft.section_id, draft.rung_id, draft.image_id)
            == (edition.section_id, edition.rung_id, edition.image_id),
            [str(pk) for pk in authors] == content["author_ids"],
            {str(pk) for pk in tags} == set(content["tag_ids"]),
            (list(draft.explains), list(draft.corrections)) == (content["explains"], content["corrections"]),
        )
    )


@transaction.atomic
def keep_published(quantity: BoundQuantity, *, by: User, note: str, seen: str) -> KeptQuantity:
    """Let the published value of a quantity stand though its record says something else, until that moves again.

    `seen` is what the record said when that was decided (`Moved.seen`). Raises ValidationError: `note_missing`,
    `not_moved` (the record says the same, or another edition is live), `moved_again` (it says yet another thing).
    """
    if not note.strip():
        raise ValidationError({"note": ValidationError("Say why the published value stays.", code="note_missing")})
    row = BoundQuantity.objects.of_live(STATEMENT_TIME).stale().filter(pk=quantity.pk).first()
    if row is None:
        raise ValidationError("It has not moved: readers see what its record says.", code="not_moved")
    now: Any = row
    if _said(now) != seen:
        message = "Its record has moved again since this page was opened. Look at what it says now, then decide."
        raise ValidationError(message, code="moved_again")
    kept, _ = KeptQuantity.objects.update_or_create(
        quantity=quantity,
        defaults={
            "measures": now.now_measures,
            "base_value": now.now_base,
            "note": note.strip(),
            "by": by,
            "at": publishing.database_now(),
        },
    )
    return kept
