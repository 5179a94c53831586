"""What is pasted into a body: HTML of Word, of Docs and of web pages becomes Markdown that says the same."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from articles.models import Article
from tests.admin.conftest import client_of
from tests.factories import make_person

WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<meta name=Generator content="Microsoft Word 15">
<style><!-- p.MsoNormal {margin:0cm; mso-style-parent:""} --></style>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--></head>
<body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->
<h1><a name="_Toc1"></a>Power <b>of</b> racks<o:p></o:p></h1>
<p class=MsoNormal>It draws <b style='mso-bidi-font-weight:normal'>40 kW</b>, says
<a href="https://maker.example/sheet">the sheet</a>: {{x.y}} and [@z].<o:p></o:p></p>
<h2>What is in it</h2>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;
</span></span></span><![endif]>Racks<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='mso-list:Ignore'>o<span>&nbsp; </span></span><![endif]>of steel</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Pumps</p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>3.<span>&nbsp;</span></span>
Fill</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>4.</span>Vent</p>
<table class=MsoTableGrid border=1><tr style='mso-yfti-irow:0'><td><p class=MsoNormal><b>Rack</b></p></td>
<td>kW</td></tr>
<tr><td><p class=MsoNormal>A|B<o:p></o:p></p></td><td><p class=MsoNormal>40</p></td></tr></table>
<p class=MsoNormal><![if !vml]><img width=10 src="file:///C:/image001.png"><![endif]>End<span
style='mso-hide:all'> secret</span></p>
<!--EndFragment--></body></html>"""


def paste(client, html: str, **fields):
    return client.post(reverse("admin:articles_article_paste"), {"html": html, **fields})


def test_a_text_of_word_keeps_its_form_and_what_looks_like_markup_stays_text(author):
    answer = paste(author, WORD).json()

    assert answer == {
        "markdown": (
            "## Power of racks\n\n"
            "It draws **40 kW**, says [the sheet](https://maker.example/sheet): \\{{x.y}} and \\[@z\\].\n\n"
            "### What is in it\n\n"
            "- Racks\n  - of steel\n- Pumps\n\n"
            "3. Fill\n4. Vent\n\n"
            "| Rack | kW |\n| --- | --- |\n| A\\|B | 40 |\n\n"
            "End"
        ),
        "is_inline": False,
        "left_out": [
            {
                "code": "picture_left_out",
                "count": 1,
                "message": "A picture was left out: drop the file on the text.",
            }
        ],
    }
    assert not Article.objects.exists()


@pytest.mark.parametrize(
    ("html", "markdown", "is_inline"),
    [
        (
            '<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1"><p dir="ltr">'
            '<span style="font-weight:400">a </span><span style="font-weight:700">b</span>'
            '<span style="font-style:italic"> c</span></p></b><br>',
            "a **b** *c*",
            True,
        ),
        ("<p>a</p><p>b</p>", "a\n\nb", False),
        ("<h3>a</h3><h4>b</h4>", "### a\n\n#### b", False),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b", False),
        ("<p>a<a href='#top'>b</a></p>", "ab", True),
        ("<p>::: figure src=a.png</p>", "\\::: figure src=a.png", True),
        ("<p>a <a href='article:thin-air'>b</a></p>", "a b", True),
    ],
)
def test_what_styles_say_is_said_by_marks(author, html, markdown, is_inline):
    answer = paste(author, html).json()

    assert (answer["markdown"], answer["is_inline"]) == (markdown, is_inline)


def test_nothing_of_a_script_comes_along(author):
    html = "<p onclick='a()'>a<script>alert(1)</script> <a href='javascript:alert(2)'>b</a></p><style>c{}</style>"

    answer = paste(author, html).json()

    assert answer["markdown"] == "a b"
    assert [(one["code"], one["count"]) for one in answer["left_out"]] == [("script_dropped", 1), ("unsafe_url", 1)]


def test_notes_go_on_behind_those_of_the_text(author):
    html = '<p>a<sup id="r1"><a href="#n1">1</a></sup></p><ol><li id="n1">one <a href="#r1">↩</a></li></ol>'

    assert paste(author, html, notes="7").json()["markdown"] == "a[^8]\n\n[^8]: one"


def test_boxes_in_boxes_without_end_keep_their_words(author):
    answer = paste(author, "<div>" * 3000 + "deep" + "<b><i>" * 1000 + "er")

    assert answer.status_code == 200
    assert "deep" in answer.json()["markdown"] and "er" in answer.json()["markdown"]


@pytest.mark.parametrize("html", ["a" * 600_001, "<p>" + "*" * 160_000])
def test_what_is_too_long_is_refused_and_says_so(author, html):
    answer = paste(author, html)

    assert answer.status_code == 400
    assert [error["code"] for error in answer.json()["errors"]] == ["max_length"]
    assert answer.json()["errors"][0]["message"].endswith("Paste it in parts.")


def test_readers_and_strangers_paste_nothing_and_it_is_sent_by_post(client, author):
    assert paste(client, "<p>a</p>").status_code == 302
    reader = make_person(is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_article"))

    assert paste(client_of(reader), "<p>a</p>").status_code == 403
    assert author.get(reverse("admin:articles_article_paste")).status_code == 405
