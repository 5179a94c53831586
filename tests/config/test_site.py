"""The patterns of addresses of the site: one that could not be of an article stops the start."""

import pytest

from config.site import fault_of, fault_of_preview, root_of


@pytest.mark.parametrize(
    "pattern", ["https://e.org/{section}/{slug}", "http://localhost:3000/{slug}/", "https://e.org/a?id={id}"]
)
def test_a_pattern_of_an_article_is_taken(pattern):
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("/{slug}", "whole address"),
        ("ftp://e.org/{slug}", "whole address"),
        ("https://e.org/{slug} x", "whole address"),
        ("https://e.org/{slug", "whole address"),
        ("https://e.org/{year}/{slug}", "not {year}"),
        ("https://e.org/{section}", "needs {slug} or {id}"),
    ],
)
def test_another_pattern_is_refused_with_what_to_write(pattern, says):
    assert says in fault_of(pattern)


def test_the_page_of_previews_takes_the_token_once():
    assert fault_of_preview("https://e.org/preview#{token}") is None
    for pattern in (
        "https://e.org/preview",
        "https://e.org/{token}/{token}",
        "/preview#{token}",
        "https://e.org/{slug}",
    ):
        assert "{token} once" in fault_of_preview(pattern)


def test_the_root_is_scheme_and_host():
    assert root_of("https://e.org:8443/{section}/{slug}") == "https://e.org:8443/"
    assert root_of("") == ""
