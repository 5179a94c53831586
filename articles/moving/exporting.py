"""Articles as files: Markdown with front matter, and what it names beside it. `import_articles` reads the folder back.

    plenum-export.json   that this is an export, and of which version
    articles/SLUG.md     front matter in YAML, a blank line, the body byte for byte
    authors.yaml, tags.yaml, images.yaml, images/

Nothing in it tells when or where it was made, so two exports of the same articles are the same files.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage

from articles.markup import wanted
from articles.models import Article, Author, Edition, OldAddress, Tag
from articles.moving.folders.plenum import ARTICLES, PICTURES, VERSION
from articles.moving.folders.sites import EXPORTED
from catalog.models import Rung, Section
from core.media.models import Image
from core.publishing.services import database_now

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Exported:
    """One article as it is written. `published_at` is set where readers see just this."""

    article_id: str
    slug: str
    title: str
    dek: str
    body: str
    section: str
    rung: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    image: str
    explains: tuple[str, ...]
    corrections: tuple[dict[str, str], ...]
    published_at: datetime | None
    old_addresses: tuple[str, ...]

    def images(self) -> Iterable[str]:
        """Return the names of the pictures that it shows."""
        return ([self.image] if self.image else []) + list(wanted(self.body).images)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How much was written, and the names of pictures that have no file here."""

    article_count: int
    picture_count: int
    missing: tuple[str, ...]


def gather(*, live: bool, drafts: bool, slugs: Sequence[str] = ()) -> list[Exported]:
    """Return the articles to export, by slug: what readers see of each, else its draft.

    `live`: only what readers see. `drafts`: the draft of each, whatever readers see. `slugs` are those of today; raises
    ValidationError `unknown_article`, by name, for one that no such article has.
    """
    at = database_now()
    editions = {} if drafts else {edition.article_id: edition for edition in Edition.objects.visible(at)}
    articles = Article.objects.order_by("slug", "pk").prefetch_related("authorships__author", "tags")
    articles = articles.select_related("section", "rung", "image")
    if live:
        articles = articles.filter(pk__in=editions.keys())
    names = _Names.of(editions.values())
    addresses: dict[Any, list[str]] = {}
    for article_id, path in OldAddress.objects.order_by("path").values_list("article_id", "path"):
        addresses.setdefault(article_id, []).append(path)
    found = []
    for article in articles:
        edition = editions.get(article.pk)
        old = tuple(addresses.get(article.pk, ()))
        found.append(_of_draft(article, old) if edition is None else _of_edition(edition, names, old))
    found.sort(key=lambda one: one.slug)
    if slugs:
        unknown = sorted(set(slugs) - {one.slug for one in found})
        if unknown:
            raise ValidationError(f"There is no such article: {', '.join(unknown)}.", code="unknown_article")
        found = [one for one in found if one.slug in set(slugs)]
    return found


@dataclass(frozen=True, slots=True)
class _Names:
    """What the ids in frozen documents are called today."""

    by_id: dict[str, str]

    @classmethod
    def of(cls, editions: Iterable[Edition]) -> "_Names":
        documents = [edition.content for edition in editions]
        ids = {str(pk) for document in documents for pk in (*document["author_ids"], *document["tag_ids"])}
        images = {document["image_id"] for document in documents if document["image_id"]}
        by_id: dict[str, str] = {}
        for rows in (
            Author.objects.filter(pk__in=ids).values_list("pk", "slug"),
            Tag.objects.filter(pk__in=ids).values_list("pk", "slug"),
            Section.objects.values_list("pk", "slug"),
            Rung.objects.values_list("pk", "slug"),
            Image.objects.filter(pk__in=images).values_list("pk", "name"),
        ):
            by_id |= {str(pk): name for pk, name in rows}
        return cls(by_id)

    def all(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.by_id[pk] for pk in ids if pk in self.by_id)


def _of_edition(edition: Edition, names: _Names, old: tuple[str, ...]) -> Exported:
    said = edition.content
    return Exported(
        article_id=str(edition.article_id),
        slug=said["slug"],
        title=said["title"],
        dek=said["dek"],
        body=said["body"],
        section=names.by_id.get(said["section_id"] or "", ""),
        rung=names.by_id.get(said["rung_id"] or "", ""),
        authors=names.all(said["author_ids"]),
        tags=names.all(said["tag_ids"]),
        image=names.by_id.get(said["image_id"] or "", ""),
        explains=tuple(said["explains"]),
        corrections=tuple(said["corrections"]),
        published_at=edition.published_at,
        old_addresses=old,
    )


def _of_draft(article: Article, old: tuple[str, ...]) -> Exported:
    return Exported(
        article_id=str(article.pk),
        slug=article.slug,
        title=article.title,
        dek=article.dek,
        body=article.body,
        section=article.section.slug if article.section else "",
        rung=article.rung.slug if article.rung else "",
        authors=tuple(row.author.slug for row in sorted(article.authorships.all(), key=lambda r: (r.position, r.pk))),
        tags=tuple(sorted(tag.slug for tag in article.tags.all())),
        image=article.image.name if article.image else "",
        explains=tuple(article.explains),
        corrections=tuple(article.corrections),
        published_at=None,
        old_addresses=old,
    )


def export(articles: Sequence[Exported], folder: Path, *, progress: Progress = lambda _: None) -> Outcome:
    """Write `articles` into `folder`, all of them or none, in place of an earlier export there.

    Raises ValidationError: `not_an_export` for a folder that holds anything else, `no_folder` where its parent is none.
    """
    folder = folder.absolute()
    refuse_foreign(folder)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        outcome = _write(articles, work, progress)
        work.chmod(0o755)
        _put_in_place(work, folder)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return outcome


def refuse_foreign(folder: Path) -> None:
    """Raise ValidationError where `folder` holds something that is no export, so that nothing is overwritten."""
    if not folder.parent.is_dir():
        raise ValidationError(f"There is no folder {folder.parent}. Make it first.", code="no_folder")
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise ValidationError(f"{folder} is no folder. Name one that is new or empty.", code="not_an_export")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / EXPORTED).is_file():
        message = f"{folder} holds files that are no export. Name a folder that is new or empty."
        raise ValidationError(message, code="not_an_export")


def _put_in_place(work: Path, folder: Path) -> None:
    if not folder.exists():
        work.rename(folder)
        return
    before = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent)) / "before"
    folder.rename(before)
    try:
        work.rename(folder)
    except BaseException:
        before.rename(folder)
        raise
    finally:
        shutil.rmtree(before.parent, ignore_errors=True)


def _write(articles: Sequence[Exported], work: Path, progress: Progress) -> Outcome:
    _save(work / EXPORTED, json.dumps({"format": "plenum-articles", "version": VERSION}, indent=2) + "\n")
    (work / ARTICLES).mkdir()
    (work / PICTURES).mkdir()
    for article in articles:
        progress(article.slug)
        _save(work / ARTICLES / f"{article.slug}.md", markdown_of(article))
    slugs = {slug for article in articles for slug in article.authors}
    authors = Author.objects.filter(slug__in=slugs).order_by("slug")
    _save(work / "authors.yaml", _yaml([_filled(a, "slug", "name", "bio", "homepage") for a in authors]))
    tags = Tag.objects.filter(slug__in={slug for article in articles for slug in article.tags}).order_by("slug")
    _save(work / "tags.yaml", _yaml([_filled(tag, "slug", "name") for tag in tags]))
    images = list(Image.objects.filter(name__in={n for a in articles for n in a.images()}).order_by("name"))
    _save(work / "images.yaml", _yaml([_filled(i, "name", "alt", "credit", "licence", "source_url") for i in images]))
    missing = []
    for image in images:
        progress(image.name)
        if not image.file or not default_storage.exists(image.file.name):
            missing.append(image.name)
            continue
        with default_storage.open(image.file.name) as source, (work / PICTURES / image.name).open("wb") as target:
            shutil.copyfileobj(source, target)
    return Outcome(len(articles), len(images) - len(missing), tuple(missing))


def _filled(row: Any, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := getattr(row, name))}


def markdown_of(article: Exported) -> str:
    """Return an article as the text of its file: front matter, a blank line, the body as it is."""
    front: dict[str, Any] = {"id": article.article_id, "title": article.title, "slug": article.slug}
    front["status"] = "published" if article.published_at else "draft"
    if article.published_at:
        front["published_at"] = article.published_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    rest = {
        "dek": article.dek,
        "section": article.section,
        "rung": article.rung,
        "authors": list(article.authors),
        "tags": list(article.tags),
        "image": article.image,
        "explains": list(article.explains),
        "corrections": [dict(row) for row in article.corrections],
        "old_addresses": list(article.old_addresses),
    }
    front |= {key: value for key, value in rest.items() if value}
    return f"---\n{_yaml(front)}---\n\n{article.body}"


def _yaml(value: Any) -> str:
    if value == []:
        return ""
    written: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1_000_000)
    return written


def _save(file: Path, text: str) -> None:
    # Line ends are those of the text: a body keeps what its editor's browser sent.
    with file.open("w", encoding="utf-8", newline="") as target:
        target.write(text)
