"""What a draft or an edition will look like to readers, and links that show it to people without an account.

The token of a link is its id, signed with the secret key, so a copy of the database opens nothing. The row says until
when it holds, and whether it was revoked.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.signing import BadSignature, Signer

from articles.embeds import show_scenarios
from articles.freezing import read_body
from articles.markup import Document, MarkupError
from articles.models import Article, Author, Edition, PreviewLink
from articles.pictures import images_of, show_images
from articles.records import Found
from core.publishing.services import database_now

SIGNER = Signer(salt="articles.preview")
LONGEST = timedelta(days=30)


@dataclass(frozen=True)
class Preview:
    """A page as readers will get it. `errors` are the mistakes in the body that stand in the way of submitting it."""

    name: str
    title: str
    dek: str
    html: str
    reading_minutes: int
    section: str = ""
    rung: str = ""
    authors: list[str] = field(default_factory=list)
    image: Any = None
    corrections: list[dict[str, str]] = field(default_factory=list)
    errors: tuple[MarkupError, ...] = ()
    word_count: int = 0


def preview_of_text(
    *, name: str, body: str, read: tuple[Document, Found] | None = None, title: str = "", dek: str = "", **around: Any
) -> Preview:
    """Return the preview of a text that is in no edition yet: a draft, or what is being typed.

    `read` is what `read_body(body)` gives, where it is at hand.
    """
    document, found = read or read_body(body)
    images = {key: pk for (kind, key), pk in found.ids.items() if kind == "image"}
    return Preview(
        name,
        title,
        dek,
        show_scenarios(show_images(document.html, images), found.scenario_kinds),
        document.reading_minutes,
        errors=document.errors,
        word_count=document.word_count,
        **around,
    )


def preview_of_draft(draft: Article) -> Preview:
    """Return the preview of a draft as it is stored now."""
    return preview_of_text(
        name=f"Draft, version {draft.draft_version}",
        body=draft.body,
        title=draft.title,
        dek=draft.dek,
        section=str(draft.section or ""),
        rung=str(draft.rung or ""),
        authors=[str(row.author) for row in draft.authorships.select_related("author")],
        image=draft.image,
        corrections=draft.corrections,
    )


def preview_of_edition(edition: Edition) -> Preview:
    """Return an edition as it was frozen."""
    content = edition.content
    names = {str(author.pk): author.name for author in Author.objects.filter(pk__in=content["author_ids"])}
    return Preview(
        name=f"Edition {edition.number}",
        title=content["title"],
        dek=content["dek"],
        html=show_scenarios(show_images(content["html"], images_of(edition))),
        reading_minutes=content["reading_minutes"],
        section=str(edition.section or ""),
        rung=str(edition.rung or ""),
        authors=[names[pk] for pk in content["author_ids"] if pk in names],
        image=edition.image,
        corrections=content["corrections"],
    )


def make_link(article: Article, *, by: User, lifetime: timedelta, edition: Edition | None = None) -> PreviewLink:
    """Make a link that shows `edition`, or the draft as it is then, for `lifetime`, and return it.

    Raises ValidationError `lifetime`: longer than 30 days, or not positive.
    """
    if not timedelta(0) < lifetime <= LONGEST:
        raise ValidationError({"lifetime": ValidationError("A link holds for 30 days at most.", code="lifetime")})
    now = database_now()
    return PreviewLink.objects.create(
        article=article, edition=edition, made_by=by, made_at=now, expires_at=now + lifetime
    )


def revoke_link(link: PreviewLink) -> PreviewLink:
    """End a link now, and return it. One that was revoked stays as it was."""
    PreviewLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=database_now())
    return PreviewLink.objects.get(pk=link.pk)


def token_of(link: PreviewLink) -> str:
    """Return what the address of a link carries."""
    return SIGNER.sign(link.pk.hex)


def link_of(token: str) -> PreviewLink:
    """Return the link of a token. Raises PermissionDenied for one that is forged, expired, revoked or gone."""
    try:
        pk = UUID(hex=SIGNER.unsign(token))
    except (BadSignature, ValueError):
        raise PermissionDenied("This is no preview link of ours.") from None
    link = PreviewLink.objects.select_related("article", "edition").filter(pk=pk).first()
    if link is None or link.revoked_at is not None or link.expires_at <= database_now():
        raise PermissionDenied("This preview link holds no longer.")
    return link


def preview_of_link(link: PreviewLink) -> Preview:
    """Return what a link shows."""
    return preview_of_edition(link.edition) if link.edition is not None else preview_of_draft(link.article)
