"""HTML to our Markdown: no word is lost, none becomes markup, whatever the HTML looks like."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from articles.markup import Known, parse
from articles.moving.html import to_markdown
from articles.moving.items import Item, Picture, Place
from articles.moving.page import Page
from tests.articles.moving.facts import everything, plain, whole_text

ITEM = Item("1", "post 1", "published")


class Site:
    """A run with one site, in which every picture is at hand."""

    def target(self, address, holder):
        return ("" if address.startswith("javascript:") else address), None

    def is_within(self, address):
        return False

    def is_unlinked(self, item):
        return False

    def picture(self, picture):
        return picture.file.rpartition("/")[2], "found"


def convert(html, **options):
    page = Page(Site(), ITEM)
    body = to_markdown(
        html,
        page,
        lambda line, near: Place(line=line + 1, near=near),
        picture=lambda attributes: Picture(attributes["src"], attributes["src"]),
        **options,
    )
    return body, page


def read(body):
    return parse(body, Known(images=set(re.findall(r"src=([\w.-]+)", body))))


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<p>a<b>"x"</b>y</p>', '&#97;**"x"**&#121;'),
        ("<p><i>a</i><b>b</b> <b><i>c</i> d</b></p>", "*a*__b__ __*c* d__"),
        ("<p><b>a <br></b>b</p>", "**a**\\\nb"),
        ("<p><b><strong>a</strong></b><em> </em></p>", "**a**"),
        ("<p><code>a`b</code> <code>x</code><code>y</code></p>", "``a`b`` `xy`"),
        ("<p>Look!<a href='https://e.example/a_(b)'>l[i]nk</a></p>", r"Look\![l\[i\]nk](<https://e.example/a_(b)>)"),
        ("<p>{<b></b>{x}} &amp;lt; &amp;<i>a</i></p>", r"\{{x}} \&lt; &*a*"),
        ("<p>a <q>b</q> <kbd>c</kbd> <u>d</u><sup>e</sup></p>", "a “b” <kbd>c</kbd> d<sup>e</sup>"),
        ("<p># a</p><p>1) b</p><p>+ c</p><p>::: d</p><p>==</p>", "\\# a\n\n1\\) b\n\n\\+ c\n\n\\::: d\n\n\\=="),
        ("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n\n* c"),
        ("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n\nb"),
        ("<dl>All of <i>them</i>:<dt>a<dd>b</dl>", "All of *them*:\n\n**a**\n\nb"),
        ("<dl><dt>a<dt>b<dd><p>c<p>d<dd><ul><li>e</ul></dl>", "**a**\n\n**b**\n\nc\n\nd\n\n- e"),
        ("<dl><div><dt>a <b>b</b></dt><dd>c</dd></div></dl>", "a **b**\n\nc"),
        ("<dl><dt><h3>a</h3></dt><dd>b</dd></dl>", "### a\n\nb"),
        ("<blockquote>a<br>b</blockquote>", "> a\\\n> b"),
        ("<blockquote><p>a</p><cite>— B</cite></blockquote>", "::: quote by=B\na\n:::"),
        ("<pre><code class='language-py'>a\n  b</code></pre>", "```py\na\n  b\n```"),
        ("<table><tr><td>a|b<td><ul><li>c<li>d</ul></table>", "|  |  |\n| --- | --- |\n| a\\|b | c<br>d |"),
        ("<h1>a</h1><h3 id=x>b #</h3><h2 id=c>c</h2>", "## a\n\n### b \\# {#x}\n\n## c"),
        ("<p>a <img src=p.png alt='Pump'> b</p>", "a\n\n::: figure src=p.png alt=Pump\n:::\n\nb"),
        (
            "<a href=https://e.example><img src=p.png alt=P></a>",
            "::: figure src=p.png alt=P\n[P](https://e.example)\n:::",
        ),
        (
            "<img data-src=p.png src=data:x alt=P><noscript><img src=p.png></noscript>",
            "::: figure src=p.png alt=P\n:::",
        ),
        ("<div><div>a<p>b</div>c</div>", "a\n\nb\n\nc"),
        ("a<!-- secret -->b", "ab"),
        ("", ""),
    ],
)
def test_each_element_has_its_form(html, markdown):
    body, page = convert(html)

    assert (body, page.notices) == (markdown, [])
    assert read(body).errors == ()


@pytest.mark.parametrize(
    ("html", "markdown", "code"),
    [
        ("<p>a</p>\n<script>b()</script>", "a", "script_dropped"),
        ("<p>a</p>\n<style>b{}</style>", "a", "html_dropped"),
        ("\n<form><p>a</p><input name=b></form>", "a", "html_dropped"),
        ("\n<iframe src='//v.example/1'></iframe>", "<https://v.example/1>", "embed_to_link"),
        (
            "\n<video controls><source src=https://v.example/1.mp4></video>",
            "<https://v.example/1.mp4>",
            "embed_to_link",
        ),
        ("\n<a href='javascript:alert(1)'>a</a>", "a", "unsafe_url"),
        ("\n<p>a\u200bb</p>", "ab", "control_character"),
        ("\n<math><mi>x</mi></math>", "x", "math_kept_as_text"),
        ("\n<my-widget>a</my-widget>", "a", "html_dropped"),
        (
            "\n<table><tr><th>a<th>b<tr><td colspan=2>c</table>",
            "| a | b |\n| --- | --- |\n| c |  |",
            "table_span_flattened",
        ),
    ],
)
def test_what_has_no_form_is_told_with_its_line(html, markdown, code):
    for before in (0, 3):
        body, page = convert("\n" * before + html)

        assert body == markdown
        assert (page.notices[0].code, page.notices[0].place.line) == (code, before + 2)


def test_notes_are_found_by_the_way_back():
    html = (
        '<p>a<sup id="r1"><a href="#n1">1</a></sup> b<a id="r2" href="#n2">[2]</a></p><h2>Notes</h2>'
        '<ol><li id="n2">two <a href="#r2">↩</a></li><li id="n1"><p>one</p><p>more <a href="#r1">↩</a></p></li></ol>'
    )

    body, _ = convert(html)

    assert body == "a[^1] b[^2]\n\n## Notes\n\n[^1]: one\n\n    more\n\n[^2]: two"
    assert [note.text for note in read(body).footnotes] == ["one\nmore", "two"]


def test_a_box_in_a_box_without_end_keeps_its_words():
    body, page = convert("<div>" * 5000 + "deep" + "<b><i>" * 3000 + "er")

    assert "deep" in body and "er" in body
    assert "html_dropped" in {notice.code for notice in page.notices}


WORDS = st.text(st.sampled_from("ab1 *_`[]()<>{}!#&;:|~=+-.\\\"'^@$/\n\u00a0é"), max_size=12)
LEAF = WORDS.map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
INLINE = st.recursive(
    LEAF,
    lambda inner: st.tuples(
        st.sampled_from(["b", "i", "em", "strong", "code", "sup", "span"]), st.lists(inner, max_size=3)
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"),
    max_leaves=6,
)
BLOCK = st.tuples(st.sampled_from(["p", "h2", "h3", "blockquote", "div"]), st.lists(INLINE, max_size=4)).map(
    lambda made: f"<{made[0]}>{''.join(made[1])}</{made[0]}>"
)
LISTED = st.tuples(st.sampled_from(["ul", "ol"]), st.lists(st.lists(INLINE, max_size=3), min_size=1, max_size=3)).map(
    lambda made: f"<{made[0]}>{''.join('<li>' + ''.join(item) + '</li>' for item in made[1])}</{made[0]}>"
)
CELLS = st.lists(st.lists(INLINE, max_size=2), min_size=2, max_size=2)
TABLE = st.lists(CELLS, min_size=1, max_size=2).map(
    lambda rows: (
        "<table>" + "".join("<tr>" + "".join(f"<td>{''.join(c)}</td>" for c in r) + "</tr>" for r in rows) + "</table>"
    )
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(BLOCK, LISTED, TABLE), max_size=4).map("".join))
def test_readers_see_every_character_and_no_markup_that_was_text(html):
    from justhtml import JustHTML

    shown = JustHTML(html, fragment=True, sanitize=False).root
    expected = re.sub(r"\s+", "", "".join(_texts(shown)))

    body, _ = convert(html)
    document = read(body)

    assert re.sub(r"\s+", "", whole_text(document).replace("\t", "")) == expected, body
    assert document.errors == () and document.references == ()


def _texts(node):
    for child in node.children or []:
        if child.name == "#text":
            yield child.data
        else:
            yield from _texts(child)


def test_facts_read_all_blocks():
    document = read(convert("<ul><li>a<blockquote>b</blockquote></ul>")[0])

    assert plain(whole_text(document)) == "a b"
    assert [block.type for block in everything(document)] == ["list", "paragraph", "quote", "paragraph"]
