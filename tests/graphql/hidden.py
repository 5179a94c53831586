"""Something in every state that readers do not see, joined to everything that they do see."""

from datetime import timedelta
from typing import Any

from articles import services
from articles.models import Article
from catalog.models import Rung
from core.publishing.services import database_now
from sponsors import services as sponsors
from tests.factories import (
    make_approved_edition,
    make_article,
    make_author,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_next_edition,
    make_person,
    make_section,
    make_source,
    make_tag,
)
from tests.sponsors.factories import make_live_placement, make_live_vendor, make_placement, make_vendor

WORDS = {
    "draft": "quillwort",
    "in review": "bristlecone",
    "sent back": "nightjar",
    "approved": "sandpiper",
    "future": "kittiwake",
    "withdrawn": "lapwing",
    "reason of a withdrawal": "avocet",
    "draft of a live article": "dotterel",
    "note": "whimbrel",
    "future edition of a live article": "godwit",
    "replaced edition": "ptarmigan",
    "draft vendor": "capercaillie",
    "vendor in review": "hoopoe",
    "withdrawn vendor": "goosander",
    "placement in review": "turnstone",
    "future placement": "wheatear",
    "placement of a withdrawn vendor": "bluethroat",
}

BODY = """Of {word}, at {{{{dgx.power_nameplate_w}}}} [@guide], see [that](article:gone).

::: device slug=dgx
:::

::: installation slug=site
:::

::: vendor slug=acme
:::

- ::: vendor slug=acme
  :::
"""


def make_shown_and_hidden() -> dict[str, list[Any]]:
    """Make what readers see and what they do not, and return slugs and ids of what is hidden, by kind."""
    editor = make_person(username="editor")
    tomorrow = database_now() + timedelta(days=1)
    section = make_section("power")
    parent = make_vendor(name=f"The {WORDS['draft vendor']}", slug=f"the-{WORDS['draft vendor']}", by=editor)
    acme = make_live_vendor(name="Acme", slug="acme", parent=parent, sections=[section])
    in_review = make_vendor(name=f"The {WORDS['vendor in review']}", slug=f"the-{WORDS['vendor in review']}", by=editor)
    sponsors.submit_vendor(in_review, by=editor)
    gone_vendor = make_live_vendor(
        name=f"The {WORDS['withdrawn vendor']}", slug=f"the-{WORDS['withdrawn vendor']}", sections=[section]
    )
    make_live_placement(vendor=acme, slot="top", headline="Shown")
    make_placement(vendor=acme, headline=WORDS["placement in review"])
    make_live_placement(vendor=acme, headline=WORDS["future placement"], begins_at=tomorrow)
    make_live_placement(vendor=gone_vendor, slot="side", headline=WORDS["placement of a withdrawn vendor"])
    sponsors.withdraw_vendor(gone_vendor, reason=WORDS["reason of a withdrawal"])

    device, source = make_device(slug="dgx", section=section), make_source(slug="guide")
    make_fact(("10.2", "kW"), subject=device)
    make_installation(slug="site", rung=Rung.objects.get(slug="rack"))
    byline, tag = make_author(slug="ines"), make_tag(slug="busway")
    joined = {
        "by": editor,
        "authors": [byline],
        "tags": [tag],
        "section": section,
        "rung": Rung.objects.get(slug="rack"),
    }

    def words_of(state: str) -> dict[str, Any]:
        word = WORDS[state]
        return {
            "title": f"On {word}",
            "slug": f"on-{word}",
            "dek": word,
            "body": BODY.format(word=word),
            "note": WORDS["note"],
        }

    gone = make_live_article(
        by=editor, slug="gone", title=f"On {WORDS['withdrawn']}", body=f"Of {WORDS['withdrawn']}.\n"
    )
    draft = make_article(**joined, **words_of("draft"))
    reviewed = make_article(**joined, **words_of("in review"))
    services.submit_article(reviewed, by=editor)
    sent_back = make_article(**joined, **words_of("sent back"))
    services.review_article(
        services.submit_article(sent_back, by=editor), by=editor, verdict="changes_requested", note=WORDS["note"]
    )
    approved = make_approved_edition(**joined, **words_of("approved")).article
    future = make_live_article(**joined, at=tomorrow, **words_of("future"))
    old = {**words_of("replaced edition"), "slug": "first"}
    live = make_live_article(**joined, **old)
    make_next_edition(live, by=editor, title="Shown", slug="second", dek="Shown.", body=BODY.format(word="busways"))
    changed = {name: value for name, value in words_of("future edition of a live article").items() if name != "note"}
    make_next_edition(live, by=editor, at=tomorrow, **changed)
    live.refresh_from_db()
    services.change_article(live, based_on=live.draft_version, by=editor, fields=words_of("draft of a live article"))
    services.withdraw_article(gone, reason=WORDS["reason of a withdrawal"])
    assert Article.objects.count() == 7
    assert source.pk
    hidden = [draft, reviewed, sent_back, approved, future, gone]
    vendors = [parent, in_review, gone_vendor]
    return {
        "article": [(one.slug, str(one.pk)) for one in hidden],
        "vendor": [(one.slug, str(one.pk)) for one in vendors],
    }
