"""Many of everything that is public, for pages that are full."""

from core.api.ids import uuid7
from simulator.models import Scenario
from sponsors.models import Placement
from tests.factories import (
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
from tests.sponsors.factories import make_live_placement, make_live_vendor


def make_crowd(size: int) -> None:
    """Make `size` of each kind, related to each other as in a real publication."""
    writer = make_person()
    authors = [make_author() for _ in range(size)]
    tags = [make_tag() for _ in range(size)]
    section = make_section()
    source = make_source(slug=f"cited-{uuid7().hex[:6]}")
    for n in range(size):
        device = make_device(section=section)
        make_fact((str(1000 + n), "W"), subject=device)
        make_installation()
        vendor = make_live_vendor()
        make_live_placement(vendor=vendor)
        Scenario.objects.create(slug=f"scenario-{n}", title="Racks", input={}, result={}, engine_version="1")
        article = make_live_article(
            by=writer,
            body=f"Text with a citation [@{source.slug}].\n",
            section=section,
            authors=[authors[n], authors[(n + 1) % size]],
            tags=[tags[n]],
        )
        make_next_edition(article, by=writer, slug=f"{article.slug}-moved")
    assert Placement.objects.count() >= size
