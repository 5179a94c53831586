"""What becomes of an export: slugs, sections, states, bodies and all that an editor must know. Nothing is written here.

The rules are those of docs/moving.md, the same for every format.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from articles.markup import Document, Record, parse
from articles.markup.records import Kind, Records
from articles.moving.instants import is_implausible
from articles.moving.items import Export, Item, Notice, Person, Picture
from articles.moving.naming import PictureNames, key_of_picture
from articles.moving.page import Page, Pictured
from articles.moving.plans import Plan, Planned, Standing, skipped
from articles.moving.sections import section_of
from articles.moving.slugs import numbered, wanted_slug
from articles.moving.targets import OldSite
from core.publishing.addresses import path_of

LONGEST_TITLE, LONGEST_DEK, LONGEST_BODY, LONGEST_TAG = 300, 500, 300_000, 80
SEVERAL = re.compile(r"\s+")


def plan(
    export: Export,
    standing: Standing,
    *,
    may_publish: bool,
    look: Callable[[Picture], tuple[Pictured, tuple[str, ...]]],
    progress: Callable[[str], None] = lambda label: None,
) -> Plan:
    """Return what becomes of `export`. `look(picture)` says whether its bytes are at hand, and how its name may end."""
    run = _Run(export, standing, may_publish=may_publish, look=look)
    written = []
    for item in run.items:
        progress(item.label)
        before = standing.came.get(item.source_id)
        if before is None or before.digest != item.digest or standing.reads_unchanged:
            written.append(run.write(item))
    finished = {one.item.source_id: one for one in run.finish(written)}
    items = tuple(finished.get(item.source_id) or skipped(item, run.unchanged(item)) for item in export.items)
    return Plan(export, items, _people(export, finished.values()), run.names)


def _people(export: Export, items: Iterable[Planned]) -> tuple[Person, ...]:
    """Return those who wrote something that came, in the order of the source's list, then of their work."""
    wrote = {person.key: person for one in items for person in one.item.authors if one.state != "skipped"}
    listed = {person.key: person for person in export.people if person.key in wrote}
    return tuple((listed | {key: person for key, person in wrote.items() if key not in listed}).values())


@dataclass
class _Draft:
    """An item whose body was written, before it is known what readers will find."""

    item: Item
    state: str
    title: str
    notices: list[Notice]
    body: str
    page: Page
    dead_anchors: frozenset[str] = frozenset()


class _Run:
    """The items of one run, by id and address. It answers what pages ask (page.Run)."""

    def __init__(
        self,
        export: Export,
        standing: Standing,
        *,
        may_publish: bool,
        look: Callable[[Picture], tuple[Pictured, tuple[str, ...]]],
    ) -> None:
        self.export, self._standing, self._may_publish = export, standing, may_publish
        self.names = PictureNames(standing.pictures, standing.names, look)
        self.items = [item for item in export.items if item.state != "skipped"]
        self.notices: dict[str, list[Notice]] = {item.source_id: list(item.notices) for item in self.items}
        self.slugs = self._choose_slugs()
        self._site = OldSite(export, self.items, self.slugs)
        self._unlinked: frozenset[str] = frozenset()

    # What a page asks

    def target(self, address: str, holder: Item) -> tuple[str, Item | None]:
        return self._site.target(address, holder)

    def is_within(self, address: str) -> bool:
        return self._site.is_within(address)

    def is_unlinked(self, item: Item) -> bool:
        return item.source_id in self._unlinked

    def picture(self, picture: Picture) -> tuple[str, Pictured]:
        return self.names.take(picture)

    def unchanged(self, item: Item) -> str:
        return "unchanged" if item.source_id in self._standing.came else ""

    # What becomes of an item

    def _choose_slugs(self) -> dict[str, str]:
        """Return a slug for each item: what came keeps its own; else the published one, then the earlier, wins."""
        came = {item.source_id: self._standing.came[item.source_id] for item in self.items if self._came(item)}
        slugs = {source_id: before.slug for source_id, before in came.items()}
        taken = set(self._standing.slugs) | set(slugs.values())
        losers: list[tuple[Item, str]] = []
        new = [item for item in self.items if item.source_id not in came]
        for item in sorted(new, key=lambda item: item.state != "published"):
            wanted, is_changed = (item.slug, False) if item.ours else self._wanted_slug(item)
            if is_changed:
                self._note(item, "slug_changed", "slug", dropped=item.slug)
            if wanted in taken:
                losers.append((item, wanted))
                continue
            taken.add(wanted)
            slugs[item.source_id] = wanted
        for item, wanted in losers:
            slugs[item.source_id] = numbered(wanted, taken)
            taken.add(slugs[item.source_id])
            self._note(item, "duplicate_slug", "slug")
        return slugs

    def _wanted_slug(self, item: Item) -> tuple[str, bool]:
        return wanted_slug(item.slug, item.title, kind=self.export.site.kind, source_id=item.source_id)

    def _came(self, item: Item) -> bool:
        return item.source_id in self._standing.came

    def _note(self, item: Item, code: str, of: str, *, dropped: str = "") -> None:
        self.notices[item.source_id].append(Notice(code, item.place(of), dropped))

    def write(self, item: Item) -> _Draft:
        """Write the body of an item and judge it: what is wrong with it keeps it a draft."""
        state, title = item.state, item.title.strip() if item.ours else SEVERAL.sub(" ", item.title).strip()
        if not title and not item.ours:
            title = _title_of(self.slugs[item.source_id])
            state = "draft"
            self._note(item, "title_missing", "title")
        if len(title) > LONGEST_TITLE:
            self._note(item, "title_shortened", "title", dropped=title)
            title = _shortened(title, LONGEST_TITLE)
        if any(not person.is_known for person in item.authors):
            self._note(item, "author_unknown", "author")
        if item.published_at is not None and is_implausible(item.published_at):
            self._note(item, "implausible_date", "date")
        draft = self._written(item, state, title, frozenset())
        document = self._judge(draft)
        dead = frozenset(
            unquote(link[1:]) for link in _anchors_of(draft.body) if unquote(link[1:]) not in _anchors(document)
        )
        if dead and any(error.code == "dangling_anchor" for error in document.errors):
            # An anchor of what was not a heading is gone with it: the words of the link stay.
            draft = self._written(item, state, title, dead)
            draft.notices.append(Notice("link_unresolved", item.place("body"), ", ".join(f"#{name}" for name in dead)))
            document = self._judge(draft)
        if not draft.body.strip():
            draft.state = "draft"
            draft.notices.append(Notice("body_empty", item.place("body")))
        self._take_errors(draft, document)
        return draft

    def _written(self, item: Item, state: str, title: str, dead: frozenset[str]) -> _Draft:
        page = Page(self, item, dead_anchors=dead)
        notices = [*self.notices[item.source_id]]
        body = _body(item, page)
        return _Draft(item, state, title, [*notices, *page.notices], body, page, dead)

    def _judge(self, draft: _Draft) -> Document:
        # Nothing that a body was translated to names a record, so they are looked up for those of Plenum only.
        records = self._standing.records if draft.item.ours else None
        known = records(draft.body) if records else None
        names = {name for name, _ in draft.page.pictures}
        return parse(draft.body, _Brought(set(self.slugs.values()), names, known))

    def _take_errors(self, draft: _Draft, document: Document) -> None:
        """List the errors of the markup as notices. They keep an item from going live."""
        places = iter(draft.page.without_alt)
        for error in document.errors:
            draft.state = "draft"
            if error.code == "missing_alt":
                draft.notices.append(Notice(error.code, next(places, draft.item.place("body"))))
            else:
                place = draft.page.place_of_line(error.line) or draft.item.place("body")
                draft.notices.append(Notice(error.code, place, error.message))

    def finish(self, drafts: list[_Draft]) -> list[Planned]:
        """Return the items with the state in which they end, and with links only to what readers will find."""
        ends = {source_id: before.is_live for source_id, before in self._standing.came.items()}
        ends |= {draft.item.source_id: self._ends_live(draft) for draft in drafts}
        self._unlinked = frozenset(source_id for source_id, is_live in ends.items() if not is_live)
        paths = self._share_paths(drafts)
        return [self._finished(draft, ends[draft.item.source_id], paths) for draft in drafts]

    def _ends_live(self, draft: _Draft) -> bool:
        came = self._standing.came.get(draft.item.source_id)
        return came.is_live if came else draft.state == "published" and self._may_publish

    def _finished(self, draft: _Draft, is_live: bool, paths: Mapping[str, Item]) -> Planned:
        item = draft.item
        notices = list(draft.notices)
        dead = [place for target, place in draft.page.links if self.is_unlinked(target)]
        notices += [Notice("link_not_live", place) for place in dead]
        public = draft.body
        if dead and is_live:
            public = _body(item, Page(self, item, dead_anchors=draft.dead_anchors))
        section, is_ambiguous = section_of(item.categories, item.tags)
        if item.ours:
            section, is_ambiguous = item.ours.section or None, False
        if is_ambiguous:
            notices.append(Notice("section_ambiguous", item.place("section")))
        dek = item.dek.strip() if item.ours else SEVERAL.sub(" ", item.dek).strip()
        if len(dek) > LONGEST_DEK:
            notices.append(Notice("dek_shortened", item.place("dek"), dek))
            dek = _shortened(dek, LONGEST_DEK)
        if len(draft.body) > LONGEST_BODY:
            return skipped(replace(item, notices=tuple(notices)), "too_long")
        pictures = list(draft.page.pictures)
        cover = public_cover = ""
        if item.picture is not None:
            cover, state = self.names.take(item.picture)
            if state == "refused":
                notices.append(Notice("image_refused", item.place("picture"), item.picture.address))
            else:
                shown = item.picture.file not in {picture.file for _, picture in pictures}
                if state == "missing" and shown:
                    notices.append(Notice("image_missing", item.place("picture")))
                alt = _alt_of(item.picture, pictures)
                public_cover = cover if alt else ""
                if not alt:
                    notices.append(Notice("lead_image_held_back", item.place("picture")))
                pictures.insert(0, (cover, replace(item.picture, alt=alt)))
        return Planned(
            item=item,
            state=draft.state if draft.state == "draft" or self._may_publish else "draft",
            slug=self.slugs[item.source_id],
            title=draft.title,
            dek=dek,
            section=section,
            body=draft.body,
            public_body=public,
            pictures=tuple(pictures),
            cover=cover,
            public_cover=public_cover,
            notices=tuple(notices),
            paths=tuple(path for path in _paths(item) if paths[path] is item),
        )

    def _share_paths(self, drafts: list[_Draft]) -> dict[str, Item]:
        """Return which item each old path leads to: the one that was published, then the earlier."""
        owners: dict[str, Item] = {}
        for draft in sorted(drafts, key=lambda draft: draft.item.state != "published"):
            for path in _paths(draft.item):
                if owners.setdefault(path, draft.item) is not draft.item:
                    draft.notices.append(Notice("address_taken", draft.item.place("slug"), path))
        return owners


def _alt_of(lead: Picture, pictures: Iterable[tuple[str, Picture]]) -> str:
    """Return the alternative text of a lead image; where it has none, that with which the text shows the same file."""
    key = key_of_picture(lead)
    texts = [lead.alt, *(picture.alt for _, picture in pictures if key_of_picture(picture) == key)]
    return next((text for text in texts if text.strip()), "")


class _Brought:
    """Records of the database, and what the run brings."""

    def __init__(self, slugs: set[str], names: set[str], known: Records | None) -> None:
        self._slugs, self._names, self._known = slugs, names, known

    def find(self, kind: Kind, key: str) -> Record | None:
        if (kind == "article" and key in self._slugs) or (kind == "image" and key in self._names):
            return Record(key)
        return self._known.find(kind, key) if self._known else None


def _body(item: Item, page: Page) -> str:
    """Return the body of an item, with one line feed at its end; one that is ours as it is."""
    body = item.write(page)
    if item.ours:
        return body
    body = body.strip("\n")
    return f"{body}\n" if body else ""


def _paths(item: Item) -> list[str]:
    paths = (path_of(path) for path in item.old_paths)
    return list(dict.fromkeys(path for path in paths if path not in ("", "/")))


def _title_of(slug: str) -> str:
    words = SEVERAL.sub(" ", slug.replace("-", " ").replace("_", " ")).strip()
    return words[:1].upper() + words[1:]


def _shortened(text: str, longest: int) -> str:
    """Return `text` cut between words, with an ellipsis."""
    cut = text[: longest - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut else cut}…"


def _anchors(document: Document) -> set[str]:
    return {entry.anchor for entry in document.toc}


def _anchors_of(body: str) -> list[str]:
    """Return the targets of links within the page."""
    return [found[1] or found[2] for found in re.finditer(r"\]\((?:<(#[^>]*)>|(#[^\s)]*))\)", body)]
