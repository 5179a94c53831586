"""An article: Markdown with front matter between two lines of three hyphens."""

from articles.corrections import GRAVITIES, KEYS
from articles.importing.fields import Fields
from articles.importing.records import Article, Correction, Link
from catalog.importing.checking import refuse_faults
from catalog.importing.documents import UnreadableFileError, decode, read_documents
from catalog.importing.problems import Problems

ARTICLE_KEYS = (
    "title", "slug", "dek", "section", "rung", "authors", "tags", "image", "published", "explains", "corrections",
)  # fmt: skip
FENCE = "---"


def read_article(data: bytes, problems: Problems, links: list[Link]) -> Article | None:
    """Return the article in a file, or None after saying what is wrong with it."""
    try:
        lines = decode(data).replace("\r\n", "\n").split("\n")
    except UnreadableFileError as error:
        problems.refuse(*error.fault)
        return None
    if lines[0].rstrip() != FENCE:
        problems.refuse(1, "", "no_front_matter", "An article begins with a line of ---, and its title and slug below.")
        return None
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == FENCE), None)
    if end is None:
        problems.refuse(1, "", "no_front_matter", "The front matter has no end. Close it with a line of ---.")
        return None
    entry = _front_matter("\n".join(lines[1:end]), problems, links)
    if entry is None:
        return None
    # The body begins after the blank lines that follow the front matter.
    first = next((number for number in range(end + 1, len(lines)) if lines[number].strip()), len(lines))
    return Article(
        place=entry.place,
        slug=entry.slug("slug", required=True),
        title=entry.text("title", longest=300, required=True),
        dek=entry.text("dek", longest=500),
        section=entry.slug("section", kind="section"),
        rung=entry.slug("rung", kind="rung"),
        authors=entry.slugs("authors", kind="author"),
        tags=entry.slugs("tags"),
        image=_image(entry),
        published=entry.day("published"),
        explains=entry.texts("explains"),
        corrections=tuple(
            correction for part in entry.mappings("corrections", KEYS) if (correction := _correction(part)) is not None
        ),
        body="\n".join(lines[first:]).rstrip() + "\n",
        body_line=first + 1,
    )


def _front_matter(text: str, problems: Problems, links: list[Link]) -> Fields | None:
    """Return the front matter; its lines count from the one below the first fence."""
    before = len(problems.refusals)
    here = Problems(problems.file)
    try:
        documents = list(read_documents(text))
    except UnreadableFileError as error:
        problems.refuse(error.fault.line + 1, *error.fault[1:])
        return None
    if len(documents) != 1 or documents[0].root is None:
        problems.refuse(2, "", "no_front_matter", "The front matter is empty. Give at least title and slug.")
        return None
    refuse_faults(documents[0], here)
    for refusal in here.refusals:
        problems.refuse(refusal.line + 1, refusal.field, refusal.code, refusal.message)
    entry = Fields(documents[0].root, "", ARTICLE_KEYS, problems, links, offset=1)
    return entry if entry.entries or len(problems.refusals) == before else None


def _image(entry: Fields) -> str:
    name = entry.text("image", longest=120)
    if name:
        entry.links.append(Link("image", name, entry.place, "image"))
    return name


def _correction(part: Fields) -> Correction | None:
    on = part.day("on", required=True)
    said, says = part.text("said", longest=2000, required=True), part.text("says", longest=2000, required=True)
    gravity = part.choice("gravity", GRAVITIES, required=True)
    return Correction(said, says, on, gravity) if on and gravity else None
