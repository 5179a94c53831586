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
    """Measure `POST simulator/rack/`, middleware included, beside views that do as little as they can.

    Each request asks for other quantities, so that not all of its numbers were rounded before.
    """
    from django.http import HttpRequest, HttpResponse
    from django.test import Client, override_settings
    from django.urls import path

    from catalog.models import Device
    from simulator.catalogue import devices_named
    from tests.factories import make_device

    for n in range(LINES):
        make_device(slug=f"device-{n}", u_height=2, is_full_depth=True, weight_kg="20", power_nameplate_w=1_000 + n)
    client = Client()

    def post(address: str, turn: int) -> Any:
        items = [{"device": f"device-{n}", "quantity": 1 + (turn >> n) % 2} for n in range(LINES)]
        asked = json.dumps({"items": items})
        answer = client.post(address, asked, content_type="application/json", headers={"host": "localhost"})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}: {answer.content[:300]!r}")
        return answer

    body = post("/api/v1/simulator/rack/", 0).content

    def plain(request: HttpRequest) -> HttpResponse:
        slugs = [item["device"] for item in json.loads(request.body)["items"]]
        list(Device.objects.filter(slug__in=slugs).select_related("manufacturer"))
        return HttpResponse(body, content_type="application/json")

    def bare(request: HttpRequest) -> HttpResponse:
        devices_named([item["device"] for item in json.loads(request.body)["items"]])
        return HttpResponse(body, content_type="application/json")

    class Urls:
        urlpatterns = [path("plain/", plain), path("bare/", bare)]

    found: dict[str, list[float]] = {"plain/": [], "bare/": [], "api/v1/simulator/rack/": []}
    # In turns of ten, so that what else this machine does falls on all of them alike.
    for turn in range(0, rounds, 10):
        for address, times in found.items():
            with override_settings(**({} if address.startswith("api") else {"ROOT_URLCONF": Urls})):
                post(f"/{address}", turn)
                times += [seconds(lambda: post(f"/{address}", turn + n)) for n in range(10)]  # noqa: B023 - called at once
    query, sql, whole = (quickest(times) for times in found.values())
    print(LAYOUT.format(f"POST simulator/rack/, {LINES} lines", f"{whole * 1e3:.2f} ms", ""))
    print(LAYOUT.format("the same bytes after a query of the devices", f"{query * 1e3:.2f} ms", f"{query / whole:.2f}"))
    print(LAYOUT.format("… whose SQL was composed before", f"{sql * 1e3:.2f} ms", f"{sql / whole:.2f}"))


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
    """Return the seconds that a call takes: see `quickest`."""
    work()
    return quickest([seconds(work) for _ in range(rounds)])


def seconds(work: Callable[[], Any]) -> float:
    """Return the seconds that a call takes, waiting included."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def quickest(times: list[float]) -> float:
    """Return the end of the quickest tenth: what takes longer waited for others on this machine."""
    return sorted(times)[len(times) // 10]


if __name__ == "__main__":
    main()
