"""`read(path, options)`: a folder of Markdown, or one file of it, as an export."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from articles.markup.grammar import read_blocks, read_inline
from articles.markup.source import read_source
from articles.moving.addresses import host_of
from articles.moving.items import Export, Item, Notice, Options, Person, Picture, Place, Refused, Site, Term, each_of
from articles.moving.media import Media
from articles.moving.page import Page
from core.publishing.addresses import path_of

from .addresses import path_of_file, stem_of
from .bodies import Whole, _Here, write_body
from .decoding import decode
from .entries import CANONICAL, DEKS, Time, is_draft, people_of, picture_in, terms_of, time_of
from .files import File, beside_bundles, find_files
from .front_matter import BadFrontMatterError, FrontMatter, Value, split, text_of, texts_of, truth_of
from .plenum import read_plenum
from .sites import Settings, kind_of, read_people, read_settings, root_of

FRAGMENT = re.compile(r"(?:\]\(|href=[\"']?|ref\s+[\"'])[^)\s\"'>]*#([^)\s\"'>{}]+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that was read. `path` is the one under which it was shown, below the base of the site."""

    file: File
    front: FrontMatter
    digest: str
    time: Time
    path: str
    slug: str
    title: str


def read(path: Path, options: Options, *, kind: str = "") -> Export:
    """Return what a folder of Markdown, or one file, holds. Raises Refused; nothing is written then."""
    root = path.resolve() if path.is_dir() else root_of(path)
    kind = kind or options.flavour or kind_of(root)
    if kind == "plenum":
        return read_plenum(root, options)
    settings = read_settings(root, kind, options.site)
    if path.is_dir():
        files = find_files(root, kind, options.folders)
    else:
        files = [File(path.resolve().relative_to(root).as_posix(), path.resolve())]
    parts = beside_bundles(files) if kind == "hugo" else set()
    known = read_people(root, kind)
    articles = [file for file in files if file.is_article and file.name not in parts]
    entries = each_of(lambda file: _entry(file, settings, options), articles)
    whole = Whole(
        settings,
        Media(root),
        host_of(settings.address),
        {entry.file.name: entry.path for entry in entries if entry.path},
        frozenset(unquote(found[1]) for entry in entries for found in FRAGMENT.finditer(entry.front.body)),
    )
    by_name = {entry.file.name: entry for entry in entries}
    items = each_of(
        lambda file: _item(by_name[file.name], whole, options, known) if file.name in by_name else _skipped(file),
        files,
    )
    people: dict[str, Person] = {}
    for item in items:
        for person in item.authors:
            people.setdefault(person.key, person)
    hosts = frozenset({whole.host} - {""})
    return Export(Site(kind, settings.address, hosts), tuple(items), tuple(people.values()), root)


def _skipped(file: File) -> Item:
    return Item(file.name, file.name, "skipped", reason="not_an_article", places={"item": Place(line=1)})


def _entry(file: File, settings: Settings, options: Options) -> Entry:
    data = file.path.read_bytes()
    text = decode(data, file.name)
    try:
        front = split(text)
    except BadFrontMatterError as error:
        raise Refused(error.code, str(error), file=file.name, line=error.line) from None
    title = text_of(front.values.get("title"))
    if not front.kind:
        title, body = _without_title(front.body)
        front = replace(front, body=body)
    time = time_of(file, front, settings, options)
    slug = text_of(front.values.get("slug"))
    path = path_of_file(
        file,
        settings,
        slug=slug,
        title=title,
        url=text_of(front.values.get("url"))
        or text_of(front.values.get("permalink"))
        or (slug if slug.startswith("/") and settings.kind != "docusaurus" else ""),
        day=time.day,
        categories=[term.name for term in _categories(file, front, settings)],
    )
    return Entry(file, front, hashlib.sha256(data).hexdigest(), time, path, slug, title)


def _without_title(body: str) -> tuple[str, str]:
    """Return the first `h1` of a text without front matter, and the text without it. Its lines stay where they are."""
    source = read_source(body)
    tokens, _, env = read_blocks(source)
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1" and token.map is not None and token.level == 0:
            children = read_inline(tokens[index + 1].content, env)
            title = "".join(
                child.content for child in children if child.type in ("text", "text_special", "code_inline")
            )
            lines = body.split("\n")
            begin, end = token.map
            lines[begin:end] = [""] * (end - begin)
            return " ".join(title.split()), "\n".join(lines)
    return "", body


def _categories(file: File, front: FrontMatter, settings: Settings) -> Sequence[Term]:
    separators = " \t" if settings.kind == "jekyll" else ""
    found = terms_of(front, "categories", "category", "section", separators=separators)
    if settings.kind == "jekyll":
        folders = file.folder.split("/")
        at = next((folders.index(name) for name in ("_posts", "_drafts") if name in folders), 0)
        # Folders around _posts are categories.
        found = [*terms_of(replace(front, values={"categories": list(folders[:at])}), "categories"), *found]
    return found


def _item(entry: Entry, whole: Whole, options: Options, known: dict[str, dict[str, Value]]) -> Item:
    file, front, time, settings = entry.file, entry.front, entry.time, whole.settings
    notices = list(time.notices)
    state, was_public = "published", True
    if is_draft(front, file) or truth_of(front.values.get("unlisted")):
        state, was_public = "draft", False
        if truth_of(front.values.get("unlisted")) and not is_draft(front, file):
            notices.append(Notice("restricted_source", _place(front, "unlisted")))
    if time.publish_at is not None:
        state, was_public = "draft", False
    if time.is_expired:
        state = "draft"
    if not front.kind:
        state = "draft"
        notices.append(Notice("front_matter_missing", Place(line=1)))
    canonical = next((text for key in CANONICAL if (text := text_of(front.values.get(key)))), "")
    if canonical and host_of(canonical) and host_of(canonical) != whole.host:
        key = next(key for key in CANONICAL if text_of(front.values.get(key)))
        notices.append(Notice("canonical_elsewhere", _place(front, key), dropped=canonical))
    here = _Here(whole, file, front, entry.path)
    base = settings.base
    paths = [base + entry.path] if entry.path else []
    aliases = [base + path for path in _aliases(entry, settings)]
    separators = " \t" if settings.kind == "jekyll" else ""
    return Item(
        source_id=file.name,
        label=file.name,
        state=state,  # type: ignore[arg-type]
        title=entry.title,
        slug=_slug(entry, settings),
        dek=next((text for key in DEKS if (text := text_of(front.values.get(key)))), ""),
        published_at=time.published_at if state == "published" else None,
        publish_at=time.publish_at,
        authors=tuple(people_of(front, known)),
        categories=tuple(_categories(file, front, settings)),
        tags=tuple(terms_of(front, "tags", "tag", "keywords", separators=separators)),
        picture=_featured(front, here),
        addresses=tuple(dict.fromkeys([*paths, *aliases, *(whole.address(path) for path in paths)])),
        old_paths=tuple(dict.fromkeys([*paths, *aliases])) if was_public else (),
        notices=tuple(notices),
        places={
            "item": Place(line=1),
            "title": _place(front, "title"),
            "slug": _place(front, "slug"),
            "date": _place(front, "date", "pubdate"),
            "author": _place(front, "authors", "author"),
            "section": _place(front, "categories", "category", "tags"),
            "picture": _place(front, *_picture_keys(front)),
            "body": Place(line=front.body_line),
        },
        write=lambda page: _write(page, entry, whole),
        digest=_digest(entry, known, front),
    )


def _write(page: Page, entry: Entry, whole: Whole) -> str:
    return write_body(page, whole, entry.file, entry.front, entry.path)


def _place(front: FrontMatter, *keys: str) -> Place:
    key = next((key for key in keys if key in front.lines), "")
    return Place(line=front.line_of(*keys), near=front.spelled.get(key, key))


def _picture_keys(front: FrontMatter) -> Sequence[str]:
    found = picture_in(front)
    return (found[3],) if found else ()


def _slug(entry: Entry, settings: Settings) -> str:
    """Return the slug that the source has for it: its own, else the name of the file."""
    if entry.slug:
        return entry.slug.strip("/").rpartition("/")[2]
    if settings.kind == "docusaurus":
        return stem_of(entry.file, "docusaurus")
    return stem_of(entry.file, settings.kind)


def _aliases(entry: Entry, settings: Settings) -> Iterable[str]:
    values = entry.front.values
    folder = entry.path.rstrip("/").rpartition("/")[0]
    for key in ("aliases", "redirect_from", "redirects"):
        for written in texts_of(values.get(key)):
            # Hugo reads one without a slash from the folder of the page on.
            yield path_of(written) if written.startswith(("/", "http")) else f"{folder}/{written}"


def _featured(front: FrontMatter, here: _Here) -> Picture | None:
    found = picture_in(front)
    if found is None:
        return None
    address, alt, caption, _ = found
    picture = here.picture(address)
    return replace(picture, alt=alt, caption=caption) if picture is not None else None


def _digest(entry: Entry, known: dict[str, dict[str, Value]], front: FrontMatter) -> str:
    """Return the hash of all that the site says of the item; of its authors, what stands in their own file."""
    said = "".join(f"\0{person.key}\0{person.name}" for person in people_of(front, known))
    return hashlib.sha256(f"{entry.digest}{said}".encode()).hexdigest()
