"""What holds for any text at all."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from articles.markup import Known, parse, wanted
from articles.markup.html import sanitise

PIECES = [
    "[", "]", "(", ")", "!", "*", "**", "_", "`", "``", "```", "~~~", "\\", "a", "b", " ", "    ", "\t", "\n", "\n\n",
    "\r\n", "\r", '"', "'", "](article:x)", "[a]: http://x\n", "[^n]", "[^n]: ", "[^m]: ", "&amp;", "&#x202e;", "<",
    "<b>", "<!--", "-->", "<script>", "</script>", "<div>", "<sub>", "</sub>", "<br>", "> ", "- ", "1. ", "# ", "## ",
    "::: callout\n", ":::\n", "::: figure src=p.png alt=x\n", ":::: quote\n",
    "::::\n", "::: device slug=d\n", "::: x\n", "| a | b |\n",
    "|---|---|\n", "|", "{{a.b}}", "{{", "}}", "[@s]", "[@", "{#x}", "![i](p.png)", "---\n", "===\n", "é",
    "🧊", "\u200b", "\0", "\ud800", "[x](javascript:a)", "[y](#x)", "<http://a.b>", "## cite 1\n",
]  # fmt: skip
RECORDS = Known(quantities={"a.b": "1 W"}, articles=["x"], images=["p.png"], devices=["d"], sources=["s"])


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_gives_a_document_with_errors_in_their_places(source):
    document = parse(source, RECORDS)

    lines = re.sub(r"\r\n?", "\n", source).split("\n")
    places = [(error.line, error.column) for error in document.errors]
    assert places == sorted(places)
    assert all(1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1 for line, column in places)
    document.to_json()


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("````[x](javascript:a)")
def test_no_text_brings_html_of_its_own(source):
    html = parse(source, RECORDS).html

    assert sanitise(html) == html
    tags = re.findall(r"<[^>]*>", html)
    assert not [tag for tag in tags if re.match(r"<(script|div(?! class)|b\b|!--)", tag) or "javascript:" in tag]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_text_of_any_characters_is_read(source):
    parse(source, RECORDS)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_line_ends_make_no_difference(source):
    lf = re.sub(r"\r\n?", "\n", source)

    assert parse(lf.replace("\n", "\r\n"), RECORDS) == parse(lf, RECORDS)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_what_is_wanted_is_what_is_asked(source):
    names = wanted(source)
    known = Known(**{kind: getattr(names, kind) for kind in names.__slots__})

    codes = {error.code for error in parse(source, known).errors}
    # Anchors and notes are in the text, not among the records; a link without a slug names nothing.
    assert not {code for code in codes if code.startswith("dangling_")} - {"dangling_anchor", "dangling_footnote"}
