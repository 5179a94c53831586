"""What `export_articles` wrote: articles that keep every byte of their body, with their authors, tags and pictures."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from articles.markup import wanted
from articles.markup.grammar import read_blocks, read_inline
from articles.markup.source import read_source
from articles.moving.folders.dates import read_stamp
from articles.moving.folders.decoding import decode
from articles.moving.folders.front_matter import BadFrontMatterError, FrontMatter, Value, split, text_of
from articles.moving.folders.sites import EXPORTED
from articles.moving.items import Export, Item, Options, Ours, Person, Picture, Place, Refused, Site, Term, each_of
from articles.moving.markdown.prose import Placed
from articles.moving.markdown.traced import Edit, Traced
from articles.moving.page import Page

VERSION = 1
ARTICLES, PICTURES = "articles", "images"
HEAD = re.compile(rb"\A---\r?\n.*?\n---\r?\n\r?\n?", re.DOTALL)
CORRECTION = ("said", "says", "on", "gravity")


def read_plenum(root: Path, options: Options) -> Export:
    """Return what an export of Plenum holds. Raises Refused."""
    _check_version(root)
    people = {text_of(row.get("slug")): row for row in _rows(root, "authors.yaml")}
    tags = {text_of(row.get("slug")): text_of(row.get("name")) for row in _rows(root, "tags.yaml")}
    pictures = {
        text_of(row.get("name")): Picture(
            file=text_of(row.get("name")),
            path=f"{PICTURES}/{text_of(row.get('name'))}",
            address=text_of(row.get("source_url")),
            alt=text_of(row.get("alt")),
            credit=text_of(row.get("credit")),
            licence=text_of(row.get("licence")),
            name=text_of(row.get("name")),
        )
        for row in _rows(root, "images.yaml")
    }
    persons = {
        slug: Person(
            slug, text_of(row.get("name")), "", True, slug, _long(row.get("bio")), text_of(row.get("homepage"))
        )
        for slug, row in people.items()
    }
    files = sorted((root / ARTICLES).glob("*.md")) if (root / ARTICLES).is_dir() else []
    read = each_of(lambda file: (file, *_read(file, root)), files)
    slugs = frozenset(text_of(front.values.get("slug")) for _, front, _ in read)
    items = each_of(
        lambda row: _item(row[0].relative_to(root).as_posix(), row[1], row[2], persons, tags, pictures, slugs), read
    )
    _refuse_twice(items)
    return Export(Site("plenum", ""), tuple(items), tuple(persons.values()), root)


def _check_version(root: Path) -> None:
    try:
        told = json.loads(decode((root / EXPORTED).read_bytes(), EXPORTED))
    except (OSError, json.JSONDecodeError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("version") != VERSION:
        message = f"{EXPORTED} does not say version {VERSION}. Export again with this version of Plenum."
        raise Refused("unknown_version", message, file=EXPORTED, line=1)


def _rows(root: Path, name: str) -> list[dict[str, Value]]:
    """Return the list of mappings in a YAML file; none where there is no file."""
    file = root / name
    if not file.is_file():
        return []
    text = "\n".join(f"  {line}" for line in decode(file.read_bytes(), name).split("\n"))
    try:
        rows = split(f"---\nrows:\n{text}\n---\n").values.get("rows")
    except BadFrontMatterError as error:
        raise Refused("bad_front_matter", str(error), file=name, line=max(1, error.line - 2)) from None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _read(file: Path, root: Path) -> tuple[FrontMatter, str]:
    """Return the front matter and the body, whose line ends are left as they are."""
    name = file.relative_to(root).as_posix()
    if not file.resolve().is_relative_to(root):
        raise Refused("path_outside_source", "This link leads out of the folder.", file=name)
    data = file.read_bytes()
    try:
        front = split(decode(data, name))
    except BadFrontMatterError as error:
        raise Refused(error.code, str(error), file=name, line=error.line) from None
    head = HEAD.match(data)
    if head is None or not text_of(front.values.get("id")) or not text_of(front.values.get("slug")):
        message = "An exported article begins with front matter that has at least id, title and slug."
        raise Refused("bad_front_matter", message, file=name, line=1)
    return front, data[head.end() :].decode("utf-8")


def _refuse_twice(items: list[Item]) -> None:
    seen: set[str] = set()
    for item in items:
        if item.source_id in seen:
            message = f"Two files claim the id {item.source_id}."
            raise Refused("duplicate_id", message, file=item.label, line=item.place("id").line)
        seen.add(item.source_id)


def _long(value: Value) -> str:
    """Return a text with its line ends."""
    return value if isinstance(value, str) else ""


def _texts(front: FrontMatter, key: str) -> list[str]:
    value = front.values.get(key)
    return [text for each in value if (text := text_of(each))] if isinstance(value, list) else []


def _item(
    name: str,
    front: FrontMatter,
    body: str,
    people: Mapping[str, Person],
    tags: Mapping[str, str],
    pictures: Mapping[str, Picture],
    slugs: frozenset[str],
) -> Item:
    values = front.values
    slug = text_of(values.get("slug"))
    is_live = text_of(values.get("status")) == "published"
    published_at = None
    if written := text_of(values.get("published_at")):
        try:
            published_at = read_stamp(written)
        except ValueError as error:
            line = front.line_of("published_at")
            raise Refused("bad_date", f"{written} is no date: {error}", file=name, line=line) from None
    places = {key: Place(line=front.line_of(key), near=key) for key in ("id", "title", "slug", "dek", "section")}
    image = text_of(values.get("image"))
    return Item(
        source_id=text_of(values.get("id")),
        label=name,
        state="published" if is_live else "draft",
        title=_long(values.get("title")),
        slug=slug,
        dek=_long(values.get("dek")),
        published_at=published_at if is_live else None,
        authors=tuple(people.get(one) or Person(one, one, slug=one) for one in _texts(front, "authors")),
        tags=tuple(Term(one, tags.get(one) or one) for one in _texts(front, "tags")),
        picture=pictures.get(image) or (Picture(image, name=image) if image else None),
        addresses=(f"/{slug}",),
        old_paths=tuple(_texts(front, "old_addresses")),
        places=places
        | {"item": Place(line=1), "date": Place(line=front.line_of("published_at"))}
        | {"picture": Place(line=front.line_of("image"), near=image), "body": Place(line=front.body_line)},
        write=lambda page: _write(page, body, front.body_line, pictures, slugs),
        digest=_digest(front, body, [pictures.get(one) for one in (image, *wanted(body).images)]),
        ours=Ours(
            text_of(values.get("section")),
            text_of(values.get("rung")),
            tuple(_texts(front, "explains")),
            tuple(_corrections(values.get("corrections"))),
        ),
    )


def _corrections(value: Value) -> list[dict[str, str]]:
    rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    return [{key: _long(row.get(key)) for key in CORRECTION} for row in rows]


def _digest(front: FrontMatter, body: str, pictures: list[Picture | None]) -> str:
    """Return the hash of the article. Of its pictures, what is said of them: their bytes never change under a name."""
    told: list[Any] = [front.values, body, [[p.name, p.alt, p.credit, p.licence] for p in pictures if p]]
    return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _write(page: Page, body: str, line: int, pictures: Mapping[str, Picture], slugs: frozenset[str]) -> str:
    """Return the body as it is, but for links to articles and names of pictures that are other ones here."""
    renamed: dict[str, str] = {}
    for name in wanted(body).images:
        if name in pictures:
            place = Place(line=line + body.count("\n", 0, max(0, body.find(name))), near=name)
            renamed[name] = page.bring(pictures[name], place)
    if any(new and new != old for old, new in renamed.items()):
        body = _renamed(body, {old: new for old, new in renamed.items() if new and new != old})
    return _relinked(page, body, line, slugs) if "article:" in body else body


def _renamed(body: str, names: Mapping[str, str]) -> str:
    """Return the body with other names of pictures, in directives and in images."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = re.compile(rf"(^:{{3,}} figure [^\n]*?\bsrc=\"?|!\[[^\]\n]*\]\(<?)({either})(?=[\s\">)])", re.MULTILINE)
    return found.sub(lambda match: match[1] + names[match[2]], body)


def _relinked(page: Page, body: str, line: int, slugs: frozenset[str]) -> str:
    """Return the body with its links to articles of the same export as they are called here."""
    source = read_source(body)
    if source.text.rstrip("\n") != body.rstrip("\n"):
        # Line ends of another kind: places in what the parser reads are not those of the body.
        return body
    tokens, _, env = read_blocks(source)
    edits: list[Edit] = []
    for token in tokens:
        if token.type != "inline" or "article:" not in token.content:
            continue
        place = Placed(token)
        for child in read_inline(token.content, env):
            if child.type != "link_open" or "label" not in child.meta:
                continue
            destination = child.meta["destination"]
            slug = destination.removeprefix("article:").partition("#")[0]
            if not destination.startswith("article:") or slug not in slugs:
                continue
            begin, end = place(child.meta["at"]), place.behind(child.meta["end"])
            if not page.leads_to_item(f"/{slug}"):
                # It is here already, and has the address that it had.
                continue
            where = Place(line=line + body.count("\n", 0, begin), near=body[begin:end])
            target = page.link(f"/{destination.removeprefix('article:')}", where)
            label_begin, label_end = place(child.meta["label"][0]), place(child.meta["label"][1])
            if not target:
                edits += [Edit(begin, label_begin, ""), Edit(label_end, end, "")]
            elif target != destination:
                edits.append(Edit(label_end, end, body[label_end:end].replace(destination, target, 1)))
    return Traced.of(body).edited(edits).text if edits else body
