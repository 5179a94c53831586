"""Nothing that is not live reaches anybody, by any address: each hidden thing holds a word that must not come back."""

from datetime import timedelta

import pytest

from articles import services
from articles.addresses import keep_old_address
from core.publishing.services import database_now
from sponsors import services as sponsors
from tests.addresses import addresses
from tests.factories import (
    make_approved_edition,
    make_article,
    make_live_article,
    make_next_edition,
    make_person,
    make_section,
    make_tag,
)
from tests.sponsors.factories import make_live_vendor, make_vendor

WORDS = {
    "draft": "quillwort",
    "in review": "bristlecone",
    "approved": "sandpiper",
    "future": "kittiwake",
    "withdrawn": "lapwing",
    "draft of a live article": "dotterel",
    "note": "whimbrel",
    "future edition of a live article": "godwit",
    "replaced edition": "ptarmigan",
    "draft vendor": "capercaillie",
    "withdrawn vendor": "goosander",
}


def make_hidden() -> list:
    """Make something in each state that readers do not see, and return the articles and vendors."""
    editor = make_person()
    tomorrow = database_now() + timedelta(days=1)

    def words_of(state):
        word = WORDS[state]
        return {
            "title": f"On {word}",
            "slug": f"on-{word}",
            "dek": word,
            "body": f"Of {word}.\n",
            "note": WORDS["note"],
        }

    draft = make_article(by=editor, **words_of("draft"))
    in_review = make_article(by=editor, **words_of("in review"))
    services.submit_article(in_review, by=editor)
    approved = make_approved_edition(by=editor, **words_of("approved")).article
    future = make_live_article(by=editor, at=tomorrow, section=make_section(), tags=[make_tag()], **words_of("future"))
    withdrawn = make_live_article(by=editor, section=make_section(), **words_of("withdrawn"))
    keep_old_address(withdrawn, f"/2024/{WORDS['withdrawn']}")
    keep_old_address(draft, f"/2024/{WORDS['draft']}")
    make_next_edition(withdrawn, by=editor, slug=f"once-more-on-{WORDS['withdrawn']}")
    services.withdraw_article(withdrawn, reason=f"No {WORDS['withdrawn']}.")
    live = make_live_article(by=editor, slug="first", body=f"Of {WORDS['replaced edition']}.\n", section=make_section())
    make_next_edition(live, by=editor, slug="second", body="Of busways.\n", note=WORDS["note"])
    changed = {name: value for name, value in words_of("future edition of a live article").items() if name != "note"}
    make_next_edition(live, by=editor, at=tomorrow, **changed)
    live.refresh_from_db()
    services.change_article(live, based_on=live.draft_version, by=editor, fields=words_of("draft of a live article"))
    vendor = make_vendor(name=f"The {WORDS['draft vendor']}", slug=f"the-{WORDS['draft vendor']}")
    gone = make_live_vendor(name=f"The {WORDS['withdrawn vendor']}", slug=f"the-{WORDS['withdrawn vendor']}")
    sponsors.withdraw_vendor(gone, reason=WORDS["withdrawn vendor"])
    return [draft, in_review, approved, future, withdrawn, live, vendor, gone]


@pytest.mark.django_db
def test_no_rest_address_tells_a_word_of_what_is_hidden(client):
    hidden = make_hidden()
    asked = 0
    for address in addresses():
        if not address.route.startswith(("/api/", "/health", "/feeds/", "/sitemap", "/preview/")):
            continue
        for path in _filled(address.route, hidden):
            for query in ["", *_queries(address.view)]:
                response = client.get(path + query)
                asked += 1
                told = b"".join(response.streaming_content) if response.streaming else response.content
                text = (told + repr(dict(response.headers)).encode()).decode().lower()
                # What the client itself sent may come back in `next`, in an error or as the path of a redirect.
                for sent in (path, query):
                    text = text.replace(sent.lower(), "")
                for state, word in WORDS.items():
                    assert word not in text, f"{path}{query} tells of: {state}"
    assert asked > 100


def _filled(route: str, hidden: list) -> list[str]:
    if "<" not in route:
        return [route]
    head, tail = route.split("<", 1)[0], route.split(">", 1)[1]
    keys = [str(one.pk) for one in hidden] + [one.slug for one in hidden] + ["first", "second"]
    keys += [f"on-{word}" for word in WORDS.values()]
    if "<int:" in route:
        keys = ["1", "2"]
    if "<slug:section>" in route:
        keys = ["compute", "power", "none"]
    return [head + key + tail for key in keys]


def _queries(view) -> list[str]:
    """Return questions that would find the words, if anything did."""
    filters = getattr(view, "filters", {})
    asked = [f"?{name}={word}" for name in filters for word in WORDS.values() if name in ("search", "q")]
    if view is not None and view.__name__ == "Search":
        asked += [f"?q={word}" for word in WORDS.values()]
    if "changed_since" in filters:
        asked.append("?changed_since=2020-01-01T00:00:00Z")
    if "search" in filters:
        asked.append("?count=true&search=" + "+or+".join(WORDS.values()))
    return asked


@pytest.mark.django_db
@pytest.mark.parametrize("word", WORDS.values())
def test_search_counts_nothing_that_is_hidden(client, word):
    make_hidden()

    assert client.get("/api/v1/search/", {"q": word}).json()["results"] == []
    assert client.get("/api/v1/articles/", {"search": word, "count": "true"}).json()["count"] == 0
