"""What a parse hands on: names to load, JSON to freeze, HTML that carries only what is listed."""

import json

import nh3
import pytest

from articles.markup import Known, Record, Wanted, parse, wanted
from articles.markup.html import ATTRIBUTES, TAGS, sanitise

EVERYTHING = """\
## Loops {#loops}

The pump[^n] draws {{pump-x.power_max_w}} [@study], see [loops](article:warm-water-loops#why) and [up](#loops).

| A |
|--:|
| *b* |

- one
- two

::: figure src=pump.png alt="Pump, lid off" credit="M. Lind"
The {{fact:share}}.
:::

:::: callout kind=warning title="Before"
::: quote by=Night source=https://talks.example/7
It never ran cold.
:::
::::

::: device slug=pump-x
:::

::: vendor slug=acme
:::

::: installation slug=site-one
:::

::: rack scenario=four
:::

::: ladder scenario=four
:::

```sh
ls
```

***

[^n]: Note, [bus](vendor:acme).
"""

RECORDS = Known(
    quantities={"pump-x.power_max_w": Record("700 W", value="700"), "fact:share": "4 %"},
    articles=["warm-water-loops"],
    images={"pump.png": "Pump"},
    devices=["pump-x"],
    vendors=["acme"],
    installations=["site-one"],
    scenarios=["four"],
    sources={"study": "A study, 2024"},
)


def test_wanted_names_everything_once_without_judging():
    assert wanted(EVERYTHING + "\n![x](https://a.example/x.png) [y](article:) {{bad}} `{{code.field}}`\n") == Wanted(
        quantities=("pump-x.power_max_w", "fact:share"),
        articles=("warm-water-loops",),
        images=("pump.png", "https://a.example/x.png"),
        devices=("pump-x",),
        vendors=("acme",),
        installations=("site-one",),
        scenarios=("four",),
        sources=("study",),
    )


def test_everything_that_is_wanted_makes_a_text_without_errors():
    document = parse(EVERYTHING, RECORDS)

    assert document.errors == ()
    assert [block.type for block in document.blocks] == [
        "heading", "paragraph", "table", "list", "figure", "callout", "device", "vendor", "installation", "rack",
        "ladder", "code", "rule",
    ]  # fmt: skip


def test_json_survives_the_way_through_a_database():
    content = parse(EVERYTHING, RECORDS).to_json()

    assert json.loads(json.dumps(content)) == content
    assert content["blocks"][1] == {
        "type": "paragraph",
        "text": "The pump draws {{pump-x.power_max_w}} [1], see loops and up.",
        "html": 'The pump<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup> draws '
        '<data class="quantity" value="700" data-quantity="pump-x.power_max_w">700 W</data> '
        '<sup class="citation"><a href="#cite-1" data-source="study">[1]</a></sup>, see '
        '<a data-article="warm-water-loops" data-anchor="why">loops</a> and <a href="#loops">up</a>.',
        "quantities": ["pump-x.power_max_w"],
        "links": [
            {
                "text": "loops",
                "to": "article:warm-water-loops#why",
                "kind": "article",
                "slug": "warm-water-loops",
                "anchor": "why",
            },
            {"text": "up", "to": "#loops", "kind": "anchor", "slug": "", "anchor": "loops"},
        ],
        "citations": ["study"],
        "footnotes": [1],
    }
    assert content["toc"] == [{"level": 2, "text": "Loops", "anchor": "loops", "plain": "Loops"}]
    assert content["footnotes"] == [
        {
            "n": 1,
            "label": "n",
            "back": 1,
            "text": "Note, bus.",
            "html": '<p>Note, <a data-vendor="acme">bus</a>.</p>',
            "blocks": [
                {
                    "type": "paragraph",
                    "text": "Note, bus.",
                    "html": 'Note, <a data-vendor="acme">bus</a>.',
                    "quantities": [],
                    "links": [{"text": "bus", "to": "vendor:acme", "kind": "vendor", "slug": "acme", "anchor": ""}],
                    "citations": [],
                    "footnotes": [],
                }
            ],
        }
    ]
    assert content["quantities"] == ["pump-x.power_max_w", "fact:share"]
    assert content["references"][0] == {"kind": "quantity", "key": "pump-x.power_max_w"}
    assert [link["to"] for link in content["links"]] == ["article:warm-water-loops#why", "#loops", "vendor:acme"]


def test_html_is_neutral_and_complete():
    html = parse(EVERYTHING, RECORDS).html

    for piece in [
        '<h2 id="loops">Loops</h2>',
        '<th class="align-right">A</th>',
        '<figure data-image="pump.png"><img data-image="pump.png" alt="Pump, lid off">',
        '<span class="credit">M. Lind</span>',
        '<aside class="callout callout-warning" data-kind="warning">\n<p class="callout-title">Before</p>',
        '<blockquote cite="https://talks.example/7">',
        "<footer><cite>Night</cite></footer>",
        '<div class="device" data-device="pump-x"></div>',
        '<div class="vendor" data-vendor="acme"></div>',
        '<div class="installation" data-installation="site-one"></div>',
        '<div class="rack" data-scenario="four"></div>',
        '<div class="ladder" data-scenario="four"></div>',
        '<pre><code class="language-sh">ls\n</code></pre>',
        '<li id="fn-1"><p>Note, <a data-vendor="acme">bus</a>.</p>\n<a href="#fnref-1" class="footnote-back">',
        '<li id="cite-1" data-source="study">A study, 2024</li>',
    ]:
        assert piece in html


def test_search_text_has_values_captions_and_notes():
    text = parse(EVERYTHING, RECORDS).text

    for piece in ["draws 700 W [1]", "The 4 %.", "Pump, lid off", "M. Lind", "Before", "Night", "Note, bus.", "ls"]:
        assert piece in text
    assert "{{" not in text


def test_the_contents_show_values():
    document = parse("## At {{pump-x.power_max_w}}\n", RECORDS)

    assert (document.toc[0].text, document.toc[0].plain) == ("At {{pump-x.power_max_w}}", "At 700 W")


def test_an_image_is_only_named():
    document = parse("![Pump](pump.png)\n", Known(images=["pump.png"]))

    assert document.html == '<figure data-image="pump.png"><img data-image="pump.png" alt="Pump"></figure>'


def test_words_are_counted_as_a_reader_counts():
    document = parse("It draws 41.5 kW at site-one, don't *ask*.\n\n冷却水\n", Known())

    assert document.word_count == 8 + 3
    assert document.reading_minutes == 1


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ('<p onclick="x()" style="x">a</p>', "<p>a</p>"),
        ("<script>x</script><style>y</style>b", "b"),
        ('<a href="javascript:x">a</a>', "<a>a</a>"),
        ('<a href="jav&#10;ascript:x">a</a>', "<a>a</a>"),
        ('<a href="//evil.example">a</a>', "<a>a</a>"),
        ('<a href="/\\evil.example">a</a>', "<a>a</a>"),
        ('<a href="../x">a</a>', "<a>a</a>"),
        ('<a href="#x">a</a>', '<a href="#x">a</a>'),
        ('<a href="tel:1">a</a>', "<a>a</a>"),
        ('<img src="data:image/png;base64,x" alt="a">', '<img alt="a">'),
        ('<img src="/media/x.webp" alt="a">', '<img src="/media/x.webp" alt="a">'),
        ('<blockquote cite="javascript:x">a</blockquote>', "<blockquote>a</blockquote>"),
        ("<svg><a xlink:href='x'>a</a></svg><iframe src='https://x.example'></iframe>b", "b"),
        ("<!-- c --><h1>a</h1>", "a"),
    ],
)
def test_nothing_passes_that_is_not_listed(html, left):
    assert sanitise(html) == left


def test_the_list_names_no_dangerous_element_or_attribute():
    assert not TAGS & {
        "script",
        "style",
        "iframe",
        "object",
        "embed",
        "form",
        "input",
        "svg",
        "math",
        "link",
        "meta",
        "base",
    }
    assert set(ATTRIBUTES) <= TAGS
    for names in ATTRIBUTES.values():
        assert not {
            name for name in names if name.startswith("on") or name in ("style", "srcset", "formaction", "ping")
        }


def test_the_sanitiser_changes_nothing_of_our_own():
    html = parse(EVERYTHING, RECORDS).html

    assert sanitise(html) == html
    assert nh3.is_html(html)
