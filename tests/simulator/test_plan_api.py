"""Plans over REST: asked for, done by the worker, polled."""

import dataclasses
from datetime import timedelta

import pytest
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from core.publishing.services import database_now
from simulator import runs, services, sweeping
from simulator.engine.sweeps import sweep
from simulator.examples import PLAN_EXAMPLE
from simulator.models import Run
from simulator.rest.openapi import plan_input_schema
from simulator.tasks import perform_run
from tests.factories import make_device, make_live_article

PLAN = "/api/v1/simulator/plan/"
ASKED = {"accelerators": 128, "devices": [{"device": "dgx-h100"}], "rack_power_max_kw": 44.5}

pytestmark = pytest.mark.django_db


@pytest.fixture
def dgx():
    return make_device(
        slug="dgx-h100", u_height=8, is_full_depth=True, weight_kg="130.4", power_nameplate_w=10_200, gpu_count=8
    )


def ask(client, data=ASKED):
    return client.post(PLAN, data, content_type="application/json")


def work():
    """Do what the worker does with each job that waits."""
    for arguments in ProcrastinateJob.objects.filter(queue_name="simulator").values_list("args", flat=True):
        perform_run(**arguments)


def test_a_plan_is_asked_for_and_polled_until_it_is_done(client, dgx):
    article = make_live_article(explains=["density_kw"])
    asked = ask(client)
    address = asked["Location"].removeprefix("http://testserver")
    waiting = client.get(address)
    work()
    done = client.get(address)

    assert (asked.status_code, asked.json()["state"], asked["Retry-After"]) == (202, "waiting", "1")
    assert (waiting.status_code, waiting.json()["state"], waiting["Retry-After"]) == (200, "waiting", "1")
    assert (done.json()["state"], done.json()["errors"]) == ("done", [])
    assert "Retry-After" not in done
    report = done.json()["report"]
    assert (report["status"], report["racks_count"], report["power_kw"]) == ("optimal", 4, 163.2)
    assert report["racks"][0]["items"] == [{"device": "dgx-h100", "quantity": 4}]
    rack = report["racks"][0]["report"]
    assert rack["power"]["nameplate_kw"] == 40.8
    assert {row["quantity"]: row["article_id"] for row in rack["trace"]}["density_kw"] == str(article.pk)


def test_the_same_question_is_not_worked_at_twice(client, dgx):
    first, second = ask(client), ask(client)
    work()
    later = ask(client)

    assert first.json()["id"] == second.json()["id"]
    assert later.json()["id"] != first.json()["id"]


def test_all_that_is_wrong_is_said_at_once_and_nothing_waits(client, dgx):
    wrong = {
        "accelerators": 0,
        "devices": [{"device": "dgx-h1000"}, {"device": "dgx-h100", "price": -1}],
        "rows": {"count": 0, "racks": 2},
        "objective": "fastest",
    }
    response = ask(client, wrong)

    assert response.status_code == 400
    assert {(error["field"], error["code"]) for error in response.json()["errors"]} == {
        ("accelerators", "out_of_range"),
        ("devices[0].device", "unknown_device"),
        ("devices[1].price", "out_of_range"),
        ("rows.count", "out_of_range"),
        ("rows.racks", "unknown_key"),
        ("objective", "not_a_choice"),
    }
    assert not Run.objects.exists()


def test_what_stands_in_each_rack_says_what_is_limited(client, dgx):
    make_device(slug="switch", u_height=2, power_nameplate_w=None, weight_kg=None)
    each_rack = {**ASKED, "each_rack": [{"device": "switch", "quantity": 1}]}

    unlimited = ask(client, {key: value for key, value in each_rack.items() if key != "rack_power_max_kw"})
    rack = ask(client, {**each_rack, "rack_power_max_kw": 45, "rack_weight_max_kg": 900})
    site = ask(client, {**each_rack, "site_power_max_kw": 500})

    assert unlimited.status_code == 202
    assert {(each["field"], each["code"]) for each in rack.json()["errors"]} == {
        ("each_rack[0].device", "unknown_power_kw"),
        ("each_rack[0].device", "unknown_weight_kg"),
    }
    assert [(each["field"], each["code"]) for each in site.json()["errors"]] == [
        ("each_rack[0].device", "unknown_power_kw")
    ]


@pytest.mark.parametrize(
    ("limits", "problems"),
    [
        (
            {"rack_power_max_kw": -1},
            {("rack_power_max_kw", "out_of_range"), ("each_rack[0].device", "unknown_power_kw")},
        ),
        (
            {"site_power_max_kw": "all"},
            {("site_power_max_kw", "wrong_type"), ("each_rack[0].device", "unknown_power_kw")},
        ),
        (
            {"rows": {"power_max_kw": 100, "count": 0}, "rack": {"max_kg": 0}},
            {
                ("rows.count", "out_of_range"),
                ("rack.max_kg", "out_of_range"),
                ("each_rack[0].device", "unknown_power_kw"),
                ("each_rack[0].device", "unknown_weight_kg"),
            },
        ),
        (
            {"budget": -1, "rack": 7, "rows": []},
            {("budget", "out_of_range"), ("rack", "wrong_type"), ("rows", "wrong_type")},
        ),
    ],
)
def test_what_each_rack_does_not_say_stands_beside_limits_that_are_refused(client, dgx, limits, problems):
    make_device(slug="switch", u_height=2, power_nameplate_w=None, weight_kg=None)
    plain = {key: value for key, value in ASKED.items() if key != "rack_power_max_kw"}

    response = ask(client, {**plain, "each_rack": [{"device": "switch", "quantity": 1}], **limits})

    assert {(each["field"], each["code"]) for each in response.json()["errors"]} == problems
    assert not Run.objects.exists()


def test_no_more_wait_than_can_be_done_soon(client, dgx, monkeypatch):
    monkeypatch.setattr(runs, "WAITING_MAX", 1)
    assert ask(client).status_code == 202

    refused = ask(client, {**ASKED, "accelerators": 8})

    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert refused.json()["errors"][0]["code"] == "too_many_wait"
    assert Run.objects.count() == 1


def other(n):
    return {**ASKED, "accelerators": 8 * (n + 1)}


def test_one_client_does_not_fill_the_line_for_others(client, dgx):
    asked = [client.post(PLAN, other(n), content_type="application/json", REMOTE_ADDR="192.0.2.1") for n in range(6)]
    again = client.post(PLAN, other(0), content_type="application/json", REMOTE_ADDR="192.0.2.1")
    theirs = client.post(PLAN, other(7), content_type="application/json", REMOTE_ADDR="192.0.2.2")

    assert [response.status_code for response in asked] == [202] * 5 + [429]
    assert asked[5].json()["errors"][0]["code"] == "too_many_of_yours"
    assert asked[5]["Retry-After"] == "60"
    assert (again.status_code, again.json()["id"]) == (202, asked[0].json()["id"])
    assert theirs.status_code == 202
    assert Run.objects.count() == 6
    assert not any("192.0.2" in run.client for run in Run.objects.all())
    work()
    assert client.post(PLAN, other(5), content_type="application/json", REMOTE_ADDR="192.0.2.1").status_code == 202


@pytest.mark.parametrize(
    ("behind_proxy", "one", "two", "is_same"),
    [
        (False, {"REMOTE_ADDR": "2001:db8:1:2::7"}, {"REMOTE_ADDR": "2001:db8:1:2:ffff::9"}, True),
        (False, {"REMOTE_ADDR": "2001:db8:1:2::7"}, {"REMOTE_ADDR": "2001:db8:1:3::7"}, False),
        (False, {"HTTP_X_FORWARDED_FOR": "192.0.2.8"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.9"}, True),
        (True, {"HTTP_X_FORWARDED_FOR": "192.0.2.8"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.9"}, False),
        (True, {"HTTP_X_FORWARDED_FOR": "1.1.1.1, 192.0.2.8"}, {"HTTP_X_FORWARDED_FOR": "2.2.2.2,192.0.2.8"}, True),
        (True, {"REMOTE_ADDR": ""}, {"HTTP_X_FORWARDED_FOR": "unknown"}, False),
    ],
)
def test_a_client_is_who_the_server_or_its_proxy_saw(client, dgx, settings, behind_proxy, one, two, is_same):
    settings.PLENUM_BEHIND_PROXY = behind_proxy
    for n, address in enumerate((one, two)):
        assert client.post(PLAN, other(n), content_type="application/json", **address).status_code == 202

    assert (Run.objects.values("client").distinct().count() == 1) is is_same


def test_a_run_that_lost_its_worker_is_done_by_the_next(client, dgx):
    asked = ask(client).json()
    Run.objects.update(state="running", started_at=database_now())
    work()

    run = client.get(f"/api/v1/simulator/runs/{asked['id']}/").json()

    assert (run["state"], run["report"]["racks_count"]) == ("done", 4)
    assert Run.objects.get().tries == 2


def test_a_run_that_ends_its_workers_ends_itself(client, dgx):
    asked = ask(client).json()
    Run.objects.update(state="running", started_at=database_now(), tries=2)
    work()

    run = client.get(f"/api/v1/simulator/runs/{asked['id']}/").json()

    assert (run["state"], run["report"], run["errors"][0]["code"]) == ("failed", None, "worker_lost")


@pytest.mark.parametrize("end", ["update procrastinate_jobs set status = 'failed'", "delete from procrastinate_jobs"])
@pytest.mark.parametrize("state", ["waiting", "running"])
def test_a_run_without_a_job_is_handed_on_once_and_then_failed(client, dgx, end, state):
    asked = ask(client).json()
    address = f"/api/v1/simulator/runs/{asked['id']}/"

    def lose():
        Run.objects.update(state=state)
        with connection.cursor() as cursor:
            cursor.execute(end)
        runs.keep_runs()
        return client.get(address).json()

    runs.keep_runs()
    assert ProcrastinateJob.objects.filter(queue_name="simulator", status="todo").count() == 1
    assert (lose()["state"], ProcrastinateJob.objects.filter(status="todo").count()) == ("waiting", 1)
    lost = lose()
    assert (lost["state"], lost["errors"][0]["code"]) == ("failed", "worker_lost")
    assert not ProcrastinateJob.objects.filter(status="todo").exists()


def test_a_rack_of_a_plan_is_what_the_simulator_takes(client, dgx):
    make_device(slug="rack-72", is_whole_rack=True, weight_kg=1360, power_nameplate_w=120_000, gpu_count=72)
    rack = {"units": 40, "max_kg": 1200, "tare_kg": 140, "footprint_m2": 0.7, "floor_max_kg_m2": 2400}
    given = {"rack": rack, "altitude_m": 1200, "inlet_c": 22, "rack_airflow_max_m3_h": 40_000, "rack_power_max_kw": 125}
    asked = ask(
        client,
        {**ASKED, **given, "accelerators": 100, "devices": [*ASKED["devices"], {"device": "rack-72", "available": 1}]},
    )
    work()
    report = client.get(f"/api/v1/simulator/runs/{asked.json()['id']}/").json()["report"]

    assert {item["device"] for rack in report["racks"] for item in rack["items"]} == {"dgx-h100", "rack-72"}
    for rack in report["racks"]:
        answer = client.post("/api/v1/simulator/rack/", rack["input"], content_type="application/json")
        assert answer.status_code == 200
        assert answer.json() == rack["report"]


def test_the_example_of_the_public_interface_is_a_plan(client):
    for slug, power in (("nvidia-dgx-h100", 10_200), ("nvidia-dgx-b200", 14_300)):
        make_device(slug=slug, u_height=8, weight_kg=140, power_nameplate_w=power, gpu_count=8)
    asked = ask(client, PLAN_EXAMPLE)
    work()

    report = client.get(address_of(asked)).json()["report"]
    assert (report["status"], report["accelerators"], report["cost"]) == ("optimal", 256, 32 * 300_000 + 8 * 9_000)


def test_the_public_interface_says_what_a_plan_may_be_given():
    properties = plan_input_schema()["properties"]

    assert properties["time_limit_s"] == {
        "type": "number",
        "minimum": 1,
        "maximum": 60,
        "default": 10,
        "description": "Seconds of the worker. Most plans take less than one.",
    }
    assert properties["accelerators"]["maximum"] == 100_000
    assert "oneOf" not in properties["rack"]["properties"]["tare_kg"]
    assert all(
        {"minimum", "exclusiveMinimum"} & each.keys() for each in properties.values() if "number" in each["type"]
    )


def address_of(asked):
    return f"/api/v1/simulator/runs/{asked.json()['id']}/"


def test_a_run_that_waits_is_cancelled_by_who_asked_for_it(client, dgx):
    asked = ask(client)
    others = client.delete(address_of(asked), REMOTE_ADDR="192.0.2.9")
    before = client.get(address_of(asked)).json()
    mine = client.delete(address_of(asked))
    again = client.delete(address_of(asked))
    work()

    assert (others.status_code, others.json()["errors"][0]["code"]) == (403, "not_yours")
    assert before["state"] == "waiting"
    assert (mine.status_code, mine.json()["state"], mine.json()["report"]) == (200, "cancelled", None)
    assert again.json() == mine.json() == client.get(address_of(asked)).json()
    assert "Retry-After" not in client.get(address_of(asked))
    assert ask(client).json()["id"] != asked.json()["id"]


def test_a_run_that_was_cancelled_makes_room_for_another(client, dgx):
    asked = [ask(client, other(n)) for n in range(5)]
    assert ask(client, other(5)).status_code == 429

    client.delete(address_of(asked[0]))

    assert ask(client, other(5)).status_code == 202


def test_a_run_that_has_ended_is_not_cancelled_any_more(client, dgx):
    asked = ask(client)
    work()
    done = client.get(address_of(asked)).json()

    assert client.delete(address_of(asked)).json() == done
    assert client.delete("/api/v1/simulator/runs/0190f3a0-0000-7000-8000-000000000000/").status_code == 404


@pytest.fixture
def watched(monkeypatch):
    """Let something happen before the plan of a run is made, and after; the run looks up whenever it can."""

    def watch(before=lambda: None, after=lambda: None):
        def perform(data, watch):
            before()
            report = services.run_plan(data, watch=watch)
            after()
            return report

        monkeypatch.setitem(runs.KINDS, "plan", dataclasses.replace(runs.KINDS["plan"], perform=perform))

    monkeypatch.setattr(runs, "LOOK_SECONDS", 0)
    return watch


def test_the_worker_leaves_a_run_that_is_cancelled_while_it_is_done(client, dgx, watched):
    asked, ends = ask(client), []
    watched(before=lambda: client.delete(address_of(asked)), after=lambda: ends.append("was planned to its end"))
    work()

    run = client.get(address_of(asked)).json()
    assert (run["state"], run["report"], run["errors"], ends) == ("cancelled", None, [], [])


def test_the_worker_leaves_a_sweep_that_is_cancelled_while_it_is_done(client, dgx, monkeypatch):
    axis = {"field": "inlet_c", "low": 18, "high": 27, "points": 30}
    data = {
        "layer": "rack",
        "input": {"items": [{"device": "dgx-h100", "quantity": 4}], "inlet_c": 20, "altitude_m": 0},
        "axes": [axis, {"field": "altitude_m", "low": 0, "high": 1000, "points": 30}],
    }
    asked = client.post("/api/v1/simulator/sweep/", data, content_type="application/json")
    perform, computed, ends = runs.KINDS["sweep"].perform, [], []

    def cancelled_first(given, watch):
        client.delete(address_of(asked))
        monkeypatch.setattr(sweeping, "sweep", lambda layer, *rest: computed.append(layer) or sweep(layer, *rest))
        report = perform(given, watch)
        ends.append(report)
        return report

    monkeypatch.setattr(runs, "LOOK_SECONDS", 0)
    monkeypatch.setitem(runs.KINDS, "sweep", dataclasses.replace(runs.KINDS["sweep"], perform=cancelled_first))
    work()

    assert asked.status_code == 202
    assert client.get(address_of(asked)).json()["state"] == "cancelled"
    assert (len(computed), ends) == (1, [])


def test_a_run_that_is_done_says_how_far_it_is(client, dgx, watched):
    asked, seen = ask(client), []
    watched(after=lambda: seen.append(client.get(address_of(asked)).json()))
    waiting = client.get(address_of(asked)).json()
    work()

    assert (waiting["state"], waiting["progress"]) == ("waiting", None)
    assert (seen[0]["state"], seen[0]["report"]) == ("running", None)
    assert seen[0]["progress"] == {"best": 4, "bound": 4, "gap_fraction": 0, "elapsed_s": 0}
    assert client.get(address_of(asked)).json()["progress"] is None


def test_a_report_that_cannot_be_kept_is_a_failure_of_ours(client, dgx, monkeypatch, caplog):
    asked = ask(client).json()
    broken = dataclasses.replace(runs.KINDS["plan"], perform=lambda data, watch: {"needed": float("inf")})
    monkeypatch.setitem(runs.KINDS, "plan", broken)
    work()

    run = client.get(f"/api/v1/simulator/runs/{asked['id']}/").json()

    assert (run["state"], [error["code"] for error in run["errors"]]) == ("failed", ["server_error"])
    assert "failed" in caplog.text


def test_a_device_that_is_gone_meanwhile_is_named(client, dgx):
    asked = ask(client).json()
    dgx.delete()
    work()

    run = client.get(f"/api/v1/simulator/runs/{asked['id']}/").json()

    assert (run["state"], run["report"]) == ("failed", None)
    assert [(error["field"], error["code"]) for error in run["errors"]] == [("devices[0].device", "unknown_device")]


def test_a_run_whose_worker_was_lost_ends(client, dgx):
    asked = ask(client).json()
    Run.objects.update(state="running", started_at=database_now() - timedelta(minutes=6))
    runs.keep_runs()

    run = client.get(f"/api/v1/simulator/runs/{asked['id']}/").json()

    assert (run["state"], run["errors"][0]["code"]) == ("failed", "worker_lost")
    assert run["ended_at"] is not None


def test_a_run_is_thrown_away_after_its_day(client, dgx):
    asked = ask(client).json()
    Run.objects.update(expires_at=database_now() - timedelta(seconds=1))

    assert client.get(f"/api/v1/simulator/runs/{asked['id']}/").status_code == 404
    runs.keep_runs()
    assert not Run.objects.exists()


@pytest.mark.parametrize("key", ["nothing", "0190f3a0-0000-7000-8000-000000000000"])
def test_a_run_that_is_not_there_is_not_found(client, key):
    assert client.get(f"/api/v1/simulator/runs/{key}/").status_code == 404
