"""How quickly the simulator answers, as ratios of one run.

    python -m bench.simulations [--rounds 200]

A rack of ten lines over HTTP beside a view that returns the same bytes after the same look-up of devices; and a point
of a sweep beside a single evaluation of its layer. It needs a database that it makes, and takes away again.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from statistics import median
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
    """Measure a point of a sweep beside a single evaluation of it, for every number of every layer's example.

    It is this process's own time that is measured: neither waits for anything.
    """
    from simulator.engine import LAYERS, read_layer
    from simulator.engine.layers import Layer, replaced
    from simulator.engine.sweeps import sweep
    from tests.simulator.test_layers import INPUTS

    def ratio(layer: Layer, given: Any, path: str, values: list[Decimal]) -> float:
        # Each evaluation is of a point of its own, as none was rounded before.
        points = [replaced(given, path, value) for value in values[:: len(values) // 20]]
        single = quickest([own_seconds(lambda: layer.run(point)) for point in points])  # noqa: B023 - called at once
        each = quickest([own_seconds(lambda: sweep(layer, given, {path: values})) for _ in range(5)]) / len(values)
        alone = sweep(layer, given, {path: values}).exact_points_count
        said = f"  {alone} of {len(values)} one by one" if alone else ""
        name = f"{layer.name}: a point over {path}"
        print(LAYOUT.format(name, f"{each * 1e3:.4f} ms", f"{each / single:.3f}") + said)
        return each / single

    for name, layer in LAYERS.items():
        given = read_layer(layer, INPUTS[name]).input
        found = sorted(ratio(layer, given, path, values) for path, values in numbers_of(given))
        within = sum(each <= 0.1 for each in found)
        print(f"{name}: {within} of {len(found)} numbers at a tenth or less, half of them below {median(found):.3f}")


def numbers_of(given: Any, inside: str = "") -> Iterator[tuple[str, list[Decimal]]]:
    """Yield the path of each number of an input that may run, those of the first of its parts too, with values.

    Left out are counts by which things are arranged: each of their points is an arrangement of its own.
    """
    from simulator.engine.parameters import declared

    for name, (parameter, _) in declared(type(given)).items():
        current = getattr(given, name)
        if parameter.part is not None:
            first = (current[0] if current else None) if parameter.kind == "parts" else current
            if first is not None:
                yield from numbers_of(first, f"{inside}{name}[0]." if parameter.kind == "parts" else f"{inside}{name}.")
        elif parameter.is_rangeable and not parameter.is_stepped and current:
            step = Decimal(1) if parameter.kind == "whole" else Decimal(current) / 10_000
            below = [each for n in range(POINTS) if _may_be(parameter, name, each := current - step * n)]
            # As many points of each, those of a small count above it too.
            values = [below[-1] + step * n for n in range(POINTS)]
            allowed = [each for each in values if _may_be(parameter, name, each)]
            if len(allowed) >= POINTS // 20:
                yield f"{inside}{name}", allowed


def _may_be(parameter: Any, name: str, value: Decimal) -> bool:
    return parameter.allowed is not None and parameter.allowed.problem(name, value) is None


def seconds(work: Callable[[], Any]) -> float:
    """Return the seconds that a call takes, waiting included."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def own_seconds(work: Callable[[], Any]) -> float:
    """Return the seconds of this process that a call takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def quickest(times: list[float]) -> float:
    """Return the end of the quickest tenth: what takes longer waited for others on this machine."""
    return sorted(times)[len(times) // 10]


if __name__ == "__main__":
    main()
