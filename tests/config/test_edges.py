"""Addresses and parameters that are nearly right: what is read goes on, what carries a body hears what is meant."""

import json
import os
import signal
import sys
import threading
import time

import pytest

from config import up
from config.children import end_children, start_child
from tests.factories import make_live_article


def test_reading_goes_on_to_the_address_with_a_slash(client):
    response = client.get("/api/v1/articles?limit=1")

    assert (response.status_code, response["Location"]) == (301, "/api/v1/articles/?limit=1")


@pytest.mark.parametrize("address", ["/graphql", "/api/v1/simulator/rack"])
def test_a_body_is_not_lost_on_the_way_to_the_slash(client, address):
    response = client.post(address, {"query": "{ __typename }"}, content_type="application/json")

    assert response.status_code == 404
    assert response.json()["errors"] == [
        {
            "field": None,
            "code": "unknown_address",
            "message": f"There is nothing at this address. With a slash at its end there is: {address}/",
        }
    ]


def test_a_parameter_that_is_not_utf_8_is_refused_by_name(client):
    response = client.get("/api/v1/articles/?search=%FF%FEpump")

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {"field": "search", "code": "invalid", "message": "search is not written in UTF-8."}
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["yesterday", "2026-11-30", "2999-01-01T00:00:00Z"])
def test_an_instant_is_refused_with_400_whatever_is_wrong_with_it(client, at):
    make_live_article()

    for query, variables in (
        (f'{{ articles(asOf: "{at}") {{ totalCount }} }}', {}),
        ("query ($at: DateTime) { articles(asOf: $at) { totalCount } }", {"at": at}),
    ):
        body = json.dumps({"query": query, "variables": variables})
        response = client.post("/graphql/", body, content_type="application/json")

        assert response.status_code == 400
        code = "as_of_in_future" if at.startswith("2999") else "not_an_instant"
        assert [error["extensions"]["code"] for error in response.json()["errors"]] == [code]


def test_a_second_ctrl_c_waits_for_nobody(tmp_path):
    ready = tmp_path / "ready"
    stubborn = (
        "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"pathlib.Path({str(ready)!r}).touch(); time.sleep(300)"
    )
    before = {each: signal.getsignal(each) for each in up.ENDINGS}
    child = start_child([sys.executable, "-c", stubborn], env=os.environ, cwd=tmp_path)
    try:
        while not ready.exists():
            time.sleep(0.01)
        with pytest.raises(up._Asked), up._signals({"worker": child}):
            _interrupt()
        again = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        again.start()

        began = time.monotonic()
        end_children([child], patience_s=240)

        assert time.monotonic() - began < 120
        assert child.returncode == -signal.SIGKILL
        again.join()
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        child.kill()
        child.wait()


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)  # The handler runs before this ends.
