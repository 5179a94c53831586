"""Lists of definitions in Markdown: what a site shows as one keeps its words, and its terms stand out."""

import pytest
from django.core.management import call_command

from articles.models import Article

pytestmark = pytest.mark.django_db


def body_of(tmp_path, text, *, settings="hugo.toml"):
    """Return what an article of a site becomes whose one page says `text`."""
    site = tmp_path / "site"
    folder = site / ("content" if settings == "hugo.toml" else "_posts")
    folder.mkdir(parents=True)
    (site / settings).write_text('baseURL = "https://old.example/"\n' if settings == "hugo.toml" else "title: Old\n")
    (folder / "2024-05-01-a.md").write_text(f"---\ntitle: A\ndate: 2024-05-01\n---\n{text}")
    call_command("import_articles", str(site))
    return Article.objects.get().body


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("PUE\n: Power of all.\n", "**PUE**\n\nPower of all.\n"),
        ("PUE\n:   Power of all,\n    by that of IT.\n", "**PUE**\n\nPower of all,\nby that of IT.\n"),
        ("PUE\nDCiE\n: One.\n: Two.\n", "**PUE**\n\n**DCiE**\n\nOne.\n\nTwo.\n"),
        (
            "PUE\n\n:   One.\n\n    Two, [linked](/b).\n\nAfter.\n",
            "**PUE**\n\nOne.\n\nTwo, [linked](https://old.example/b).\n\nAfter.\n",
        ),
        ("`PUE`\n: One.\n\n*DCiE*\n: Two.\n", "**`PUE`**\n\nOne.\n\n*DCiE*\n\nTwo.\n"),
        ("PUE\n: - One.\n  - Two.\n", "**PUE**\n\n- One.\n- Two.\n"),
        # Colons that define nothing.
        ("```yaml\nPUE\n: One.\n```\n", "```yaml\nPUE\n: One.\n```\n"),
        ("    PUE\n    : One.\n", "    PUE\n    : One.\n"),
        ("- PUE\n: One.\n", "- PUE\n: One.\n"),
        ("One: two.\n", "One: two.\n"),
        (": One.\n", ": One.\n"),
        ("PUE\n:One.\n", "PUE\n:One.\n"),
    ],
)
def test_terms_are_bold_and_definitions_are_paragraphs(tmp_path, text, markdown):
    assert body_of(tmp_path, text) == markdown


def test_kramdown_has_them_too(tmp_path):
    text = "PUE\n: See {% raw %}{{ x }}{% endraw %}.\n"

    assert body_of(tmp_path, text, settings="_config.yml") == "**PUE**\n\nSee \\{{ x }}.\n"
