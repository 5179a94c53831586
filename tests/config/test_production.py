"""What a server in production answers, asked in a process of its own: settings are read once."""

import json
import subprocess
import sys

import pytest

from tests.config.servers import ROOT, plain_environment
from tests.config.test_settings import PRODUCTION

ASK = """
import json, sys
from django.test import Client
from config.wsgi import application
client = Client(headers={"host": "plenum.example", "accept": "text/html"})
answers = []
for question in json.loads(sys.argv[1]):
    response = client.get(**question)
    answers.append([response.status_code, dict(response.headers)])
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def ask():
    def ask(*questions, **environment):
        run = subprocess.run(
            [sys.executable, "-c", ASK, json.dumps(questions)],
            cwd=ROOT,
            env=plain_environment(**PRODUCTION) | environment,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return ask


CLAIM = {"path": "/anything/", "headers": {"x-forwarded-proto": "https"}}


@pytest.fixture(scope="module")
def answers(ask):
    """Return what one process in production answered, by the name of the question."""
    questions = {
        "plain": {"path": "/anything/"},
        "secure": {"path": "/anything/", "secure": True},
        "stranger": {"path": "/anything/", "secure": True, "headers": {"host": "elsewhere.example"}},
        "probe": {"path": "/health/live", "headers": {"host": "10.1.2.3"}},
        "claim": CLAIM,
        "graphiql": {"path": "/graphql/", "secure": True},
    }
    return dict(zip(questions, ask(*questions.values()), strict=True))


def test_production_speaks_https_under_its_own_name_alone(answers):
    plain, secure = answers["plain"], answers["secure"]
    assert (plain[0], plain[1]["Location"]) == (301, "https://plenum.example/anything/")
    assert secure[0] == 404
    assert secure[1]["Strict-Transport-Security"] == "max-age=63072000"
    assert "default-src 'none'" in secure[1]["Content-Security-Policy"]
    assert answers["stranger"][0] == 400
    assert answers["probe"][0] == 200


def test_proxy_is_believed_only_where_one_was_announced(ask, answers):
    [believed] = ask(CLAIM, PLENUM_BEHIND_PROXY="1")
    assert answers["claim"][0] == 301
    assert believed[0] == 404


def test_graphiql_is_for_development(answers):
    status, headers = answers["graphiql"]
    assert status == 400
    assert not headers["Content-Type"].startswith("text/html")
