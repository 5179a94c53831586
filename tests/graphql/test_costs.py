"""The number of statements does not grow with the size of a page: not of any list, not of any list in a list."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from catalog.models import DeviceComponent, Installation, Manufacturer, Rung
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
from tests.graphql.asking import data_of
from tests.graphql.walking import Walk, introspected
from tests.sponsors.factories import make_live_placement, make_live_vendor

pytestmark = pytest.mark.django_db

ROWS = 51
"""More than the larger page."""

BODY = """Of zephyrs, at {{{{{device}.power_nameplate_w}}}} [@{source}], see [that](article:linked).[^n]

[^n]: A note.

::: device slug={device}
:::

::: installation slug={site}
:::

::: vendor slug={vendor}
:::
"""


@pytest.fixture(scope="module")
def many(django_db_setup, django_db_blocker):
    """More of everything than the larger page holds, each joined to others. Made once: no test here writes."""
    with django_db_blocker.unblock(), transaction.atomic():
        _make_many()
        yield
        transaction.set_rollback(True)


def _make_many() -> None:
    editor = make_person(username="editor")
    sections = [make_section(slug) for slug in ("compute", "power", "cooling")]
    rungs = list(Rung.objects.all())
    make_live_article(by=editor, slug="linked")
    for n in range(ROWS):
        maker = Manufacturer.objects.create(slug=f"maker-{n:02}", name=f"Maker {n}")
        device = make_device(slug=f"zephyr-{n:02}", model=f"Zephyr {n}", manufacturer=maker, section=sections[n % 3])
        DeviceComponent.objects.create(device=device, component_kind="interfaces", name="eth0", position=1)
        make_fact(("10.2", "kW"), ("10.4", "kW"), subject=device)
        site = make_installation(slug=f"hall-{n:02}", rung=rungs[n % 5])
        make_fact(("1", "MW"), subject=site, field="power_w")
        vendor = make_live_vendor(slug=f"company-{n:02}", manufacturer=maker, sections=[sections[n % 3]])
        make_live_placement(vendor=vendor, slot=f"slot-{n:02}")
        source = make_source(slug=f"guide-{n:02}")
        authors = [make_author(slug=f"byline-{n:02}"), make_author(slug=f"coauthor-{n:02}")]
        article = make_live_article(
            by=editor, slug=f"old-{n:02}", section=sections[n % 3], rung=rungs[n % 5], authors=authors,
            tags=[make_tag(slug=f"topic-{n:02}")],
            body=BODY.format(device=device.slug, source=source.slug, site=site.slug, vendor=vendor.slug),
        )  # fmt: skip
        make_next_edition(article, by=editor, slug=f"new-{n:02}")
    assert Installation.objects.count() == ROWS


ARGUMENTS = {"search": 'q: "zephyr"'}
SMALL, LARGE = 5, 50


def lists(client):
    """Return the walk, and the root fields that are pages."""
    walk = Walk(introspected(client), first=2)
    return walk, [root for root in walk.roots() if root.is_page]


def test_every_list_costs_the_same_at_5_and_at_50(client, many):
    walk, roots = lists(client)
    grown, asked = [], 0
    for root in roots:
        for way in set(walk.ways(root, 1)):
            costs = []
            for first in (SMALL, LARGE):
                arguments = ", ".join(filter(None, [f"first: {first}", ARGUMENTS.get(root.name, "")]))
                query = f"{{ {walk.call(root, 1, way, arguments)} }}"
                with CaptureQueriesContext(connection) as queries:
                    page = data_of(client, query)[root.name]
                if root.name not in EMPTY:
                    assert len(page["edges"]) == first, root.name
                costs.append(len(queries))
            asked += 1
            if costs[0] != costs[1]:
                grown.append((root.name, way, costs))
    assert grown == []
    assert asked > 40


EMPTY = ("scenarios",)
"""Lists of which no row is made here; their own tests count them."""


@pytest.mark.parametrize(
    ("query", "statements"),
    [
        # The moment, the page, and one for each relation, however many rows there are.
        ("articles(first: N) { edges { node { title } } }", 2),
        ("articles(first: N) { totalCount edges { node { title } } }", 3),
        (
            "articles(first: N) { edges { node { title section { name } "
            "authors { name articles(first: 3) { edges { node { title } } } } } } }",
            5,
        ),
        (
            "articles(first: N) { edges { node { html toc { text } citations { source { title } } "
            "links { slug } blocks { ... on DeviceBlock { device { model manufacturer { name } } } } } } }",
            9,
        ),
        ("sections { articles(first: N) { edges { node { tags { name } } } } }", 4),
        (
            "devices(first: N) { edges { node { "
            "facts { chosen { source { title } } claims { value source { title } } } } } }",
            7,
        ),
        ("placements(first: N) { edges { node { vendor { sections { name } manufacturer { name } } } } }", 5),
        ('search(q: "zephyr", kinds: [ARTICLE], first: N) { edges { node { node { id } } } }', 3),
    ],
)
def test_what_a_query_costs(client, many, django_assert_num_queries, query, statements):
    for first in (SMALL, LARGE):
        with django_assert_num_queries(statements):
            data_of(client, f"{{ {query.replace('N', str(first))} }}")


def test_a_list_inside_of_rows_is_cut_by_the_database(client, many, django_assert_num_queries):
    """Reading all articles of an author to show three is what makes nested lists slow."""
    with CaptureQueriesContext(connection) as queries:
        data_of(client, "{ sections { articles(first: 3) { edges { node { title } } } } }")

    [sql] = [query["sql"] for query in queries if "articles_edition" in query["sql"]]
    assert "LATERAL" in sql
    assert "LIMIT 4)" in sql


def test_what_is_not_asked_for_is_not_read(client, many):
    with CaptureQueriesContext(connection) as queries:
        data_of(client, "{ articles { edges { node { title } } } }")

    read = " ".join(query["sql"] for query in queries)
    for column in ('"content"', '"plain_text"', '"search"', "count(*)", '"catalog_section"'):
        assert column not in read
