"""The address under which a file was shown, by the rules of what made the site."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from articles.moving.slugs import to_slug

from .files import DAY_BEFORE, POST_NAME, File
from .sites import Settings

TOKEN = re.compile(r":([a-z_]+)")
# What Jekyll's own names for patterns stand for (jekyllrb.com/docs/permalinks/).
JEKYLL_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "weekdate": "/:categories/:year/W:week/:short_day/:title.html",
    "none": "/:categories/:title.html",
}


def stem_of(file: File, kind: str) -> str:
    """Return what of the name of a file becomes a part of its address: without the date that a post begins with."""
    if kind in ("jekyll", "docusaurus"):
        found = POST_NAME.fullmatch(file.stem)
        return found[4] if found else file.stem
    return file.stem


def path_of_file(
    file: File,
    settings: Settings,
    *,
    slug: str,
    title: str,
    url: str,
    day: datetime | None,
    categories: Sequence[str] = (),
) -> str:
    """Return the path, without the base of the site, under which `file` was shown; "" where nothing says it.

    `url` is what the front matter says of it, `slug` as well; `day` is local.
    """
    kind = settings.kind
    if kind == "hugo":
        return _hugo(file, settings, slug, title, url, day)
    if kind == "jekyll":
        return _jekyll(file, url or settings.permalinks[""], slug, day, categories)
    if url.startswith("/"):
        return url
    if kind == "docusaurus":
        return _docusaurus(file, settings.permalinks[""], slug)
    if kind == "astro":
        return _astro(file, slug)
    return ""


def _hugo(file: File, settings: Settings, slug: str, title: str, url: str, day: datetime | None) -> str:
    parts = PurePosixPath(file.name).parent.parts
    parts = parts[1:] if parts[:1] == ("content",) else parts
    sections = parts[:-1] if file.is_bundle else parts
    name = slug or file.stem
    if url:
        pattern = url if url.startswith("/") else f"/{url}"
    else:
        section = sections[0] if sections else ""
        pattern = settings.permalinks.get("/".join(sections)) or settings.permalinks.get(section) or ""
    if not pattern:
        ending = ".html" if settings.has_ugly_addresses else "/"
        return "/" + "/".join(_urlized(part) for part in (*sections, name)) + ending
    words = _dates(day) | {
        "section": sections[0] if sections else "",
        "sections": "/".join(sections),
        "title": title,
        "slug": name,
        "filename": file.stem,
        "slugorfilename": name,
        "contentbasename": file.stem,
        "slugorcontentbasename": name,
    }
    return re.sub(
        "/+", "/", _filled(pattern, {key: "/".join(map(_urlized, word.split("/"))) for key, word in words.items()})
    )


def _urlized(text: str) -> str:
    """Return a part of an address as Hugo makes it: lower case, blanks as hyphens, letters of any script."""
    text = re.sub(r"\s+", "-", text.strip().lower())
    return "".join(
        letter for letter in text if letter.isalnum() or letter in "-._~+#@:" or unicodedata.combining(letter)
    )


def _jekyll(file: File, pattern: str, slug: str, day: datetime | None, categories: Sequence[str]) -> str:
    name = slug or stem_of(file, "jekyll")
    words = _dates(day) | {
        "title": to_slug(name) or name,
        "slug": to_slug(name) or name,
        "name": name,
        "categories": "/".join(category.strip().lower().replace(" ", "-") for category in categories),
        "collection": "posts",
        "path": name,
        "basename": file.stem,
        "output_ext": ".html",
    }
    path = _filled(JEKYLL_STYLES.get(pattern, pattern), words)
    return re.sub("/+", "/", f"/{path}")


def _docusaurus(file: File, route: str, slug: str) -> str:
    if slug:
        return route + slug.strip("/") + "/"
    inside = PurePosixPath(file.name)
    inside = inside.parent if file.is_bundle else inside.with_suffix("")
    path = "/".join(inside.parts[1:])
    found = DAY_BEFORE.search(path)
    if found:
        path = f"{path[: found.start()]}{found[1]}/{found[2].zfill(2)}/{found[3].zfill(2)}/{found[4]}"
    return f"{route}{path}/"


def _astro(file: File, slug: str) -> str:
    path = PurePosixPath(file.name)
    parts = (path.parent if file.is_bundle else path.with_suffix("")).parts
    inside = parts[2:] if parts[:1] == ("src",) else parts
    if slug:
        inside = (*inside[:1], slug.strip("/")) if len(inside) > 1 else (slug.strip("/"),)
    return "/" + "/".join(part.lower().replace(" ", "-") for part in inside) + "/"


def _dates(day: datetime | None) -> dict[str, str]:
    if day is None:
        return {}
    return {
        "year": f"{day.year:04}",
        "month": f"{day.month:02}",
        "day": f"{day.day:02}",
        "i_month": str(day.month),
        "i_day": str(day.day),
        "y_day": f"{day.timetuple().tm_yday:03}",
        "yearday": str(day.timetuple().tm_yday),
        "short_year": f"{day.year % 100:02}",
        "monthname": day.strftime("%B").lower(),
        "short_month": day.strftime("%b"),
        "long_month": day.strftime("%B"),
        "weekday": str(int(day.strftime("%w"))),
        "weekdayname": day.strftime("%A").lower(),
        "short_day": day.strftime("%a"),
        "long_day": day.strftime("%A"),
        "week": f"{day.isocalendar().week:02}",
        "hour": f"{day.hour:02}",
        "minute": f"{day.minute:02}",
        "second": f"{day.second:02}",
    }


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    return TOKEN.sub(lambda found: words.get(found[1], ""), pattern)
