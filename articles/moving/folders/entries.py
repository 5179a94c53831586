"""One file of a site: what its front matter says, by whichever of the usual names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from articles.moving.instants import local_instant
from articles.moving.items import Notice, Options, Person, Place, Refused, Term
from articles.moving.slugs import to_slug

from .dates import read_stamp
from .files import POST_NAME, File
from .front_matter import FrontMatter, Value, text_of, texts_of, truth_of
from .sites import Settings

DATES = (
    "date",
    "pubdate",
    "published",
    "publishdate",
    "pubdatetime",
    "published_at",
    "published_date",
    "publish_date",
    "publisheddate",
    "created",
    "createdat",
    "posted",
)
PUBLISHED_ONLY = ("publishdate", "publish_date", "pubdatetime")
DEKS = ("description", "summary", "excerpt", "dek", "subtitle", "tagline", "lede")
EXPIRES = ("expirydate", "expires", "unpublishdate", "expire_date")
PICTURES = (
    "featured_image",
    "featuredimage",
    "featureimage",
    "feature_image",
    "heroimage",
    "hero_image",
    "hero",
    "cover",
    "coverimage",
    "cover_image",
    "image",
    "banner",
    "header",
    "thumbnail",
    "images",
    "ogimage",
)
INSIDE = ("src", "url", "image", "path", "file", "filename", "relative_path", "overlay_image", "teaser")
ALTS = ("alt", "image_description", "description", "alttext", "alt_text")
CANONICAL = ("canonical_url", "canonicalurl", "canonical")


def stamp_of(front: FrontMatter, keys: Sequence[str], file: str) -> tuple[str, datetime] | None:
    """Return the first of `keys` that names an instant, and that instant. Raises Refused, code "bad_date"."""
    for key in keys:
        written = text_of(front.values.get(key))
        if not written or (key in ("published", "created") and written.lower() in ("true", "false", "yes", "no")):
            continue
        try:
            return key, read_stamp(written)
        except ValueError as error:
            message = f"{written} is no date: {error}"
            raise Refused("bad_date", message, file=file, line=front.line_of(key)) from None
    return None


def instant_of(stamp: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, of a stamp that may have no offset. Raises ValueError out of the range of years."""
    return local_instant(stamp, zone) if stamp.tzinfo is None else stamp.astimezone(ZoneInfo("UTC"))


def day_in_name(file: File) -> datetime | None:
    """Return the day with which the name of a post or of its folder begins. Raises Refused, code "bad_date"."""
    found = POST_NAME.fullmatch(file.stem) or re.search(r"(\d{4})/(\d{2})/(\d{2})/", file.name)
    if not found:
        return None
    try:
        return datetime(int(found[1]), int(found[2]), int(found[3]))  # noqa: DTZ001  # A local day.
    except ValueError:
        message = f"{found[1]}-{found[2]}-{found[3]} is no date. Correct the name of the file."
        raise Refused("bad_date", message, file=file.name, line=1) from None


@dataclass(frozen=True, slots=True)
class Time:
    """When an item was published, or is to be; what of it is local to the site; and what must be said of it."""

    day: datetime | None = None
    published_at: datetime | None = None
    publish_at: datetime | None = None
    is_expired: bool = False
    notices: tuple[Notice, ...] = ()


def time_of(file: File, front: FrontMatter, settings: Settings, options: Options) -> Time:
    """Return when the item in `file` was shown. Raises Refused, code "bad_date"."""
    zone = _zone(settings, options)
    found = stamp_of(front, DATES, file.name)
    named = None if found else day_in_name(file)
    stamp = found[1] if found else named
    if stamp is None:
        return Time(is_expired=_is_expired(file, front, zone, options), notices=_expired(file, front, zone, options))
    try:
        instant = instant_of(stamp, zone)
        # A later day of publication holds the page back, and is shown nowhere.
        held = stamp_of(front, PUBLISHED_ONLY, file.name)
        shown_at = max(instant, instant_of(held[1], zone)) if held else instant
        day = stamp if settings.kind == "hugo" or stamp.tzinfo is None else stamp.astimezone(zone)
    except (ValueError, OverflowError):
        key = found[0] if found else ""
        raise Refused("bad_date", "The year is out of range.", file=file.name, line=front.line_of(key)) from None
    notices = list(_expired(file, front, zone, options))
    if shown_at > options.now:
        key = held[0] if held and instant_of(held[1], zone) == shown_at else found[0] if found else ""
        notices.append(Notice("scheduled_not_armed", Place(line=front.line_of(key), near=_as_written(front, key))))
        return Time(day, None, shown_at, bool(len(notices) > 1), tuple(notices))
    return Time(day, instant, None, bool(notices), tuple(notices))


def _zone(settings: Settings, options: Options) -> ZoneInfo:
    """Return the time zone of what has no offset: the one asked for, else that of the site's settings."""
    if options.timezone.key == "UTC" and settings.timezone:
        try:
            return ZoneInfo(settings.timezone)
        except (ValueError, OSError):
            return options.timezone
    return options.timezone


def _is_expired(file: File, front: FrontMatter, zone: ZoneInfo, options: Options) -> bool:
    found = stamp_of(front, EXPIRES, file.name)
    return found is not None and instant_of(found[1], zone) <= options.now


def _expired(file: File, front: FrontMatter, zone: ZoneInfo, options: Options) -> tuple[Notice, ...]:
    if not _is_expired(file, front, zone, options):
        return ()
    found = stamp_of(front, EXPIRES, file.name)
    assert found is not None
    return (Notice("expired", Place(line=front.line_of(found[0]), near=_as_written(front, found[0]))),)


def _as_written(front: FrontMatter, key: str) -> str:
    return front.spelled.get(key, key)


def people_of(front: FrontMatter, known: dict[str, dict[str, Value]]) -> list[Person]:
    """Return the authors, in order. `known` is what the site says of them, by key."""
    found: list[Person] = []
    for key in ("authors", "author", "byline", "by"):
        value = front.values.get(key)
        for each in value if isinstance(value, list) else [value]:
            person = _person(each, known)
            if person is not None and all(person.key != other.key for other in found):
                found.append(person)
        if found:
            break
    return found


def _person(value: Value, known: dict[str, dict[str, Value]]) -> Person | None:
    if isinstance(value, dict):
        key = text_of(value.get("key"))
        if key and key in known:
            return _person(key, known)
        name = text_of(value.get("name")) or text_of(value.get("title")) or key
        email = text_of(value.get("email"))
        return Person(email.lower() or key or name.lower(), name, email) if name else None
    key = text_of(value)
    if not key:
        return None
    said = known.get(key)
    if said is None:
        return Person(key.lower(), key)
    email = text_of(said.get("email"))
    return Person(key, text_of(said.get("name")) or text_of(said.get("display_name")) or key, email)


def terms_of(front: FrontMatter, *keys: str, separators: str = "") -> list[Term]:
    """Return categories or tags in order, each once. Jekyll parts one text at blanks or commas: `separators`."""
    found: dict[str, Term] = {}
    for key in keys:
        value = front.values.get(key)
        if isinstance(value, list):
            names: list[Any] = [
                text_of(each.get("label")) if isinstance(each, dict) else text_of(each) for each in value
            ]
        else:
            names = texts_of(value, separators=separators)
        for name in names:
            if name:
                found.setdefault(name.lower(), Term(to_slug(name), name))
    return list(found.values())


def picture_in(front: FrontMatter) -> tuple[str, str, str, str] | None:
    """Return address, alternative text, caption and key of the picture that stands above an article."""
    values = front.values
    for key in PICTURES:
        value = values.get(key)
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, dict):
            address = next((text for name in INSIDE if (text := text_of(value.get(name)))), "")
            alt = next((text for name in ALTS if (text := text_of(value.get(name)))), "")
            caption = text_of(value.get("caption")) or text_of(value.get("credit"))
        else:
            address, alt, caption = (
                text_of(value),
                "",
                text_of(values.get(f"{key}caption")) or text_of(values.get(f"{key}_caption")),
            )
        if address.lower() in ("true", "false"):
            continue
        if address:
            names = (f"{key}alt", f"{key}_alt", f"{key}-alt", "image_alt", "imagealt", "coveralt", "alt")
            alt = alt or next((text for name in names if (text := text_of(values.get(name)))), "")
            return address, alt, caption, key
    return None


def is_draft(front: FrontMatter, file: File) -> bool:
    """Whether the front matter, or the folder, keeps an item from being built."""
    values = front.values
    if truth_of(values.get("draft")) or truth_of(values.get("isdraft")):
        return True
    status = text_of(values.get("status")).lower()
    if status in ("draft", "private", "hidden", "pending"):
        return True
    for key in ("published", "publish", "public"):
        if key in values and text_of(values[key]).lower() in ("false", "no", "off", "0"):
            return True
    build = values.get("build") or values.get("_build")
    if isinstance(build, dict) and text_of(build.get("render")).lower() in ("never", "false"):
        return True
    return "_drafts" in file.name.split("/")
