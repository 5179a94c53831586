"""What the environment may say, and what it must."""

import json
import stat
import subprocess
import sys

import pytest

from tests.config.servers import ROOT, plain_environment

PRODUCTION = {
    "PLENUM_ENV": "production",
    "PLENUM_SECRET_KEY": "only-for-this-test-0123456789-abcdefghijklmnopqrstuvwxyz",
    "PLENUM_ALLOWED_HOSTS": "plenum.example",
    "DATABASE_URL": "postgresql://plenum:pass%40word@db.example:6432/main?sslmode=require",
}
READ = """
import json, sys
from django.core.exceptions import ImproperlyConfigured
try:
    from config import settings
except ImproperlyConfigured as error:
    sys.exit(str(error))
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}))
"""


def read_settings(tmp_path, *names, **environment):
    run = subprocess.run(
        [sys.executable, "-c", READ, *names],
        cwd=ROOT,
        env=plain_environment(PLENUM_DATA_DIR=str(tmp_path / "data")) | environment,
        capture_output=True,
        text=True,
    )
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


def test_production_is_the_default_and_names_all_that_it_needs(tmp_path):
    said = read_settings(tmp_path, "DEBUG")
    assert said == (
        "PLENUM_ENV=production needs PLENUM_SECRET_KEY, PLENUM_ALLOWED_HOSTS, DATABASE_URL: "
        "set what is missing (docs/operators.md says to what), or start with `make run`.\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", ["PLENUM_SECRET_KEY", "PLENUM_ALLOWED_HOSTS", "DATABASE_URL"])
@pytest.mark.parametrize("value", ["", "  "])
def test_production_refuses_to_start_without_each_of_them(tmp_path, name, value):
    said = read_settings(tmp_path, "DEBUG", **(PRODUCTION | {name: value}))
    assert said.startswith(f"PLENUM_ENV=production needs {name}: ")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PLENUM_SECRET_KEY", "short", "PLENUM_SECRET_KEY is too short to be a secret"),
        ("PLENUM_SECRET_KEY", "a" * 60, "PLENUM_SECRET_KEY is too short to be a secret"),
        ("PLENUM_ENV", "prod", "PLENUM_ENV is 'prod'; write production, development or test."),
        ("PLENUM_HTTPS", "yes", "PLENUM_HTTPS is 'yes'; write 1 or 0."),
        ("PLENUM_STATEMENT_SECONDS", "-1", "PLENUM_STATEMENT_SECONDS is '-1'; write a whole number."),
        ("DATABASE_URL", "mysql://root:hidden@db/main", "DATABASE_URL is for another kind of database"),
        ("DATABASE_URL", "postgresql://plenum:hidden@db:port:1/main", "DATABASE_URL is broken"),
        ("DATABASE_URL", "postgresql://plenum:hidden@db/", "DATABASE_URL names no database"),
    ],
)
def test_broken_setting_is_refused_in_one_sentence_that_tells_no_secret(tmp_path, name, value, sentence):
    said = read_settings(tmp_path, "DEBUG", **(PRODUCTION | {name: value}))
    assert sentence in said
    assert said.count("\n") == 1
    assert "hidden" not in said


def test_production_is_safe(tmp_path):
    found = read_settings(
        tmp_path,
        *("DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE"),
        *("CSRF_COOKIE_SECURE", "SECURE_PROXY_SSL_HEADER", "CORS_ALLOWED_ORIGINS", "SECRET_KEY"),
        **PRODUCTION,
    )
    assert found == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["plenum.example"],
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 63_072_000,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_PROXY_SSL_HEADER": None,
        "CORS_ALLOWED_ORIGINS": [],
        "SECRET_KEY": PRODUCTION["PLENUM_SECRET_KEY"],
    }


def test_database_url_is_read_whole(tmp_path):
    found = read_settings(tmp_path, "DATABASES", **PRODUCTION)["DATABASES"]["default"]
    options = found.pop("OPTIONS")
    assert found == {
        "ENGINE": "config.persistent",
        "NAME": "main",
        "USER": "plenum",
        "PASSWORD": "pass@word",
        "HOST": "db.example",
        "PORT": "6432",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
    assert options["sslmode"] == "require"
    assert (options["server_side_binding"], options["prepare_threshold"]) == (True, 2)


def test_pooler_that_knows_no_prepared_statements_gets_none(tmp_path):
    found = read_settings(tmp_path, "DATABASES", **PRODUCTION, PLENUM_PREPARED="0")
    options = found["DATABASES"]["default"]["OPTIONS"]
    assert not {"server_side_binding", "prepare_threshold"} & options.keys()


def test_development_keeps_a_random_secret_for_itself(tmp_path):
    first = read_settings(tmp_path, "SECRET_KEY", PLENUM_ENV="development")
    second = read_settings(tmp_path, "SECRET_KEY", PLENUM_ENV="development")
    kept = tmp_path / "data" / "secret"
    assert first == second == {"SECRET_KEY": kept.read_text()}
    assert len(first["SECRET_KEY"]) >= 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    other = read_settings(tmp_path / "other", "SECRET_KEY", PLENUM_ENV="development")
    assert other != first


def test_media_go_to_s3_and_the_cache_to_redis_by_setting(tmp_path):
    found = read_settings(
        tmp_path,
        *("STORAGES", "CACHES"),
        **PRODUCTION,
        PLENUM_S3_BUCKET="media",
        PLENUM_S3_ENDPOINT="http://storage:8333",
        PLENUM_S3_PUBLIC_URL="https://media.example/plenum/",
        PLENUM_REDIS_URL="redis://cache:6379/1",
    )
    assert found["STORAGES"]["default"]["BACKEND"] == "storages.backends.s3.S3Storage"
    options = found["STORAGES"]["default"]["OPTIONS"]
    assert options["bucket_name"] == "media"
    assert (options["url_protocol"], options["custom_domain"]) == ("https:", "media.example/plenum")
    assert found["CACHES"]["default"]["LOCATION"] == "redis://cache:6379/1"


def test_server_says_the_same_sentence_without_a_traceback(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        cwd=ROOT,
        env=plain_environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("PLENUM_ENV=production needs PLENUM_SECRET_KEY")
    assert run.stderr.count("\n") == 1


def test_server_does_not_start_with_documents_that_it_would_refuse(tmp_path):
    (tmp_path / "front.graphql").write_text("{ sections { nothing } }")
    run = subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        cwd=ROOT,
        env=plain_environment(PLENUM_DATA_DIR=str(tmp_path / "data"))
        | {"PLENUM_ENV": "development", "PLENUM_GRAPHQL_DOCUMENTS": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stderr.startswith(f"The registered document {tmp_path}/front.graphql cannot be used: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PLENUM_ENV": "production"}, "PLENUM_ENV=production needs "),
        ({"PLENUM_ENV": "development", "DATABASE_URL": "nonsense"}, "DATABASE_URL is for another kind of database"),
        (
            {"PLENUM_ENV": "development", "DATABASE_URL": "postgresql://plenum:hidden@127.0.0.1:1/main"},
            "The database failed: connection failed: ",
        ),
    ],
)
def test_command_that_has_no_database_says_why_in_one_sentence(tmp_path, environment, sentence):
    run = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"],
        cwd=ROOT,
        env=plain_environment(PLENUM_DATA_DIR=str(tmp_path / "data")) | environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stderr.startswith(sentence)
    assert run.stderr.count("\n") == 1
    assert "hidden" not in run.stderr
