"""An export into the database, through the verbs that editors use: all of it in one transaction, or nothing.

Reading, planning and storing of pictures come before that transaction, so that it is short: while it is open, the feed
tells nobody of what others change.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from articles.addresses import keep_old_address
from articles.importing.accounts import importer
from articles.markup import wanted
from articles.models import Article, Author, Edition, ImportedItem, Tag
from articles.moving import people
from articles.moving.items import Export, Item, Notice, Refused
from articles.moving.media import Media
from articles.moving.naming import key_of_picture
from articles.moving.people import Byline
from articles.moving.pictures import LONGEST_ALT, Album
from articles.moving.planning import Came, Plan, Planned, Standing, plan
from articles.moving.tagging import find_or_make_tags
from articles.records import find_records
from articles.services import (
    change_article,
    create_article,
    lock_linked,
    publish_article,
    review_article,
    submit_article,
)
from catalog.models import Rung, Section
from core.media.models import Image
from core.media.services import describe_image
from core.publishing.services import StaleDraft, database_now

RIGHTS = ("articles.review_article", "articles.publish_article")
# Two runs at once would both make what neither finds. Any number does, as long as nobody else locks it.
LOCK = 7_214_903_311
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_LOOKS = 4
"""How often names of pictures may come out other than planned; the second time they are known."""
Progress = Callable[[str, str], None]
"""Called with what is done ("Reading bodies", "Writing") and the label of an item."""


@dataclass
class Result:
    """What came of a run. `written` are new or changed items with their article; the rest says why not."""

    plan: Plan
    bylines: dict[str, Byline]
    actions: dict[str, str] = field(default_factory=dict)
    """By source id: created, changed, unchanged, kept (an editor changed it here), deleted (here), skipped."""
    notices: dict[str, list[Notice]] = field(default_factory=dict)
    published: set[str] = field(default_factory=set)
    supplied: list[str] = field(default_factory=list)
    """Names of pictures whose files came now."""
    is_dry_run: bool = False

    @property
    def writes(self) -> bool:
        """Whether the run wrote anything, or would have."""
        return bool(self.supplied) or any(action in ("created", "changed", "kept") for action in self.actions.values())


def may_publish(editor: User | None) -> bool:
    """Whether what comes in goes live on this account's word."""
    return editor is not None and editor.is_active and editor.has_perms(RIGHTS)


def bring(
    export: Export, *, editor: User | None, dry_run: bool = False, progress: Progress = lambda *_: None
) -> Result:
    """Write what is new or changed in `export`, and return what came of it. With `dry_run` nothing is written.

    `editor` approves; without the rights to review and publish, all ends as drafts. Raises Refused, after which there
    is not one row more than before.
    """
    with _only_run():
        return _Bringing(export, editor, dry_run, progress).run()


class _only_run:  # noqa: N801 - it reads as what it does
    """One import at a time; Refused says so to the second."""

    def __enter__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("select pg_try_advisory_lock(%s)", [LOCK])
            if not cursor.fetchone()[0]:
                raise Refused(
                    "import_is_running", "Another import is running. Wait for it, then run the command again."
                )

    def __exit__(self, *_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_unlock(%s)", [LOCK])


class _Bringing:
    """One run: what there was before it, and what it writes."""

    def __init__(self, export: Export, editor: User | None, dry_run: bool, progress: Progress) -> None:
        self.kind, self.site = export.site.kind, site_key(export.site.address)
        rows = ImportedItem.objects.filter(source_kind=self.kind, site=self.site).select_related("article")
        self._came = {row.source_id: row for row in rows}
        gone = {key for key, row in self._came.items() if row.article is None}
        own = _own_articles(export, frozenset(self._came))
        self.export = replace(
            export,
            items=tuple(
                _left_out(item, "deleted_here")
                if item.source_id in gone
                else _left_out(item, "own_article")
                if item.source_id in own
                else item
                for item in export.items
            ),
        )
        self.editor, self._dry_run, self._progress = editor, dry_run, progress
        self.album = Album(self.kind, self.site, Media(export.media))

    def run(self) -> Result:
        planned = self._plan()
        supplied = self._supplied(planned)
        if self._dry_run:
            return self._result(planned, supplied)
        try:
            result = self._result(self._with_pictures(planned), supplied)
            if result.writes:
                with transaction.atomic():
                    self._write(result)
        except BaseException:
            self.album.take_back()
            raise
        return result

    def _result(self, planned: Plan, supplied: list[str]) -> Result:
        bylines = people.match(planned.people, kind=self.kind, site=self.site)
        result = Result(planned, bylines, supplied=supplied, is_dry_run=self._dry_run)
        for one in planned.items:
            result.notices[one.item.source_id] = list(one.notices)
            result.actions[one.item.source_id] = self._action(one)
        return result

    # Before the transaction

    def _plan(self) -> Plan:
        known = self.album.known()
        has_gaps = self.album.media.root is not None and not all(has_file for _, has_file in known.values())
        ids = [row.article_id for row in self._came.values()]
        live = set(Edition.objects.visible(database_now()).filter(article__in=ids).values_list("article_id", flat=True))
        standing = Standing(
            came={
                key: Came(row.article.slug, row.article_id in live, row.sha256)
                for key, row in self._came.items()
                if row.article is not None
            },
            slugs=frozenset(Article.objects.values_list("slug", flat=True))
            | frozenset(Edition.objects.exclude(live=None).values_list("slug", flat=True)),
            records=lambda body: find_records(wanted(body)).known,
            pictures=known,
            names=frozenset(Image.objects.values_list("name", flat=True)),
            reads_unchanged=has_gaps,
        )
        return plan(
            self.export,
            standing,
            may_publish=may_publish(self.editor),
            look=self.album.look,
            progress=lambda label: self._progress("Reading", label),
        )

    def _action(self, one: Planned) -> str:
        row = self._came.get(one.item.source_id)
        if row is not None and row.article is None:
            return "deleted"
        if row is not None and row.sha256 == one.item.digest:
            return "unchanged"
        if one.state == "skipped":
            return "skipped"
        if row is None:
            return "created"
        return "changed" if row.article and row.draft_version == row.article.draft_version else "kept"

    def _supplied(self, planned: Plan) -> list[str]:
        """Return the names of pictures that came without a file, and whose files are here now."""
        gaps = {key for key, (_, has_file) in self.album.known().items() if not has_file}
        shown = {key_of_picture(picture): (name, picture) for one in planned.items for name, picture in one.pictures}
        return [name for key, (name, picture) in shown.items() if key in gaps and self.album.fits(name, picture)]

    def _with_pictures(self, planned: Plan) -> Plan:
        """Store the pictures of what will be written, and return the plan, made anew where their names came out other.

        Only decoding tells that a file is no picture, and only the library that it has the same bytes under a name.
        """
        for _ in range(MOST_LOOKS):
            images: list[tuple[str, Image]] = []
            is_sound = True
            for key, (name, picture) in self._wanted_pictures(planned).items():
                self._progress("Storing pictures", name)
                image = self.album.store(name, picture)
                is_sound = is_sound and image is not None and image.name == name
                if image is not None:
                    images.append((key, image))
            self.album.remember(images)
            if is_sound:
                return planned
            planned = self._plan()
        return planned

    def _wanted_pictures(self, planned: Plan) -> dict[str, tuple[str, Any]]:
        found: dict[str, tuple[str, Any]] = {}
        known = self.album.known()
        for one in planned.items:
            is_written = self._action(one) in ("created", "changed")
            for name, picture in one.pictures:
                key = key_of_picture(picture)
                has_gap = key in known and not known[key][1] and self.album.fits(name, picture)
                if has_gap or (is_written and key not in known):
                    found.setdefault(key, (name, picture))
        return found

    # The transaction

    def _write(self, result: Result) -> None:
        writer, refusals = importer()
        if refusals:
            raise Refused(refusals[0].code, refusals[0].message)
        authors = people.make(result.bylines, kind=self.kind, site=self.site)
        items = [one for one in result.plan.items if result.actions[one.item.source_id] in ("created", "changed")]
        tags = find_or_make_tags(tag for one in items for tag in one.item.tags)
        sections = {row.slug: row for row in Section.objects.all()}
        images = {row.name: row for row in Image.objects.filter(name__in=[one.cover for one in items if one.cover])}
        for one in items:
            lead = images.get(one.cover)
            if lead is not None and not lead.alt:  # Another item brought it, without an alternative text.
                lead.alt = one.pictures[0][1].alt[:LONGEST_ALT]
                describe_image(lead.pk, alt=lead.alt)
        rungs = {row.slug: row for row in Rung.objects.all()}
        desk = _Desk(writer, self.editor, authors, tags, sections, rungs, images)
        made: dict[str, Article] = {}
        for one in items:
            self._progress("Writing", one.item.label)
            with _refusing(one):
                if result.actions[one.item.source_id] == "created":
                    made[one.item.source_id] = desk.create(one)
                else:
                    self._change(desk, one, result)
        live = [one for one in items if one.item.source_id in made and one.state == "published"]
        self._publish(desk, live, made, result)
        ImportedItem.objects.bulk_create(
            self._row(one, made[one.item.source_id]) for one in items if one.item.source_id in made
        )
        for key, row in self._came.items():
            if result.actions.get(key) == "kept":
                item = next(one.item for one in result.plan.items if one.item.source_id == key)
                result.notices[key].append(Notice("edited_here", item.place("item")))
                # Said once: the next run finds nothing new at the source.
                ImportedItem.objects.filter(pk=row.pk).update(sha256=item.digest, draft_version=row.draft_version)
        for one in items:
            self._keep_addresses(one, made, result)

    def _change(self, desk: "_Desk", one: Planned, result: Result) -> None:
        row = self._came[one.item.source_id]
        try:
            article = desk.change(row.article, one, based_on=row.draft_version)
        except StaleDraft:
            result.actions[one.item.source_id] = "kept"
            return
        ImportedItem.objects.filter(pk=row.pk).update(
            sha256=one.item.digest, draft_version=article.draft_version, publish_at=one.item.publish_at
        )

    def _publish(self, desk: "_Desk", live: list[Planned], made: dict[str, Article], result: Result) -> None:
        """Submit, approve and publish; together, so that they may link to each other."""
        editions = []
        for one in live:
            self._progress("Publishing", one.item.label)
            with _refusing(one):
                editions.append((one, desk.approve(made[one.item.source_id])))
        together = [made[one.item.source_id] for one in live]
        lock_linked([edition for _, edition in editions], together=together)
        for one, edition in editions:
            with _refusing(one):
                publish_article(edition, published_at=one.item.published_at, together=together)
            result.published.add(one.item.source_id)
            if one.links_are_cut:
                article = made[one.item.source_id]
                made[one.item.source_id] = change_article(
                    article, based_on=article.draft_version, by=desk.writer, fields={"body": one.body}
                )

    def _row(self, one: Planned, article: Article) -> ImportedItem:
        return ImportedItem(
            source_kind=self.kind,
            site=self.site,
            source_id=one.item.source_id,
            article=article,
            sha256=one.item.digest,
            draft_version=article.draft_version,
            publish_at=one.item.publish_at,
        )

    def _keep_addresses(self, one: Planned, made: dict[str, Article], result: Result) -> None:
        key = one.item.source_id
        article = made[key] if key in made else self._came[key].article
        if article is None:
            return
        for path in one.paths:
            try:
                keep_old_address(article, path)
            except ValidationError as error:
                result.notices[key].append(Notice(error.code or "address_taken", one.item.place("slug"), path))


@dataclass(frozen=True)
class _Desk:
    """Who writes and who approves, and the records that drafts name."""

    writer: User
    editor: User | None
    authors: dict[str, Author]
    tags: dict[str, Tag]
    sections: dict[str, Section]
    rungs: dict[str, Rung]
    images: dict[str, Image]

    def create(self, one: Planned) -> Article:
        """Write the draft of a new article. Of one that goes live, what readers get is written first."""
        body = one.public_body if one.state == "published" else one.body
        note = ""
        if one.state == "draft" and one.item.published_at is not None:
            instant = f"{one.item.published_at:%Y-%m-%d at %H:%M} UTC"
            note = f"The old site published this on {instant}."
        if one.item.publish_at is not None:
            instant = f"{one.item.publish_at:%Y-%m-%d at %H:%M} UTC"
            note = f"The old site was to publish this on {instant}. Nothing is scheduled."
        return create_article(
            by=self.writer,
            title=one.title,
            slug=one.slug,
            dek=one.dek,
            body=body,
            note=note,
            **self._records(one),
            authors=self._authors(one),
            tags=self._tags(one),
        )

    def change(self, article: Article | None, one: Planned, *, based_on: int) -> Article:
        """Write what the source says now into the draft. Its address stays, and what readers see."""
        assert article is not None
        return change_article(
            article,
            based_on=based_on,
            by=self.writer,
            fields={
                "title": one.title,
                "dek": one.dek,
                "body": one.body,
                **self._records(one),
            },
            authors=self._authors(one),
            tags=self._tags(one),
        )

    def _records(self, one: Planned) -> dict[str, Any]:
        """Return what a draft refers to, and what only another Plenum says."""
        values: dict[str, Any] = {
            "section": self.sections.get(one.section or ""),
            "image": self.images.get(one.cover),
        }
        if ours := one.item.ours:
            values["rung"] = self.rungs.get(ours.rung)
            values["explains"] = list(ours.explains)
            values["corrections"] = [dict(correction) for correction in ours.corrections]
        return values

    def approve(self, article: Article) -> Edition:
        assert self.editor is not None
        edition = submit_article(article, by=self.writer)
        return review_article(edition, by=self.editor, verdict="approved")

    def _authors(self, one: Planned) -> list[Author]:
        return list({self.authors[person.key].pk: self.authors[person.key] for person in one.item.authors}.values())

    def _tags(self, one: Planned) -> list[Tag]:
        found = {self.tags[tag.slug or tag.name] for tag in one.item.tags if (tag.slug or tag.name) in self.tags}
        return sorted(found, key=lambda tag: tag.slug)


class _refusing:  # noqa: N801 - it reads as what it does
    """A service's refusal of one item refuses the run, by the name and place of the item."""

    def __init__(self, one: Planned) -> None:
        self._one = one

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ValidationError) and not isinstance(error, StaleDraft):
            message = f"{self._one.item.label} “{self._one.title}”: {' '.join(error.messages)}"
            code = getattr(error, "code", None) or "invalid"
            raise Refused(code, message, line=self._one.item.place("item").line) from error


def site_key(address: str) -> str:
    """Return what identifies a site: host and path of its address, or the name of its folder."""
    bare = address.strip().partition("://")[2] or address.strip()
    return bare.strip("/").removeprefix("www.").lower()[:300]


def _left_out(item: Item, reason: str) -> Item:
    return replace(item, state="skipped", reason=reason, addresses=(), old_paths=())


def _own_articles(export: Export, came: frozenset[str]) -> frozenset[str]:
    """Return which items of an export of Plenum are articles of this database: they are here, and stay as they are."""
    if export.site.kind != "plenum":
        return frozenset()
    named = [item.source_id for item in export.items if item.source_id not in came and UUIDS.fullmatch(item.source_id)]
    return frozenset(str(pk) for pk in Article.objects.filter(pk__in=named).values_list("pk", flat=True))
