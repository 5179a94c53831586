"""An export into the database, through the verbs that editors use: all of it in one transaction, or nothing.

Reading, planning and storing of pictures come before that transaction, so that it is short: while it is open, the feed
tells nobody of what others change.
"""

import re
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.db import connection

from articles.markup import wanted
from articles.models import Article, Edition, ImportedItem
from articles.moving import people
from articles.moving.items import Export, Item, Refused
from articles.moving.media import Media
from articles.moving.naming import key_of_picture
from articles.moving.pictures import Album
from articles.moving.planning import plan
from articles.moving.plans import Came, Plan, Planned, Standing
from articles.moving.results import Progress, Result
from articles.moving.writing import write
from articles.records import find_records
from core.media.models import Image
from core.publishing.services import database_now

RIGHTS = ("articles.review_article", "articles.publish_article")
# Two runs at once would both make what neither finds. Any number does, as long as nobody else locks it.
LOCK = 7_214_903_311
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_LOOKS = 4
"""How often names of pictures may come out other than planned; the second time they are known."""


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
                write(
                    result,
                    kind=self.kind,
                    site=self.site,
                    came=self._came,
                    editor=self.editor,
                    progress=self._progress,
                )
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
