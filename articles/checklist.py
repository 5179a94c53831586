"""What an editor would want to know before a draft is submitted: mistakes, which stand in the way, and advice.

Advice is only that: it is given where a reader would be worse off, and sparingly where it is a matter of taste.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal
from uuid import UUID

from django.db import models
from django.db.models import OuterRef, Subquery

from articles.freezing import mistakes_of, read_body
from articles.markup import Document
from articles.markup.survey import Passage, Survey, survey
from articles.models import Article, Edition
from articles.records import Found
from articles.unbound import MOST, Candidate, Typed, records_saying, typed_quantities
from core.media.models import Image
from core.publishing.services import database_now

LONGEST_TITLE = 90
LONGEST_DEK = 220
SHORTEST_DEK = 20
LONGEST_PARAGRAPH_WORDS = 200
LONGEST_SENTENCE_WORDS = 60
MOST_OF_ONE = 20
"""More of the same advice is no more help."""

VAGUE = {
    "here", "click here", "this", "this link", "this page", "this article", "link", "more", "read more", "see here",
    "learn more", "details", "page",
}  # fmt: skip
FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|webp|avif)", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?…:;][)”\"’]*(?=\s|$)")
WORD = re.compile(r"[^\W_][\w'’.,/-]*")

Level = Literal["error", "advice"]


@dataclass(frozen=True, slots=True, order=True)
class Advice:
    """What was noticed. `field` is that of the draft; line and column count from 1 in the body, and are 0 elsewhere."""

    line: int
    column: int
    field: str
    code: str
    message: str
    level: Level = "advice"

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.message}" if self.line else self.message


def advise(draft: Article, document: Document | None = None, found: Found | None = None) -> list[Advice]:
    """Return all that there is to say of `draft`, in order of place: first what is not of the body.

    What is an error stands in the way of submitting, and is just what `articles.freezing.check_draft` refuses; the
    mistakes of `document` are among it. `document` and `found` are what `read_body(draft.body)` gives, where it is at
    hand. The time grows with the length of the body; the statements do not.
    """
    if document is None or found is None:
        document, found = read_body(draft.body)
    errors = [
        Advice(mistake.line, mistake.column, mistake.field, mistake.code, mistake.message, "error")
        for mistake in mistakes_of(draft, document)
    ]
    return sorted([*errors, *_fields(draft), *_lead_image(draft), *_of_body(draft.body, found, draft.pk)])


def _of_body(body: str, found: Found, article_id: UUID | None) -> Iterator[Advice]:
    seen = survey(body)
    return _few(
        chain(
            _headings(seen),
            _link_texts(seen),
            _linked_articles(article_id, seen, found),
            _pictures(seen, found),
            _tables(seen),
            _embeds(seen, found),
            _lengths(seen.passages),
            _unbound(body, seen, found),
        )
    )


def _few(advice: Iterable[Advice]) -> Iterator[Advice]:
    counts: dict[str, int] = {}
    for one in advice:
        counts[one.code] = counts.get(one.code, 0) + 1
        if counts[one.code] <= (MOST if one.code == "unbound_quantity" else MOST_OF_ONE):
            yield one


def _fields(draft: Article) -> Iterator[Advice]:
    """Say what is missing but may be (readers get null for it), and what does not fit into a list."""
    for name in ("section", "rung"):
        if getattr(draft, f"{name}_id") is None:
            yield Advice(0, 0, name, f"missing_{name}", f"It has no {name}.")
    title, dek = draft.title.strip(), draft.dek.strip()
    if len(title) > LONGEST_TITLE:
        yield Advice(
            0,
            0,
            "title",
            "long_title",
            f"The title has {len(title)} characters; lists cut it at about 90.",
        )
    if not dek:
        yield Advice(0, 0, "dek", "missing_dek", "It has no dek.")
    elif len(dek) > LONGEST_DEK:
        yield Advice(
            0, 0, "dek", "long_dek", f"The dek has {len(dek)} characters. One sentence of up to {LONGEST_DEK} is read."
        )
    elif len(dek) < SHORTEST_DEK:
        yield Advice(0, 0, "dek", "short_dek", "The dek says little. Say in a sentence why one should read on.")
    if dek and dek.casefold() == title.casefold():
        yield Advice(0, 0, "dek", "dek_is_title", "The dek says what the title says.")
    if not draft.authorships.exists():
        yield Advice(0, 0, "authors", "missing_author", "It has no author.")


def _headings(seen: Survey) -> Iterator[Advice]:
    level = 1
    written: dict[str, int] = {}
    for heading in seen.headings:
        if not heading.text.strip():
            yield Advice(heading.line, heading.column, "body", "empty_heading", "This heading is empty.")
        if heading.level > level + 1:
            yield Advice(
                heading.line,
                heading.column,
                "body",
                "heading_skips",
                f"A heading of level {heading.level} follows one of level {level}: write {'#' * (level + 1)}."
                if level > 1
                else f"The first heading is of level {heading.level}: begin with ##.",
            )
        level = heading.level
        name = " ".join(heading.text.casefold().split())
        if name in written and not heading.own_anchor:
            yield Advice(
                heading.line,
                heading.column,
                "body",
                "heading_twice",
                f"Line {written[name]} has the same heading, so links tell the two apart by their order only. "
                "Write another, or give it an anchor of its own: {#…}.",
            )
        elif name:
            written.setdefault(name, heading.line)


def _link_texts(seen: Survey) -> Iterator[Advice]:
    for link in seen.links:
        text = link.text.casefold().strip(" .,:;!→»")
        if not text:
            code, message = "empty_link", "This link has no text: nobody can see it or follow it."
        elif link.is_bare:
            code, message = "bare_link", "Say where this leads: [the name of the document](address)."
        elif text in VAGUE:
            code, message = "vague_link", f"“{link.text}” says nothing of where it leads. Link the words that do."
        else:
            continue
        yield Advice(link.line, link.column, "body", code, message)


def _linked_articles(article_id: UUID | None, seen: Survey, found: Found) -> Iterator[Advice]:
    """Judge links to articles: whether readers find them today, and the heading that they name."""
    linked = [link for link in seen.links if link.target.kind == "article"]
    ids = {found.ids["article", link.target.slug] for link in linked if ("article", link.target.slug) in found.ids}
    ids -= {article_id}
    if not ids:
        return
    now = database_now()
    editions = Edition.objects.filter(article=OuterRef("pk"))
    rows = Article.objects.filter(pk__in=ids).annotate(
        toc=Subquery(Edition.objects.visible(now).filter(article=OuterRef("pk")).values("content__toc")[:1]),
        was_live=models.Exists(editions.filter(live__startswith__lte=now)),
        begins=Subquery(
            editions.filter(live__startswith__gt=now).order_by("live").values("live__startswith")[:1],
            output_field=models.DateTimeField(),
        ),
    )
    targets = {row.slug: row for row in rows}
    for link in linked:
        row = targets.get(link.target.slug)
        if row is None:
            continue
        if row.toc is not None:
            anchors = {entry["anchor"] for entry in row.toc}
            if not link.target.anchor or link.target.anchor in anchors:
                continue
            code = "dead_anchor"
            message = f"“{row}” has no heading with the anchor “{link.target.anchor}”. Readers land at its beginning."
        elif row.begins is not None:
            code = "link_to_scheduled"
            message = f"“{row}” is scheduled: this cannot go live before {row.begins:%Y-%m-%d %H:%M %Z}."
        elif row.was_live:
            code = "link_to_withdrawn"
            message = f"“{row}” was withdrawn: this cannot go live while it links to it."
        else:
            code = "link_to_draft"
            message = f"Readers do not find “{row}” yet: publish it before this, or with it."
        yield Advice(link.line, link.column, "body", code, message)


def _lead_image(draft: Article) -> Iterator[Advice]:
    lead = draft.image
    if lead is None:
        return
    for code, message in _of_image(lead, credit=lead.credit):
        yield Advice(0, 0, "image", code, message)


def _pictures(seen: Survey, found: Found) -> Iterator[Advice]:
    ids = {pk for (kind, _), pk in found.ids.items() if kind == "image"}
    images = {image.pk: image for image in Image.objects.filter(pk__in=ids)} if ids else {}
    for picture in seen.pictures:
        if picture.alt.strip() == picture.name or FILE_NAME.fullmatch(picture.alt.strip()):
            yield Advice(
                picture.line,
                picture.column,
                "body",
                "alt_is_name",
                "The alternative text is the name of a file. Say in a few words what the image shows.",
            )
        image = images.get(found.ids.get(("image", picture.name)))
        if image is not None:
            for code, message in _of_image(image, credit=picture.credit or image.credit):
                yield Advice(picture.line, picture.column, "body", code, message)


def _of_image(image: Image, *, credit: str) -> Iterator[tuple[str, str]]:
    if not image.file:
        yield "missing_file", f"The file of “{image.name}” is missing: readers see its alternative text."
    if not credit.strip():
        yield "missing_credit", f"“{image.name}” does not say who made it. Record its credit."
    if not image.licence.strip():
        yield "missing_licence", f"“{image.name}” does not say why we may show it. Record its licence."


def _tables(seen: Survey) -> Iterator[Advice]:
    for table in seen.tables:
        if not any(cell.strip() for cell in table.header):
            yield Advice(
                table.line,
                table.column,
                "body",
                "table_without_header",
                "The header of this table is empty: who hears it read out does not learn what the columns are.",
            )
        elif table.row_count == 0:
            yield Advice(table.line, table.column, "body", "empty_table", "This table has a header and no rows.")


def _embeds(seen: Survey, found: Found) -> Iterator[Advice]:
    """Say where a scenario is shown as what it is not: readers get nothing to see there."""
    for embed in seen.embeds:
        kind = found.scenario_kinds.get(embed.scenario, embed.name)
        if kind == embed.name:
            continue
        message = f"“{embed.scenario}” is of the kind {kind}: as a {embed.name} it shows readers nothing."
        yield Advice(embed.line, embed.column, "body", "scenario_of_another_kind", message)


def _lengths(passages: Iterable[Passage]) -> Iterator[Advice]:
    for passage in passages:
        if not passage.is_paragraph:
            continue
        words = sum(1 for _ in WORD.finditer(passage.text))
        if words > LONGEST_PARAGRAPH_WORDS:
            spot = passage.spot(0)
            yield Advice(
                spot.line, spot.column, "body", "long_paragraph", f"This paragraph has {words} words. Break it up."
            )
        if words <= LONGEST_SENTENCE_WORDS:
            continue
        begin = 0
        for end in [*(match.end() for match in SENTENCE_END.finditer(passage.text)), len(passage.text)]:
            found = list(islice(WORD.finditer(passage.text, begin, end), LONGEST_SENTENCE_WORDS + 1))
            if len(found) > LONGEST_SENTENCE_WORDS:
                spot = passage.spot(found[0].start())
                yield Advice(
                    spot.line,
                    spot.column,
                    "body",
                    "long_sentence",
                    f"This sentence has more than {LONGEST_SENTENCE_WORDS} words. Make two of it.",
                )
            begin = end


def _unbound(body: str, seen: Survey, found: Found) -> Iterator[Advice]:
    # Of what only a record can tell from an ordinary number, many may be no quantity: look at more than are shown.
    typed = list(islice(typed_quantities(seen.passages), 4 * MOST))
    if not typed:
        return
    subjects = [pk for (kind, _), pk in found.ids.items() if kind in ("device", "installation")]
    says = records_saying(typed, body, subjects)
    for one in typed:
        candidates = says.get(one.measure, [])
        if candidates or one.is_certain:
            yield Advice(one.line, one.column, "body", "unbound_quantity", _binding(one, candidates))


def _binding(typed: Typed, candidates: list[Candidate]) -> str:
    words = typed.passage.text.casefold() if candidates else ""
    near = [each for each in candidates if each.name.casefold() in words]
    named = near or [each for each in candidates if each.is_named]
    best = named[0] if named else candidates[0] if len(candidates) == 1 else None
    if best is not None:
        return f"{typed.text} is {{{{{best.key}}}}}, of {best.name}: bind it, and it keeps its source."
    if candidates:
        keys = " or ".join(f"{{{{{each.key}}}}}" for each in candidates[:3])
        return f"{typed.text} is typed, and several records say just this. Bind the one that is meant: {keys}."
    return f"{typed.text} is typed and has no source. Record the fact, and bind it: {{{{slug.field}}}}."
