"""WordPress: reads an export file (WXR 1.0 to 1.2). `read` is the one door."""

import hashlib
import json
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from articles.moving.addresses import host_of
from articles.moving.instants import local_instant
from articles.moving.items import Export, Item, Notice, Options, Person, Place, Refused, Site, State, Term
from articles.moving.plain import plain_text
from articles.moving.wordpress.attachments import Attachments
from articles.moving.wordpress.content import Body, notes_of
from articles.moving.wordpress.wxr import Channel, Entry, Label, read_wxr

__all__ = ["read"]

INSTANT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)")
ZERO = re.compile(r"0000-00-00.*")
DATES = ("post_date_gmt", "post_date")
# What readers could not see is a draft; what the status is called in notices.
STATUSES = {"private": "private_source", "pending": "pending_source", "future": "scheduled_not_armed"}
TOLD = ("title", "link", "creator", "content", "excerpt", *DATES, "post_name", "status", "post_password")
TOLD_META = ("_thumbnail_id", "footnotes", "_wp_old_slug")
# The prefix that the plugin Co-Authors Plus gives to the slugs of its terms.
GUEST = "cap-"


def read(path: Path, options: Options) -> Export:
    """Return what the file at `path` holds.

    Raises Refused: those of wxr.read_wxr, and `duplicate_id`, `missing_id`, `bad_date`.
    """
    return _Reading(read_wxr(path), path, options).export()


class _Reading:
    """One file that is turned into items."""

    def __init__(self, channel: Channel, path: Path, options: Options) -> None:
        self._channel, self._path, self._options = channel, path, options
        fields = channel.fields
        addresses = [options.site, *(fields.get(name, "") for name in ("base_blog_url", "base_site_url", "link"))]
        hosts = frozenset(host for address in addresses if (host := host_of(address)))
        self.site = Site("wordpress", next((address for address in addresses if address), ""), hosts)
        self._people = {
            row["author_login"]: Person(
                row["author_login"],
                plain_text(row.get("author_display_name", "")) or row["author_login"],
                row.get("author_email", ""),
            )
            for row in channel.authors
            if row.get("author_login")
        }
        self._parents = {
            unquote(row.get("category_nicename", "")): unquote(row.get("category_parent", ""))
            for row in channel.categories
        }
        entries = channel.entries
        self._attachments = Attachments((e for e in entries if e.text("post_type") == "attachment"), hosts)
        self._reused = {
            e.text("post_id"): e.fields["content"].text
            for e in entries
            if e.text("post_type") == "wp_block" and "content" in e.fields
        }

    def export(self) -> Export:
        seen: set[str] = set()
        items = []
        for entry in self._channel.entries:
            key = entry.text("post_id")
            if not key:
                raise self._refused("missing_id", "An item has no wp:post_id.", entry.line)
            if key in seen:
                message = (
                    f"Two items claim the id {key}. Export again; a file that was put together by hand is not read."
                )
                raise self._refused("duplicate_id", message, entry.line_of("post_id"))
            seen.add(key)
            items.append(self._item(entry, key))
        return Export(self.site, tuple(items), tuple(self._people.values()), self._media())

    def _refused(self, code: str, message: str, line: int) -> Refused:
        return Refused(code, message, file=self._path.name, line=line)

    def _media(self) -> Path | None:
        """Return the folder of uploads: what the run names, else one beside the file."""
        if self._options.media is not None:
            return self._options.media
        folder = self._path.parent
        return next((f for name in ("wp-content/uploads", "uploads") if (f := folder / name).is_dir()), None)

    def _item(self, entry: Entry, key: str) -> Item:
        kind = entry.text("post_type")
        label = f"{kind} {key}"
        reason = self._skips(entry, kind)
        place = Place(entry.line, near="<item>")
        if reason:
            return Item(key, label, "skipped", plain_text(entry.text("title")), reason=reason, places={"item": place})
        state, published_at, publish_at, notices = self._standing(entry)
        is_public = entry.text("status") == "publish" and not entry.text("post_password")
        path = urlsplit(entry.text("link")).path
        old_paths = [path, *self._old_paths(entry, path)] if is_public and path not in ("", "/") else []
        content = entry.fields.get("content")
        thumbnail = entry.meta.get("_thumbnail_id")
        picture = self._attachments.by_id.get(thumbnail.text.strip()) if thumbnail else None
        if thumbnail and picture is None and thumbnail.text.strip() not in ("", "0", "-1"):
            notices.append(Notice("image_missing", Place(thumbnail.line, near="_thumbnail_id"), thumbnail.text.strip()))
        notices += [Notice("control_character", Place(line, near=near)) for line, near in entry.controls]
        body = Body(
            content.text if content else "",
            content.text_line if content else entry.line,
            key,
            notes_of(entry.meta["footnotes"].text if "footnotes" in entry.meta else ""),
            self._attachments,
            self._reused,
        )
        return Item(
            source_id=key,
            label=label,
            state=state,
            title=plain_text(entry.text("title")),
            slug=entry.text("post_name"),
            dek=plain_text(entry.text("excerpt")),
            published_at=published_at,
            publish_at=publish_at,
            authors=self._authors(entry),
            categories=tuple(self._term(label) for label in entry.labels if label.domain == "category"),
            tags=tuple(self._term(label) for label in entry.labels if label.domain == "post_tag"),
            picture=picture,
            addresses=tuple(
                address
                for address in (entry.text("link"), entry.text("guid"), f"/?p={key}", *self._old_paths(entry, path))
                if address
            ),
            old_paths=tuple(old_paths),
            notices=tuple(notices),
            places=self._places(entry),
            write=body.write,
            digest=_digest(entry),
        )

    def _skips(self, entry: Entry, kind: str) -> str:
        if kind in ("attachment", "revision"):
            return kind
        if kind != "post":
            return "not_an_article"
        return "trash" if entry.text("status") == "trash" else ""

    def _standing(self, entry: Entry) -> tuple[State, datetime | None, datetime | None, list[Notice]]:
        """Return state, original instant, proposed instant, and what is to be said of them."""
        status = entry.text("status")
        instant = self._instant(entry)
        if status == "publish" and instant is not None and instant > self._options.now:
            status = "future"
        if entry.text("post_password"):
            place = Place(entry.line_of("post_password"), near="<wp:post_password>")
            return "draft", None, instant if status == "future" else None, [Notice("password_source", place)]
        if status == "publish":
            return "published", instant, None, []
        code = STATUSES.get(status, "" if status in ("draft", "auto-draft", "inherit", "") else "restricted_source")
        notices = [Notice(code, Place(entry.line_of("status"), near="<wp:status>"))] if code else []
        return "draft", None, instant if status == "future" else None, notices

    def _instant(self, entry: Entry) -> datetime | None:
        """Return the instant of a post in UTC: as it says, else its local time, else that of the feed."""
        utc, local = (self._naive(entry, name) for name in DATES)
        if utc is not None:
            return utc.replace(tzinfo=UTC)
        if local is not None:
            return local_instant(local, self._options.timezone)
        try:
            return parsedate_to_datetime(entry.text("pubDate")).astimezone(UTC)
        except (TypeError, ValueError):
            return None

    def _naive(self, entry: Entry, name: str) -> datetime | None:
        text = entry.text(name)
        if not text or ZERO.match(text):
            return None
        found = INSTANT.fullmatch(text)
        try:
            if found:
                return datetime(*(int(part) for part in found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
        except ValueError:
            pass
        raise self._refused("bad_date", f"“{text}” is no date that there is.", entry.line_of(name))

    def _authors(self, entry: Entry) -> tuple[Person, ...]:
        """Return the authors: those that a plugin for several lists, else the account that wrote."""
        listed = [label for label in entry.labels if label.domain == "author"]
        people = [self._guest(label) for label in listed]
        if not people and entry.text("creator"):
            login = entry.text("creator")
            people = [self._people.get(login) or Person(login, login, is_known=False)]
        return tuple({person.key: person for person in people}.values())

    def _guest(self, label: Label) -> Person:
        login = unquote(label.slug).removeprefix(GUEST)
        return self._people.get(login) or Person(login, plain_text(label.name) or login)

    def _term(self, label: Label) -> Term:
        slug = unquote(label.slug)
        ancestors: list[str] = []
        parent = self._parents.get(slug, "") if label.domain == "category" else ""
        while parent and parent not in ancestors:
            ancestors.append(parent)
            parent = self._parents.get(parent, "")
        return Term(slug, plain_text(label.name) or slug, tuple(ancestors))

    def _old_paths(self, entry: Entry, path: str) -> list[str]:
        """Return the paths that a post had under slugs of before: its own, with another last part."""
        before, _, last = path.rstrip("/").rpartition("/")
        if not last:
            return []
        return [f"{before}/{slug.strip()}/" for slug in entry.meta_lists.get("_wp_old_slug", []) if slug.strip()]

    def _places(self, entry: Entry) -> dict[str, Place]:
        tags = {
            "title": "title",
            "slug": "wp:post_name",
            "author": "dc:creator",
            "dek": "excerpt:encoded",
            "body": "content:encoded",
        }
        names = {"slug": "post_name", "author": "creator", "dek": "excerpt", "body": "content"}
        places = {of: Place(entry.line_of(names.get(of, of)), near=f"<{tag}>") for of, tag in tags.items()}
        date = next((name for name in DATES if entry.text(name) and not ZERO.match(entry.text(name))), DATES[0])
        places["date"] = Place(entry.line_of(date), near=f"<wp:{date}>")
        places["item"] = Place(entry.line, near="<item>")
        if label := next((label for label in entry.labels if label.domain == "category"), None):
            places["section"] = Place(label.line, near=f'nicename="{label.slug}"')
        if "_thumbnail_id" in entry.meta:
            places["picture"] = Place(entry.meta["_thumbnail_id"].line, near="_thumbnail_id")
        return places


def _digest(entry: Entry) -> str:
    """Return the hash of all that is taken from a post: what only WordPress's own bookkeeping changes leaves it."""
    told = {
        "fields": {name: entry.fields[name].text for name in TOLD if name in entry.fields},
        "labels": sorted([label.domain, label.slug, label.name] for label in entry.labels),
        "meta": {name: entry.meta_lists[name] for name in TOLD_META if name in entry.meta_lists},
    }
    return hashlib.sha256(json.dumps(told, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
