"""Records that are valid; a test names only the fields it is about."""

from datetime import datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import User

from articles import services
from articles.models import Article, Author, Edition, Tag
from catalog.models import Device, Installation, Manufacturer, Section
from core.facts.models import Claim, Fact, Source
from core.facts.services import settle_choices
from sponsors.models import Vendor

_number = count(1)


def make_person(**fields: Any) -> User:
    n = next(_number)
    return User.objects.create_user(**{"username": f"editor-{n}", "password": "a long password", **fields})


def make_author(**fields: Any) -> Author:
    n = next(_number)
    return Author.objects.create(**{"slug": f"author-{n}", "name": f"Author {n}", **fields})


def make_tag(**fields: Any) -> Tag:
    n = next(_number)
    return Tag.objects.create(**{"slug": f"tag-{n}", "name": f"Tag {n}", **fields})


def make_article(*, by: User | None = None, authors: Any = None, tags: Any = None, **fields: Any) -> Article:
    """Return an article with a draft that nobody has submitted."""
    n = next(_number)
    by = by or make_person()
    draft = {
        "title": f"Article {n}",
        "slug": f"article-{n}",
        "dek": "About racks.",
        "body": "One paragraph.\n",
        **fields,
    }
    article = services.create_article(by=by, **draft)
    if authors or tags:
        article = services.change_article(article, based_on=1, by=by, authors=authors, tags=tags)
    return article


def make_approved_edition(article: Article | None = None, *, by: User | None = None, **fields: Any) -> Edition:
    """Return an edition that one person has approved."""
    by = by or make_person()
    edition = services.submit_article(article or make_article(by=by, **fields), by=by)
    return services.review_article(edition, by=by, verdict="approved")


def make_live_article(*, at: datetime | None = None, published_at: datetime | None = None, **fields: Any) -> Article:
    """Return an article that readers see, from `at` on."""
    edition = make_approved_edition(**fields)
    return services.publish_article(edition, at=at, published_at=published_at).article


def make_next_edition(
    article: Article, *, by: User | None = None, at: datetime | None = None, **fields: Any
) -> Edition:
    """Change the draft, and return the edition of it that readers see from `at` on."""
    by = by or make_person()
    article.refresh_from_db()
    article = services.change_article(article, based_on=article.draft_version, by=by, fields=fields)
    return services.publish_article(make_approved_edition(article, by=by), at=at)


def make_section(slug: str = "compute") -> Section:
    """Return one of the six sections, which are always there."""
    return Section.objects.get(slug=slug)


def make_device(**fields: Any) -> Device:
    n = next(_number)
    manufacturer = fields.pop("manufacturer", None) or Manufacturer.objects.get_or_create(slug="acme", name="Acme")[0]
    return Device.objects.create(
        **{"slug": f"device-{n}", "model": f"Model {n}", "manufacturer": manufacturer, **fields}
    )


def make_installation(**fields: Any) -> Installation:
    n = next(_number)
    return Installation.objects.create(**{"slug": f"site-{n}", "name": f"Site {n}", **fields})


def make_source(**fields: Any) -> Source:
    n = next(_number)
    return Source.objects.create(**{"slug": f"source-{n}", "title": f"Source {n}", **fields})


def make_fact(
    *values: tuple[str, str],
    subject: Device | Installation | Vendor | None = None,
    field: str = "power_nameplate_w",
    **fields: Any,
) -> Fact:
    """Return a fact with one claim for each (value, unit), the first of them in use."""
    n = next(_number)
    kind = "" if subject is None else type(subject)._meta.model_name
    fact = Fact.objects.create(
        **{
            "slug": f"fact-{n}",
            "label": f"Fact {n}",
            "field": field,
            "subject_kind": kind,
            "subject_id": subject and subject.pk,
        }
        | fields
    )
    for value, unit in values:
        Claim.objects.create(fact=fact, value=value, unit=unit, source=make_source(), confidence="reported")
    settle_choices([fact])
    fact.refresh_from_db()
    return fact
