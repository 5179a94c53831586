"""How quickly the simulator answers, as ratios of one run.

    python -m bench.simulations [--rounds 200]

A rack of ten lines over HTTP beside a view that returns the same bytes after the same look-up of devices; and a point
of a sweep beside a single evaluation of its layer. It needs a database that it makes, and takes away again.
"""

import argparse
import json
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bench.database import own_database

LAYOUT = "{:<48}{:>14}{:>10}"
LINES = 10
POINTS = 500


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=200)
    rounds = options.parse_args().rounds
    with own_database():
        rack(rounds)
    sweeps()


def rack(rounds: int) -> None:
    """Measure `POST simulator/rack/`, middleware included, beside a view that does as little as it can."""
    from django.http import HttpRequest, HttpResponse
    from django.test import Client, override_settings
    from django.urls import path

    from simulator.catalogue import devices_named
    from tests.factories import make_device

    for n in range(LINES):
        make_device(slug=f"device-{n}", u_height=2, is_full_depth=True, weight_kg="20", power_nameplate_w=1_000 + n)
    asked = {"items": [{"device": f"device-{n}", "quantity": 2} for n in range(LINES)]}
    client = Client()

    def post(address: str) -> Any:
        answer = client.post(address, json.dumps(asked), content_type="application/json", headers={"host": "localhost"})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}: {answer.content[:300]!r}")
        return answer

    body = post("/api/v1/simulator/rack/").content

    def plain(request: HttpRequest) -> HttpResponse:
        slugs = [item["device"] for item in json.loads(request.body)["items"]]
        list(devices_named(slugs))
        return HttpResponse(body, content_type="application/json")

    class Urls:
        urlpatterns = [path("plain/", plain)]

    whole = elapsed(lambda: post("/api/v1/simulator/rack/"), rounds)
    with override_settings(ROOT_URLCONF=Urls):
        bare = elapsed(lambda: post("/plain/"), rounds)
    print(LAYOUT.format(f"POST simulator/rack/, {LINES} lines", f"{whole * 1e3:.2f} ms", ""))
    print(LAYOUT.format("the same bytes after the same devices", f"{bare * 1e3:.2f} ms", f"{bare / whole:.2f}"))


def sweeps() -> None:
    """Measure a point of a sweep beside a single evaluation."""
    from simulator.engine import LAYERS, read_layer
    from simulator.engine.sweeps import sweep
    from tests.simulator.test_layers import INPUTS

    for name, field in (
        ("ladder", "pue"),
        ("campus", "load_factor"),
        ("hall", "liquid_transport_fraction"),
        ("hall", "row_kw_max"),
        ("reliability", "restart_s"),
        ("throttle", "inlet_c"),
    ):
        given = read_layer(LAYERS[name], INPUTS[name]).input
        current = getattr(given, field)
        values = [current * (1 - Decimal(n) / 10_000) for n in range(POINTS)]
        single = elapsed(lambda: LAYERS[name].run(given), 20)  # noqa: B023 - called at once
        point = elapsed(lambda: sweep(LAYERS[name], given, {field: values}), 3) / POINTS  # noqa: B023
        print(LAYOUT.format(f"{name}: a point over {field}", f"{point * 1e3:.4f} ms", f"{point / single:.3f}"))


def elapsed(work: Callable[[], Any], rounds: int) -> float:
    """Return the seconds of this process's CPU and its waiting that a call takes: the median of the rounds."""
    work()
    found = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return sorted(found)[len(found) // 2]


if __name__ == "__main__":
    main()
