"""Previews by the APIs: one article as it would be, on every surface, for whoever has the token and nobody else."""

import json
import logging
from datetime import timedelta

import pytest
from django.core.signing import Signer
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from articles import services
from articles.models import Edition, PreviewLink
from articles.previews import make_link, revoke_link, token_of
from core.api.ids import uuid7
from core.feed.models import Change, Version
from core.publishing.models import Redirect, Reference, Review
from core.publishing.services import database_now
from simulator.models import Run
from tests.factories import (
    make_article,
    make_author,
    make_device,
    make_fact,
    make_live_article,
    make_next_edition,
    make_person,
    make_section,
    make_tag,
)

HOUR = timedelta(hours=1)

pytestmark = pytest.mark.django_db


def token_for(article, *, edition=None) -> str:
    return token_of(make_link(article, by=make_person(), lifetime=HOUR, edition=edition))


def get(client, path, token, **headers):
    return client.get(path, headers={"Plenum-Preview": token, **headers})


def graphql(client, query, token):
    return client.post(
        "/graphql/", json.dumps({"query": query}), content_type="application/json", headers={"Plenum-Preview": token}
    )


def rows_of_everything() -> list:
    tables = (Edition, Review, Reference, Change, Version, Redirect)
    return [list(table._default_manager.order_by("pk").values_list()) for table in tables]


def test_every_surface_shows_the_draft_and_nobody_else_sees_it(client):
    device = make_device(slug="dgx")
    make_fact(("10200", "W"), subject=device, field="power_nameplate_w")
    author, tag, section = make_author(), make_tag(slug="busbar"), make_section("power")
    article = make_live_article(slug="first", title="Live zirconium", body="Live.\n", section=section, authors=[author])
    services.change_article(
        article, based_on=article.draft_version, by=make_person(), tags=[tag],
        fields={
            "slug": "second", "title": "Draft beryllium",
            "body": "## Power\n\nIt draws {{dgx.power_nameplate_w}}.\n\n::: device slug=dgx\n:::\n",
        },
    )  # fmt: skip
    before = rows_of_everything()
    token = token_for(article)

    item = get(client, "/api/v1/articles/second/", token)

    shown = item.json()
    assert (shown["id"], shown["title"], shown["slug"]) == (str(article.pk), "Draft beryllium", "second")
    assert [quantity["text"] for quantity in shown["quantities"]] == ["10.2 kW"]
    assert [block["type"] for block in shown["blocks"]] == ["heading", "paragraph", "device"]
    assert [one["slug"] for one in shown["tags"]] == ["busbar"]
    assert item["Cache-Control"] == "private, no-store"
    assert "ETag" not in item and "Cache-Tag" not in item
    assert get(client, "/api/v1/articles/first/", token)["Location"].endswith("/api/v1/articles/second/")
    assert get(client, f"/api/v1/articles/{article.pk}/", token).json()["title"] == "Draft beryllium"
    for path in ("articles/", "articles/?tag=busbar", "articles/?search=beryllium", "search/?q=beryllium"):
        listed = get(client, "/api/v1/" + path, token).json()["results"]
        assert [one["title"] for one in listed] == ["Draft beryllium"], path
    assert get(client, "/api/v1/search/?q=zirconium", token).json()["results"] == []
    query = """{ article(slug: "second") { title quantities { text } blocks { __typename } }
        articles { edges { node { title } } } section(slug: "power") { articles { edges { node { title } } } }
        redirects { edges { node { from to } } } }"""
    answer = graphql(client, query, token)
    assert answer["Cache-Control"] == "private, no-store"
    data = answer.json()["data"]
    one = [{"node": {"title": "Draft beryllium"}}]
    assert data["article"]["title"] == "Draft beryllium"
    assert data["article"]["quantities"] == [{"text": "10.2 kW"}]
    assert [block["__typename"] for block in data["article"]["blocks"]] == [
        "HeadingBlock",
        "ParagraphBlock",
        "DeviceBlock",
    ]
    assert data["articles"]["edges"] == data["section"]["articles"]["edges"] == one
    assert data["redirects"]["edges"] == [{"node": {"from": "first", "to": "second"}}]

    assert rows_of_everything() == before
    assert client.get("/api/v1/articles/first/").json()["title"] == "Live zirconium"
    assert client.get("/api/v1/articles/second/").status_code == 404
    article.refresh_from_db()
    assert (article.title, article.draft_writer_ids != []) == ("Draft beryllium", True)


@pytest.mark.parametrize("state", ["in review", "changes requested", "scheduled", "over", "live", "withdrawn"])
def test_an_edition_is_shown_whatever_has_become_of_it(client, state):
    by = make_person()
    edition = services.submit_article(make_article(title="This one", slug="this", tags=[make_tag()]), by=by)
    if state != "in review":
        verdict = "changes_requested" if state == "changes requested" else "approved"
        services.review_article(edition, by=by, verdict=verdict, note="Shorter.")
    if state == "scheduled":
        services.publish_article(edition, at=database_now() + HOUR)
    elif state in ("over", "live", "withdrawn"):
        services.publish_article(edition)
    if state == "over":
        make_next_edition(edition.article, title="Another", slug="another")
    elif state == "withdrawn":
        services.withdraw_article(edition.article, reason="Wrong.")
    token = token_for(edition.article, edition=edition)
    before = rows_of_everything()

    shown = get(client, "/api/v1/articles/this/", token).json()

    assert (shown["title"], len(shown["tags"]), shown["sha256"]) == ("This one", 1, edition.sha256)
    assert rows_of_everything() == before


def test_a_preview_shows_one_article_among_what_is_live_and_what_is_scheduled_waits(client):
    make_live_article(title="Neighbour")
    article = make_live_article(title="Now")
    make_next_edition(article, title="Tomorrow", at=database_now() + HOUR)
    article.refresh_from_db()
    services.change_article(article, based_on=article.draft_version, by=make_person(), fields={"title": "Draft"})

    listed = get(client, "/api/v1/articles/", token_for(article)).json()["results"]

    assert sorted(one["title"] for one in listed) == ["Draft", "Neighbour"]
    assert sorted(one["title"] for one in client.get("/api/v1/articles/").json()["results"]) == ["Neighbour", "Now"]
    assert article.editions.get(number=2).live is not None


@pytest.mark.parametrize("how", ["expired", "revoked", "forged", "unsigned", "another salt", "gone", "empty"])
def test_what_does_not_hold_is_a_403_on_every_surface_and_never_what_is_live(client, how):
    article = make_live_article(title="Live", slug="live")
    link = make_link(article, by=make_person(), lifetime=HOUR)
    token = token_of(link)
    if how == "expired":
        PreviewLink.objects.update(expires_at="2020-01-01T00:00Z")
    elif how == "revoked":
        revoke_link(link)
    elif how == "forged":
        token = token[:-1] + ("A" if token[-1] != "A" else "B")
    elif how == "unsigned":
        token = link.pk.hex
    elif how == "another salt":
        token = Signer(salt="other").sign(link.pk.hex)
    elif how == "gone":
        link.pk = uuid7()
        token = token_of(link)
    else:
        token = ""

    for response in (
        get(client, "/api/v1/articles/live/", token),
        get(client, "/api/v1/articles/", token),
        graphql(client, '{ article(slug: "live") { title } }', token),
    ):
        assert response.status_code == 403
        assert response.json()["errors"][0]["code"] == "preview_refused"
        assert "Live" not in response.content.decode()
        assert response["Cache-Control"] == "private, no-store"


def test_a_token_opens_its_own_article_only(client):
    token = token_for(make_article(title="Mine"))
    make_live_article(slug="other", title="Other")

    by_rest = get(client, "/api/v1/articles/other/", token)
    by_graphql = graphql(client, '{ article(slug: "other") { title } }', token)

    assert (by_rest.status_code, by_rest.json()["errors"][0]["code"]) == (403, "preview_of_other")
    assert by_graphql.json()["errors"][0]["extensions"]["code"] == "preview_of_other"
    assert "Other" not in by_rest.content.decode() + by_graphql.content.decode()


def test_a_page_of_another_origin_reads_no_preview_unless_the_operator_named_it(client, settings):
    article = make_article(slug="mine", title="Mine")
    token = token_for(article)

    refused = get(client, "/api/v1/articles/mine/", token, origin="https://evil.example")
    settings.CORS_ALLOWED_ORIGINS = ["https://read.example"]
    allowed = get(client, "/api/v1/articles/mine/", token, origin="https://read.example")

    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (403, "preview_origin")
    assert "Mine" not in refused.content.decode()
    assert (allowed.status_code, allowed.json()["title"]) == (200, "Mine")
    assert get(client, "/api/v1/articles/mine/", token, origin="http://testserver").status_code == 200


def test_a_token_in_a_parameter_opens_nothing(client):
    article = make_article(slug="mine")
    response = client.get(f"/api/v1/articles/mine/?preview={token_for(article)}")

    assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "unknown_parameter")


def test_a_draft_with_mistakes_is_refused_by_line(client):
    article = make_article(slug="mine", body="It draws {{none.such}}.\n")
    before = rows_of_everything()

    response = get(client, "/api/v1/articles/mine/", token_for(article))

    assert response.status_code == 409
    assert response.json()["errors"][0]["field"] == "body"
    assert response.json()["errors"][0]["message"].startswith("Line 1, column 10:")
    assert rows_of_everything() == before


def test_a_draft_may_take_an_address_that_another_article_left(client):
    taken = make_live_article(slug="moved")
    make_next_edition(taken, slug="moved-on")
    mine = make_article(slug="moved", title="Mine")

    assert get(client, "/api/v1/articles/moved/", token_for(mine)).json()["title"] == "Mine"
    assert client.get("/api/v1/articles/moved/").status_code == 301


def test_a_condition_never_confirms_a_preview_and_the_feed_has_none(client):
    token = token_for(make_article(slug="mine"))

    assert get(client, "/api/v1/articles/mine/", token, if_none_match="*").status_code == 200
    assert get(client, "/api/v1/changes/", token).status_code == 400


def test_what_would_be_begun_in_a_preview_is_refused_and_not_begun(client):
    make_device(slug="dgx", u_height=8, power_nameplate_w=10_200, gpu_count=8)
    asked = {"accelerators": 8, "devices": [{"device": "dgx"}], "rack_power_max_kw": 44}
    headers = {"Plenum-Preview": token_for(make_article(slug="mine"))}

    refused = client.post("/api/v1/simulator/plan/", asked, content_type="application/json", headers=headers)

    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "no_preview_here")
    assert Run.objects.count() == 0 and ProcrastinateJob.objects.filter(queue_name="simulator").count() == 0


def test_who_has_no_token_is_told_that_answers_vary(client):
    make_live_article(slug="live")

    assert client.get("/api/v1/articles/live/")["Vary"].startswith("Accept, Plenum-Preview")


def test_no_token_stands_in_the_database_or_the_log(client, caplog, monkeypatch):
    article = make_live_article(slug="mine")
    link = make_link(article, by=make_person(), lifetime=HOUR)
    token = token_of(link)
    signature = token.split(":")[1]
    client.raise_request_exception = False
    monkeypatch.setattr("articles.preview_pages.preview_of_link", lambda link: 1 / 0)

    with caplog.at_level(logging.DEBUG):
        get(client, "/api/v1/articles/mine/", token)
        get(client, "/api/v1/articles/mine/", token[:-1])
        crashed = client.get(f"/preview/{token}/")

    assert crashed.status_code == 500
    assert signature not in crashed.content.decode()
    written = "\n".join(logging.Formatter("{message}", style="{").format(record) for record in caplog.records)
    assert "/preview/" in written and signature not in written
    with connection.cursor() as cursor:
        cursor.execute("select articles_previewlink::text from articles_previewlink")
        assert signature not in str(cursor.fetchall())


def test_an_editor_previews_on_after_a_link_has_expired_and_no_link_lives_longer(client):
    editor = make_person(is_staff=True, is_superuser=True)
    article = make_article(title="Stored", by=editor)
    link = make_link(article, by=editor, lifetime=HOUR)
    client.force_login(editor)
    page = f"/admin/articles/article/{article.pk}"
    assert client.get(f"{page}/change/").status_code == 200
    PreviewLink.objects.update(expires_at="2020-01-01T00:00Z")

    typed = client.post(f"{page}/preview/", {"title": "Typed", "body": "Later.\n"})

    assert typed.status_code == 200 and "Typed" in typed.content.decode()
    assert PreviewLink.objects.get().expires_at.year == 2020
    assert client.get(f"/preview/{token_of(link)}/").status_code == 403
