"""The tables of an export as items: states, authors, tags, addresses, and the format from which a body is read."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from articles.moving.addresses import host_of
from articles.moving.ghost.cards import Cards
from articles.moving.ghost.export import Row, Tables, read_tables
from articles.moving.ghost.lexical import NotLexicalError, lexical_html
from articles.moving.ghost.mobiledoc import NotMobiledocError, mobiledoc_html
from articles.moving.ghost.rendered import rendered_html
from articles.moving.items import Export, Item, Notice, Options, Person, Picture, Place, Refused, Site, State, Term
from articles.moving.page import Page
from articles.moving.plain import plain_text

ROOT = "__GHOST_URL__"
UNTITLED = ("", "(untitled)")
RESIZED = re.compile(r"^size/w\d+(?:h\d+)?/(?:format/\w+/)?")
IMAGES = "/content/images/"
FORMATS = ("lexical", "mobiledoc", "html")
# What the digest is made of: the rest changes when nothing was written (views, mails, uuid).
TOLD = (
    "title", "slug", *FORMATS, "feature_image", "image", "status", "visibility", "published_at", "custom_excerpt",
    "codeinjection_head", "codeinjection_foot", "canonical_url", "type", "page",
)  # fmt: skip
TOLD_META = ("feature_image_alt", "feature_image_caption", "email_only")


def read(path: Path, options: Options) -> Export:
    """Return what the export at `path` holds.

    Raises Refused: those of export.read_tables, and `duplicate_id`, `missing_id`, `bad_date`.
    """
    return _Reading(read_tables(path), path, options).export()


class _Reading:
    """One file that is turned into items."""

    def __init__(self, tables: Tables, path: Path, options: Options) -> None:
        self._tables, self._path, self._options = tables, path, options
        address = options.site or tables.setting("url") or tables.setting("site_url")
        self._root = address.rstrip("/")
        self.site = Site("ghost", address, frozenset({host_of(address)} - {""}))
        self._media, self._below = self._find_media()
        self._people = {
            str(row["id"]): Person(
                str(row["id"]), plain_text(_text(row, "name")) or _text(row, "slug"), _text(row, "email")
            )
            for row in tables.rows("users")
            if row.get("id") is not None
        }
        self._terms = {str(row.get("id")): row for row in tables.rows("tags")}
        self._meta = {str(row.get("post_id")): row for row in tables.rows("posts_meta")}
        self._authors_of = self._joined("posts_authors", "author_id")
        self._tags_of = self._joined("posts_tags", "tag_id")

    def _find_media(self) -> tuple[Path | None, str]:
        """Return the folder of the files, and the path in it below which those of content/images/ lie."""
        folder = self._options.media or self._path.parent
        for below in ("content/images", "images"):
            if (folder / below).is_dir():
                return folder, f"{below}/"
        return (folder, "") if self._options.media else (None, "")

    def _joined(self, table: str, key: str) -> Mapping[str, list[str]]:
        """Return the ids of `key` for each post, in their order."""
        rows: dict[str, list[tuple[int, int, str]]] = {}
        for number, row in enumerate(self._tables.rows(table)):
            order = row.get("sort_order")
            entry = (order if isinstance(order, int) else 0, number, str(row.get(key)))
            rows.setdefault(str(row.get("post_id")), []).append(entry)
        return {post: [found for _, _, found in sorted(entries)] for post, entries in rows.items()}

    def export(self) -> Export:
        seen: set[str] = set()
        items = []
        posts = self._tables.data.get("posts")
        for index, post in enumerate(posts if isinstance(posts, list) else []):
            path = f"{self._tables.path}.posts[{index}]"
            if not isinstance(post, dict) or post.get("id") in (None, ""):
                raise self._refused("missing_id", f"{path} has no id.")
            key = str(post["id"])
            if key in seen:
                raise self._refused("duplicate_id", f"{path} claims the id {key} of another post.")
            seen.add(key)
            items.append(self._item(post, key, path))
        return Export(self.site, tuple(items), tuple(self._people.values()), self._media)

    def _refused(self, code: str, message: str) -> Refused:
        return Refused(code, message, file=self._path.name)

    def _item(self, post: Row, key: str, path: str) -> Item:
        is_page = post.get("type") == "page" or post.get("page") in (True, 1)
        label = f"{'page' if is_page else 'post'} {key}"
        places = {name: Place(path=f"{path}.{name}") for name in ("title", "slug")}
        places["item"] = Place(path=path)
        if is_page:
            return Item(key, label, "skipped", reason="not_an_article", places=places)
        meta = self._meta.get(key, {})
        state, published_at, publish_at, was_public, notices = self._standing(post, meta, path)
        field = next((name for name in FORMATS if _text(post, name).strip()), "html")
        places |= {
            "body": Place(path=f"{path}.{field}"),
            "dek": Place(path=f"{path}.custom_excerpt"),
            "date": Place(path=f"{path}.published_at", near=str(post.get("published_at") or "")),
            "author": Place(path=f"{path}.authors"),
            "section": Place(path=f"{path}.tags"),
            "picture": Place(path=f"{path}.feature_image", near=_text(post, "feature_image")),
        }
        title = plain_text(_text(post, "title")) if "&" in _text(post, "title") else _text(post, "title").strip()
        slug = _text(post, "slug")
        old = self._old_path(slug, published_at)
        return Item(
            source_id=key,
            label=label,
            state=state,
            title="" if title.lower() in UNTITLED else title,
            slug=slug,
            dek=_text(post, "custom_excerpt").strip(),
            published_at=published_at if state == "published" else None,
            publish_at=publish_at,
            authors=self._authors(post, key),
            tags=self._tags(key),
            picture=self._cover(post, meta),
            addresses=(f"{self._root}{old}", old) if slug else (),
            old_paths=(old,) if was_public and slug else (),
            notices=tuple(notices),
            places=places,
            write=lambda page: self._write(page, post, f"{path}."),
            digest=self._digest(post, meta, key),
        )

    def _standing(
        self, post: Row, meta: Row, path: str
    ) -> tuple[State, datetime | None, datetime | None, bool, list[Notice]]:
        """Return state, instants, whether its address answered the public, and what must be said."""
        status = _text(post, "status") or "draft"
        instant = self._instant(post, path)
        notices = []
        for name in ("codeinjection_head", "codeinjection_foot"):
            if _text(post, name).strip():
                notices.append(Notice("code_injection_dropped", Place(path=f"{path}.{name}"), _text(post, name)))
        canonical = _text(post, "canonical_url")
        if canonical and host_of(canonical.replace(ROOT, self._root)) not in ("", *self.site.hosts):
            notices.append(Notice("canonical_elsewhere", Place(path=f"{path}.canonical_url", near=canonical)))
        if status == "sent" or meta.get("email_only") in (True, 1):
            notices.append(Notice("email_only", Place(path=f"{path}.status", near=status)))
            return "draft", None, None, False, notices
        if status == "scheduled":
            notices.append(Notice("scheduled_not_armed", Place(path=f"{path}.status", near=status)))
            return "draft", None, instant, False, notices
        if status != "published":
            return "draft", None, None, False, notices
        visibility = _text(post, "visibility") or "public"
        if instant is not None and instant > self._options.now:
            notices.append(Notice("scheduled_not_armed", Place(path=f"{path}.published_at")))
            return "draft", None, instant, False, notices
        if visibility != "public":
            # The preview of it was public, so its address was known.
            notices.append(Notice("restricted_source", Place(path=f"{path}.visibility", near=visibility)))
            return "draft", instant, None, True, notices
        return "published", instant, None, True, notices

    def _instant(self, post: Row, path: str) -> datetime | None:
        written = post.get("published_at")
        if written in (None, ""):
            return None
        try:
            if isinstance(written, int | float):
                return datetime.fromtimestamp(written / 1000, UTC)
            instant = datetime.fromisoformat(str(written).strip().replace("Z", "+00:00"))
        except (ValueError, OverflowError, OSError):
            raise self._refused("bad_date", f"{path}.published_at: {written} is no date.") from None
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)

    def _old_path(self, slug: str, published_at: datetime | None) -> str:
        """Return the path of a post: /slug/, unless the settings of an old version say otherwise."""
        pattern = self._tables.setting("permalinks") or "/:slug/"
        day = published_at
        words = {":slug": slug}
        if day is not None:
            words |= {":year": f"{day.year:04}", ":month": f"{day.month:02}", ":day": f"{day.day:02}"}
        for token, word in words.items():
            pattern = pattern.replace(token, word)
        path = urlsplit(self._root).path.rstrip("/") if "//" in self._root else ""
        return path + (f"/{slug}/" if ":" in pattern else pattern)

    def _authors(self, post: Row, key: str) -> tuple[Person, ...]:
        ids = self._authors_of.get(key) or ([str(post["author_id"])] if post.get("author_id") else [])
        return tuple(self._people.get(one) or Person(one, f"ghost-{one}", is_known=False) for one in dict.fromkeys(ids))

    def _tags(self, key: str) -> tuple[Term, ...]:
        """Return the tags in their order. Internal ones, which begin with a hash, are for the theme."""
        rows = (self._terms[one] for one in self._tags_of.get(key, []) if one in self._terms)
        return tuple(
            Term(unquote(_text(row, "slug")), _text(row, "name"))
            for row in rows
            if _text(row, "name") and not _text(row, "name").startswith("#") and row.get("visibility") != "internal"
        )

    # Pictures

    def _cover(self, post: Row, meta: Row) -> Picture | None:
        address = _text(post, "feature_image") or _text(post, "image")
        picture = self._picture({"src": address}) if address else None
        if picture is None:
            return None
        caption = plain_text(_text(meta, "feature_image_caption"))
        return Picture(picture.file, picture.path, picture.address, _text(meta, "feature_image_alt").strip(), caption)

    def _picture(self, attributes: Mapping[str, str]) -> Picture | None:
        """Return the picture at the address of an <img>; of a resized copy, the original. None: it may not be shown."""
        address = attributes.get("src", "").strip().replace(ROOT, self._root)
        if address.startswith("//"):
            address = f"https:{address}"
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https", ""):
            return None
        path, host = unquote(parts.path), host_of(address)
        if (not host or host in self.site.hosts) and IMAGES in path:
            file = RESIZED.sub("", path.partition(IMAGES)[2])
            if ".." in file.split("/"):
                return None
            whole = address if host else f"{self._root}{path}"
            whole = whole.replace(path, f"{path.partition(IMAGES)[0]}{IMAGES}{file}")
            return Picture(file, f"{self._below}{file}" if self._media else "", whole)
        return Picture(f"{host}{path}".strip("/"), "", address) if path.strip("/") else None

    # Bodies

    def _write(self, page: Page, post: Row, path: str) -> str:
        """Return the body from the format in which it was written; what cannot be read is taken as it was rendered."""
        for name in FORMATS:
            text = _text(post, name).replace(ROOT, self._root)
            if not text.strip():
                continue
            cards = Cards(f"{path}{name}", self._picture)
            try:
                if name == "lexical":
                    html = lexical_html(text, cards)
                elif name == "mobiledoc":
                    html = mobiledoc_html(text, cards)
                else:
                    html = rendered_html(text, cards)
            except (NotLexicalError, NotMobiledocError):
                if _text(post, "html").strip():
                    continue
                page.warn("card_dropped", Place(path=f"{path}{name}"), dropped=text)
                continue
            return cards.write(html, page)
        return ""

    def _digest(self, post: Row, meta: Row, key: str) -> str:
        """Return the hash of all that the export says of a post and that ends up in an article."""
        told: list[Any] = [post.get(name) for name in TOLD] + [meta.get(name) for name in TOLD_META]
        told += [[person.key, person.name] for person in self._authors(post, key)]
        told += [[term.slug, term.name] for term in self._tags(key)]
        return hashlib.sha256(json.dumps(told, ensure_ascii=False, default=str).encode()).hexdigest()


def _text(row: Row, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
