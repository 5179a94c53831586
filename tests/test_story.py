"""One article through its whole life, asked for in every way, from two server processes."""

from datetime import timedelta

import pytest
from django.db import connection

from articles import services
from core.publishing.services import database_now
from tests.factories import make_approved_edition, make_article, make_author, make_person, make_section, make_tag
from tests.servers import PUBLIC, Server, serving

NESTED = """query ($author: String!, $slug: String!, $word: String!) {
  author(slug: $author) { articles(first: 5) { edges { node { title } } } }
  section(slug: "power") { articles(first: 5) { edges { node { title } } } }
  article(slug: $slug) { title }
  search(q: $word, first: 5) { edges { node { title } } }
}"""


def ask(server: Server, article, slug: str) -> dict:
    """Return what every surface says of the article: its title where it shows one, None where it shows nothing."""
    item = server.get(f"/api/v1/articles/{slug}/")
    by_id = server.get(f"/api/v1/articles/{article.pk}/")
    titles = {name: _titles(server.get(path)) for name, path in LISTS.items()}
    data = server.graphql(NESTED, author="ines", slug=slug, word="zirconium")
    return {
        "item": item.json()["title"] if item.status == 200 else item.status,
        "by id": by_id.json()["title"] if by_id.status == 200 else by_id.status,
        **titles,
        "nested in author": _nodes(data["author"]["articles"]),
        "nested in section": _nodes(data["section"]["articles"]),
        "graphql": data["article"] and data["article"]["title"],
        "graphql search": _nodes(data["search"]),
    }


LISTS = {
    "list": "/api/v1/articles/",
    "by section": "/api/v1/articles/?section=power",
    "by author": "/api/v1/articles/?author=ines",
    "by tag": "/api/v1/articles/?tag=busway",
    "search": "/api/v1/search/?q=zirconium",
    "filter search": "/api/v1/articles/?search=zirconium",
}


def _titles(answer):
    assert answer.status == 200, answer.body
    return next((row["title"] for row in answer.json()["results"]), None)


def _nodes(connection_):
    return next((edge["node"]["title"] for edge in connection_["edges"]), None)


def everywhere(title: str | None, *, status: int = 404) -> dict:
    """Return the answers when all surfaces show `title`, or when none shows anything."""
    names = [*LISTS, "nested in author", "nested in section", "graphql", "graphql search"]
    return {"item": title or status, "by id": title or 404, **dict.fromkeys(names, title)}


def changes_of(server: Server, article) -> list:
    """Return the changes of the article in the feed, in its order, once the feed reaches up to now."""
    now = database_now()
    while True:
        url, found = "/api/v1/changes/?kind=article", []
        while True:
            page = server.get(url).json()
            found += [(row["change_kind"], row["reason"]) for row in page["results"] if row["id"] == str(article.pk)]
            url = page["next"]
            if not page["results"]:
                break
        if page["covered_to"] >= now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"):
            return found


def pass_instant(at) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(greatest(0, extract(epoch from %s - clock_timestamp())) + 0.001)", [at])


@pytest.mark.django_db(transaction=True)
def test_the_life_of_an_article_as_two_servers_tell_it():
    editor = make_person()
    author, tag = make_author(slug="ines", name="Ines"), make_tag(slug="busway")
    article = make_article(
        by=editor,
        slug="busways",
        title="Busways",
        body="Of zirconium.\n",
        section=make_section("power"),
        authors=[author],
        tags=[tag],
    )
    with serving(2) as (one, two):

        def both(expected, slug="busways"):
            for server in (one, two):
                assert ask(server, article, slug) == expected

        # A draft, an edition in review, an approved one: nobody sees anything.
        both(everywhere(None))
        list_tag = one.get("/api/v1/articles/").headers["ETag"]
        edition = services.submit_article(article, by=editor)
        both(everywhere(None))
        services.review_article(edition, by=editor, verdict="approved")
        both(everywhere(None))
        assert two.get("/api/v1/articles/", if_none_match=list_tag).status == 304

        # Scheduled: nothing before the instant, however long that takes to ask; everything after it, without a worker.
        edition = services.publish_article(edition, at=database_now() + timedelta(hours=1))
        both(everywhere(None))
        assert two.get("/api/v1/articles/", if_none_match=list_tag).status == 304
        assert changes_of(one, article) == []
        services.cancel_article(edition)
        instant = database_now() + timedelta(seconds=1)
        services.publish_article(edition, at=instant)
        pass_instant(instant)
        both(everywhere("Busways"))
        assert two.get("/api/v1/articles/", if_none_match=list_tag).status == 200
        assert changes_of(two, article) == [("upsert", "published")]
        item = one.get("/api/v1/articles/busways/")
        assert two.get("/api/v1/articles/busways/", if_none_match=item.headers["ETag"]).status == 304
        assert item.json()["published_at"] == item.json()["updated_at"] == instant.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        # Corrected, under another address: the old edition until then, the new one after; the date stays.
        first_seen = database_now()
        article.refresh_from_db()
        article = services.change_article(
            article,
            based_on=article.draft_version,
            by=editor,
            fields={"title": "Busways, corrected", "slug": "busways-explained"},
        )
        corrected = make_approved_edition(article, by=editor)
        both(everywhere("Busways"))
        assert two.get("/api/v1/articles/busways/", if_none_match=item.headers["ETag"]).status == 304
        services.publish_article(corrected)
        both(everywhere("Busways, corrected"), slug="busways-explained")
        moved = two.get("/api/v1/articles/busways/")
        assert (moved.status, moved.headers["Location"]) == (301, f"{PUBLIC}/api/v1/articles/busways-explained/")
        assert two.get("/api/v1/articles/busways/", if_none_match=item.headers["ETag"]).status == 301
        assert one.get("/api/v1/articles/busways-explained/").json()["published_at"] == item.json()["published_at"]
        (redirect,) = one.get("/api/v1/redirects/").json()["results"]
        assert redirect["record_id"] == str(article.pk)
        assert (redirect["from"], redirect["to"]) == ("busways", "busways-explained")
        assert changes_of(one, article) == [("upsert", "published")] * 2

        # As of the instant before: the old title, at its old address, in item, list and search.
        as_of = f"as_of={first_seen.strftime('%Y-%m-%dT%H:%M:%S.%fZ')}"
        assert one.get(f"/api/v1/articles/busways/?{as_of}").json()["title"] == "Busways"
        assert _titles(two.get(f"/api/v1/articles/?{as_of}")) == "Busways"
        assert _titles(two.get(f"/api/v1/search/?q=zirconium&{as_of}")) == "Busways"
        before = f"as_of={(instant - timedelta(microseconds=1)).strftime('%Y-%m-%dT%H:%M:%S.%fZ')}"
        assert one.get(f"/api/v1/articles/busways/?{before}").status == 404
        assert _titles(two.get(f"/api/v1/articles/?{before}")) is None
        future = one.get("/api/v1/articles/?as_of=2999-01-01T00:00:00Z")
        assert (future.status, future.json()["errors"][0]["code"]) == (400, "as_of_in_future")

        # Withdrawn: gone everywhere at once, at every address and at every instant.
        services.withdraw_article(article, reason="It was about another site.")
        both(everywhere(None), slug="busways-explained")
        both(everywhere(None))
        assert one.get("/api/v1/redirects/").json()["results"] == []
        assert changes_of(two, article) == [("upsert", "published")] * 2 + [("tombstone", "withdrawn")]
        assert one.get(f"/api/v1/articles/busways/?{as_of}").status == 404
        assert _titles(two.get(f"/api/v1/articles/?{as_of}")) is None
        assert _titles(two.get(f"/api/v1/search/?q=zirconium&{as_of}")) is None
