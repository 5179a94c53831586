"""What browsers may do with our pages."""

import pytest

from config.headers import POLICIES, policies

STRICT = {"default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"}


def policy_of(response) -> set[str]:
    return {directive.strip() for directive in response["Content-Security-Policy"].split(";")}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/nothing-here", "/api/v1/sections/", "/api/v1/nothing-here/"])
def test_nothing_may_be_loaded_by_what_is_no_page(client, path):
    response = client.get(path)
    assert policy_of(response) == STRICT
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]


@pytest.mark.django_db
def test_admin_loads_from_us_alone_and_no_inline_script_runs(client):
    policy = policy_of(client.get("/admin/login/"))
    assert "script-src 'self' 'unsafe-eval'" in policy
    assert {"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"} <= policy


def test_no_page_loads_from_elsewhere():
    for policy in POLICIES.values():
        for name, sources in policy.items():
            assert set(sources) <= {"'none'", "'self'", "data:", "'unsafe-inline'", "'unsafe-eval'"}
            if name.startswith("script-src"):
                assert "'unsafe-inline'" not in sources


def test_pictures_come_from_where_the_media_are_and_nothing_else_does():
    for prefix, policy in policies("https://media.example:8333/plenum-media/").items():
        for name, sources in policy.items():
            elsewhere = [source for source in sources if "//" in source]
            shows_media = name == "img-src" and prefix != "/simulator/"
            assert elsewhere == (["https://media.example:8333"] if shows_media else []), (prefix, name)


@pytest.mark.django_db
def test_other_origins_read_the_api_only_by_setting(client, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://magazine.example"]
    allowed = client.get("/api/v1/sections/", headers={"origin": "https://magazine.example"})
    assert allowed["Access-Control-Allow-Origin"] == "https://magazine.example"
    other = client.get("/api/v1/sections/", headers={"origin": "https://elsewhere.example"})
    assert "Access-Control-Allow-Origin" not in other
    admin = client.get("/admin/login/", headers={"origin": "https://magazine.example"})
    assert "Access-Control-Allow-Origin" not in admin
