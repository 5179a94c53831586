"""What scripts of other origins may send and read."""

import pytest


@pytest.fixture
def front_end(settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://news.example"]
    return "https://news.example"


def test_a_front_end_may_ask_conditionally(client, front_end):
    response = client.options(
        "/api/v1/articles/",
        headers={
            "origin": front_end,
            "access-control-request-method": "GET",
            "access-control-request-headers": "if-none-match",
        },
    )

    assert response["Access-Control-Allow-Origin"] == front_end
    assert "if-none-match" in response["Access-Control-Allow-Headers"]


@pytest.mark.django_db
def test_a_front_end_reads_the_tags_and_links_and_a_stranger_nothing(client, front_end):
    response = client.get("/api/v1/articles/", headers={"origin": front_end})
    stranger = client.get("/api/v1/articles/", headers={"origin": "https://other.example"})

    assert response["Access-Control-Expose-Headers"] == "ETag, Link, Cache-Tag"
    assert "Access-Control-Allow-Origin" not in stranger
