"""Feeds and the sitemap: what readers see, at the database's clock, in forms that programs accept."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

import pytest

from articles import services
from articles.feeds.sitemap import Sitemap
from core.publishing.services import database_now
from tests.factories import make_article, make_author, make_live_article, make_next_edition, make_section, make_tag
from tests.sponsors.factories import make_live_placement

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"
DC = "{http://purl.org/dc/elements/1.1/}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
FORMS = ("rss", "atom", "json")


@pytest.fixture(autouse=True)
def addresses(settings):
    settings.PLENUM_PUBLIC_URL = "https://api.example"
    settings.PLENUM_ARTICLE_URL = "https://read.example/{section}/{slug}"
    settings.PLENUM_SITE_URL = "https://read.example/"
    settings.PLENUM_PUBLICATION = "The Rack & Row"


def make_full() -> tuple:
    """Return an article with everything that a feed tells, and its edition."""
    article = make_live_article(
        slug="busways",
        title="Busways & <rails>",
        dek="48 V < 54 V",
        body="See [below](#more).\n\n## More\n\nText with a note.[^1]\n\n[^1]: Here.\n",
        section=make_section("power"),
        authors=[make_author(name="Ines Lind"), make_author(name="Ole Moe")],
        tags=[make_tag(name="busbar")],
        corrections=[{"said": "10 kW", "says": "12 kW & more", "on": "2026-10-02", "gravity": "major"}],
        published_at=datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC),
    )
    return article, article.editions.get()


def written(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def entries_of(response) -> list[tuple[str, str, str]]:
    """Return (id, address, title) of the entries of a feed of any form."""
    kind = response["Content-Type"].partition(";")[0]
    if kind == "application/feed+json":
        return [(item["id"], item["url"], item["title"]) for item in response.json()["items"]]
    root = ElementTree.fromstring(response.content)
    if kind == "application/rss+xml":
        return [(i.findtext("guid"), i.findtext("link"), i.findtext("title")) for i in root.iter("item")]
    assert kind == "application/atom+xml"
    return [
        (e.findtext(f"{ATOM}id"), e.find(f"{ATOM}link").get("href"), e.findtext(f"{ATOM}title"))
        for e in root.iter(f"{ATOM}entry")
    ]


def test_atom_says_all_that_the_standard_asks_for(client):
    article, edition = make_full()

    response = client.get("/feeds/articles.atom")

    root = ElementTree.fromstring(response.content)
    updated = written(edition.live.lower)
    assert root.tag == f"{ATOM}feed"
    assert root.findtext(f"{ATOM}id") == "https://api.example/feeds/articles.atom"
    assert root.findtext(f"{ATOM}title") == "The Rack & Row"
    assert root.findtext(f"{ATOM}updated") == updated
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "The Rack & Row"
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links == {"self": "https://api.example/feeds/articles.atom", "alternate": "https://read.example/"}
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}id") == f"urn:uuid:{article.pk}"
    assert entry.findtext(f"{ATOM}title") == "Busways & <rails>"
    assert entry.find(f"{ATOM}link").get("href") == "https://read.example/power/busways"
    assert entry.findtext(f"{ATOM}published") == "2026-02-03T04:05:06.000000Z"
    assert entry.findtext(f"{ATOM}updated") == updated
    assert [author.findtext(f"{ATOM}name") for author in entry.findall(f"{ATOM}author")] == ["Ines Lind", "Ole Moe"]
    assert [category.get("term") for category in entry.findall(f"{ATOM}category")] == ["Power", "busbar"]
    assert entry.find(f"{ATOM}summary").get("type") == "html"
    assert entry.findtext(f"{ATOM}summary") == (
        "<p>48 V &lt; 54 V</p><p><strong>Correction, 2026-10-02 (major).</strong> It said: 10 kW It says: "
        "12 kW &amp; more</p>"
    )
    assert entry.find(f"{ATOM}content") is None


def test_rss_says_all_that_the_standard_asks_for(client):
    article, edition = make_full()

    root = ElementTree.fromstring(client.get("/feeds/articles.rss").content)

    channel = root.find("channel")
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    assert [channel.findtext(name) for name in ("title", "link", "description")] == [
        "The Rack & Row",
        "https://read.example/",
        "The newest articles of The Rack & Row.",
    ]
    assert channel.find(f"{ATOM}link").get("href") == "https://api.example/feeds/articles.rss"
    assert parsedate_to_datetime(channel.findtext("lastBuildDate")) == edition.live.lower.replace(microsecond=0)
    (item,) = channel.findall("item")
    assert (item.findtext("guid"), item.find("guid").get("isPermaLink")) == (f"urn:uuid:{article.pk}", "false")
    assert item.findtext("link") == "https://read.example/power/busways"
    assert item.findtext("pubDate") == "Tue, 03 Feb 2026 04:05:06 GMT"
    assert item.findtext(f"{ATOM}updated") == written(edition.live.lower)
    assert [creator.text for creator in item.findall(f"{DC}creator")] == ["Ines Lind", "Ole Moe"]
    assert "(major)" in item.findtext("description")
    assert item.find(f"{CONTENT}encoded") is None


def test_json_feed_says_all_that_the_standard_asks_for(client):
    article, edition = make_full()

    feed = client.get("/feeds/articles.json").json()

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"] == "https://api.example/feeds/articles.json"
    (item,) = feed["items"]
    assert item["id"] == f"urn:uuid:{article.pk}"
    assert item["url"] == "https://read.example/power/busways"
    assert (item["date_published"], item["date_modified"]) == (
        "2026-02-03T04:05:06.000000Z",
        written(edition.live.lower),
    )
    assert item["authors"] == [{"name": "Ines Lind"}, {"name": "Ole Moe"}]
    assert item["tags"] == ["Power", "busbar"]
    assert item["_plenum"]["corrections"] == article.corrections
    assert item["content_html"].startswith("<p>48 V &lt; 54 V</p>")


@pytest.mark.parametrize("form", FORMS)
def test_full_texts_have_whole_addresses(client, settings, form):
    settings.PLENUM_FEED_FULL_TEXT = True
    make_full()

    text = client.get(f"/feeds/articles.{form}").content.decode()

    if form == "json":
        html = json.loads(text)["items"][0]["content_html"]
    else:
        name = f"{CONTENT}encoded" if form == "rss" else f"{ATOM}content"
        html = next(ElementTree.fromstring(text).iter(name)).text
    assert '<a href="https://read.example/power/busways#more">below</a>' in html
    assert 'href="#' not in html and 'src="/' not in html
    assert "Text with a note." in html and "12 kW &amp; more" in html


@pytest.mark.parametrize("form", FORMS)
def test_a_section_has_a_feed_of_its_own_and_an_unknown_one_is_a_404(client, form):
    here = make_live_article(section=make_section("cooling"), slug="cold")
    make_live_article(section=make_section("power"))
    make_live_article(slug="nowhere")

    found = entries_of(client.get(f"/feeds/cooling.{form}"))

    assert found == [(f"urn:uuid:{here.pk}", "https://read.example/cooling/cold", here.title)]
    assert entries_of(client.get(f"/feeds/storage.{form}")) == []
    assert client.get(f"/feeds/none.{form}").status_code == 404
    assert client.get("/feeds/cooling.xml").status_code == 404
    assert ("https://read.example/nowhere") in [url for _, url, _ in entries_of(client.get(f"/feeds/articles.{form}"))]


@pytest.mark.parametrize("form", FORMS)
def test_a_rename_keeps_the_id_and_moves_what_was_updated(client, form):
    article, _ = make_full()
    before = entries_of(client.get(f"/feeds/articles.{form}"))
    edition = make_next_edition(article, slug="busbars", title="Busbars")

    response = client.get(f"/feeds/articles.{form}")

    assert before[0][0] == f"urn:uuid:{article.pk}"
    assert entries_of(response) == [(f"urn:uuid:{article.pk}", "https://read.example/power/busbars", "Busbars")]
    assert written(edition.live.lower) in response.content.decode()


@pytest.mark.parametrize("form", FORMS)
def test_only_what_is_live_is_told_and_nothing_that_is_paid_for(client, form):
    make_article(title="A draft")
    make_live_article(title="Tomorrow", at=database_now() + timedelta(days=1))
    gone = make_live_article(title="Gone")
    live = make_live_article(title="Here")
    make_live_placement(text="Buy pumps.")
    services.withdraw_article(gone, reason="Wrong.")

    response = client.get(f"/feeds/articles.{form}")

    assert [title for _, _, title in entries_of(response)] == ["Here"]
    assert "Buy pumps" not in response.content.decode()
    assert response["Cache-Tag"] == f"article,section,author,tag,image,article:{live.pk}"


@pytest.mark.parametrize("address", ["articles.rss", "power.atom", "power.json"])
def test_a_feed_costs_two_statements_at_any_size_and_a_304_one(client, django_assert_num_queries, address):
    for size in (1, 5):
        for _ in range(size):
            make_live_article(section=make_section("power"), authors=[make_author()], tags=[make_tag()])
        client.get(f"/feeds/{address}")  # The statement is compiled once.
        with django_assert_num_queries(2):
            response = client.get(f"/feeds/{address}")
        with django_assert_num_queries(1):
            assert client.get(f"/feeds/{address}", HTTP_IF_NONE_MATCH=response["ETag"]).status_code == 304


def test_a_feed_holds_50_and_the_newest_come_first(client):
    editor = None
    for n in range(52):
        article = make_live_article(title=f"Number {n}", by=editor)
        editor = editor or article.editions.get().submitted_by

    titles = [title for _, _, title in entries_of(client.get("/feeds/articles.json"))]

    assert titles == [f"Number {n}" for n in range(51, 1, -1)]


def test_a_feed_is_well_formed_whatever_a_title_holds(client):
    make_live_article(title="A\x0bB ]]> & \ufffe", dek="<b>")

    for form in ("rss", "atom"):
        ((_, _, title),) = entries_of(client.get(f"/feeds/articles.{form}"))
        assert title == "AB ]]> & "


def test_an_unknown_parameter_of_a_feed_is_refused(client):
    response = client.get("/feeds/articles.rss?limit=5")

    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "limit")


def locations(response) -> dict[str, str]:
    root = ElementTree.fromstring(response.content)
    return {one.findtext(f"{MAP}loc"): one.findtext(f"{MAP}lastmod") for one in root}


@pytest.mark.django_db(transaction=True)  # A tag moves with each transaction, so each verb has its own.
def test_the_sitemap_has_each_live_article_since_when_its_edition_is_live(client):
    make_article()
    make_live_article(at=database_now() + timedelta(days=1))
    gone = make_live_article(slug="gone", section=make_section("power"))
    article = make_live_article(slug="first", section=make_section("power"))
    edition = make_next_edition(article, slug="second", at=None)
    before = client.get("/sitemap.xml")
    assert locations(before) == {
        "https://read.example/power/gone": written(gone.editions.get().live.lower),
        "https://read.example/power/second": written(edition.live.lower),
    }

    services.withdraw_article(gone, reason="Wrong.")

    after = client.get("/sitemap.xml", HTTP_IF_NONE_MATCH=before["ETag"])
    assert after.status_code == 200 and after["Content-Type"] == "application/xml"
    assert locations(after) == {"https://read.example/power/second": written(edition.live.lower)}


def test_a_large_sitemap_is_an_index_of_parts(client, monkeypatch):
    monkeypatch.setattr(Sitemap, "size", 2)
    articles = sorted((make_live_article() for _ in range(5)), key=lambda article: article.pk)
    since = [written(article.editions.get().live.lower) for article in articles]

    index = client.get("/sitemap.xml")

    assert ElementTree.fromstring(index.content).tag == f"{MAP}sitemapindex"
    assert locations(index) == {
        "https://api.example/sitemap-1.xml": max(since[:2]),
        "https://api.example/sitemap-2.xml": max(since[2:4]),
        "https://api.example/sitemap-3.xml": since[4],
    }
    found = [list(locations(client.get(f"/sitemap-{n}.xml"))) for n in (1, 2, 3)]
    assert found == [[f"https://read.example/{a.slug}" for a in articles[n : n + 2]] for n in (0, 2, 4)]
    for wrong in ("/sitemap-4.xml", "/sitemap-0.xml", "/sitemap-99999999999999999999.xml"):
        assert client.get(wrong).status_code == 404


def test_where_no_site_is_named_addresses_are_those_of_the_api(client, settings):
    settings.PLENUM_ARTICLE_URL = settings.PLENUM_SITE_URL = ""
    make_live_article(slug="busways", section=make_section("power"))

    ((_, url, _),) = entries_of(client.get("/feeds/articles.rss"))

    assert url == "https://api.example/api/v1/articles/busways/"


def test_lists_say_how_grave_the_gravest_correction_is(client):
    row = {"said": "a", "says": "b", "on": "2026-10-02"}
    make_live_article(slug="major", corrections=[{**row, "gravity": "minor"}, {**row, "gravity": "major"}])
    make_live_article(slug="minor", corrections=[{**row, "gravity": "minor"}])
    make_live_article(slug="none")

    listed = client.get("/api/v1/articles/").json()["results"]
    answer = client.post(
        "/graphql/", {"query": "{ articles { edges { node { slug corrected } } } }"}, content_type="application/json"
    ).json()

    expected = {"major": "major", "minor": "minor", "none": None}
    assert {one["slug"]: one["corrected"] for one in listed} == expected
    assert {e["node"]["slug"]: e["node"]["corrected"] for e in answer["data"]["articles"]["edges"]} == expected
