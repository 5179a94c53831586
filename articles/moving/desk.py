"""Planned items as the desk takes them: the drafts that they become, with the records that these name."""

from dataclasses import dataclass
from typing import Any, Self

from django.contrib.auth.models import User

from articles.models import Article, Author, Tag
from articles.moving.pictures import LONGEST_ALT
from articles.moving.plans import Planned
from articles.moving.tagging import find_or_make_tags
from articles.services import Change, NewArticle
from catalog.models import Rung, Section
from core.media.models import Image
from core.media.services import describe_image


@dataclass(frozen=True)
class Desk:
    """Who writes, and the records that drafts name, by what the source calls them."""

    writer: User
    authors: dict[str, Author]
    tags: dict[str, Tag]
    sections: dict[str, Section]
    rungs: dict[str, Rung]
    images: dict[str, Image]

    @classmethod
    def of(cls, items: list[Planned], *, writer: User, authors: dict[str, Author]) -> Self:
        """Return the desk for `items`. Tags that are missing are made."""
        images = {row.name: row for row in Image.objects.filter(name__in=[one.cover for one in items if one.cover])}
        for one in items:
            lead = images.get(one.cover)
            if lead is not None and not lead.alt:  # Another item brought it, without an alternative text.
                lead.alt = one.pictures[0][1].alt[:LONGEST_ALT]
                describe_image(lead.pk, alt=lead.alt)
        return cls(
            writer,
            authors,
            find_or_make_tags(tag for one in items for tag in one.item.tags),
            {row.slug: row for row in Section.objects.all()},
            {row.slug: row for row in Rung.objects.all()},
            images,
        )

    def new(self, one: Planned) -> NewArticle:
        """Return the draft of a new article. Of one that goes live, what readers get is written first."""
        note = ""
        if one.state == "draft" and one.item.published_at is not None:
            instant = f"{one.item.published_at:%Y-%m-%d at %H:%M} UTC"
            note = f"The old site published this on {instant}."
        if one.item.publish_at is not None:
            instant = f"{one.item.publish_at:%Y-%m-%d at %H:%M} UTC"
            note = f"The old site was to publish this on {instant}. Nothing is scheduled."
        fields = {"dek": one.dek, "body": one.body, "note": note, **self._records(one)}
        if one.state == "published":
            fields |= {"body": one.public_body, "image": self.images.get(one.public_cover)}
        return NewArticle(one.title, one.slug, self._authors(one), self._tags(one), fields)

    def complete(self, article: Article, one: Planned) -> Change:
        """Return what editors get of an article that was published, and readers do not."""
        fields = {"body": one.body, "image": self.images.get(one.cover)}
        return Change(article, article.draft_version, fields)

    def change(self, article: Article, one: Planned, *, based_on: int) -> Change:
        """Return what the source says now, for the draft. Its address stays, and what readers see."""
        fields = {"title": one.title, "dek": one.dek, "body": one.body, **self._records(one)}
        return Change(article, based_on, fields, self._authors(one), self._tags(one))

    def _records(self, one: Planned) -> dict[str, Any]:
        """Return what a draft refers to, and what only another Plenum says."""
        values: dict[str, Any] = {
            "section": self.sections.get(one.section or ""),
            "image": self.images.get(one.cover),
        }
        if ours := one.item.ours:
            values["rung"] = self.rungs.get(ours.rung)
            values["explains"] = list(ours.explains)
            values["corrections"] = [dict(correction) for correction in ours.corrections]
        return values

    def _authors(self, one: Planned) -> list[Author]:
        return list({self.authors[person.key].pk: self.authors[person.key] for person in one.item.authors}.values())

    def _tags(self, one: Planned) -> list[Tag]:
        found = {self.tags[tag.slug or tag.name] for tag in one.item.tags if (tag.slug or tag.name) in self.tags}
        return sorted(found, key=lambda tag: tag.slug)
