"""What moved since a scenario was saved is found by the worker, and listed until a person accepts it."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from catalog.models import Device, DeviceComponent
from core.feed.models import Change
from simulator import checks, drift, services
from simulator.checks import check_due, check_scenario
from simulator.models import BegunCheck, DueCheck, Scenario, ScenarioDrift
from simulator.services import accept_scenario, save_scenario
from simulator.tasks import check_scenarios
from tests.elsewhere import Elsewhere
from tests.factories import make_device, make_live_article
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import FOUR, make_dgx, make_rack_type

pytestmark = pytest.mark.django_db
FIRST = "/api/v1/scenarios/four/"
DRIFT = f"{FIRST}drift/"


@pytest.fixture
def dgx():
    device = make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)
    return device


def jobs():
    return ProcrastinateJob.objects.filter(task_name=check_scenarios.name).count()


def power(device, watts):
    Device.objects.filter(pk=device.pk).update(power_nameplate_w=watts)


def ask(client, query):
    return client.post("/graphql/", {"query": query}, content_type="application/json").json()["data"]


def test_a_saved_scenario_is_compared_once_and_nobody_waits_for_it(dgx):
    assert (DueCheck.objects.count(), jobs()) == (0, 0)
    assert (check_due(), check_due()) == (1, 0)
    assert not ScenarioDrift.objects.exists()


def test_a_scenario_that_is_saved_of_the_same_records_is_not_due(dgx):
    check_due()

    save_scenario(slug="four", title="Four of them", input=FOUR)

    assert check_due() == 0


def test_a_changed_device_asks_for_a_check_in_its_own_transaction(dgx):
    with transaction.atomic():
        power(dgx, 10_000)
        assert (DueCheck.objects.count(), jobs()) == (1, 1)
        transaction.set_rollback(True)
    assert (DueCheck.objects.count(), jobs()) == (0, 0)

    power(dgx, 10_000)

    assert list(DueCheck.objects.values_list("scenario_id", flat=True)) == [Scenario.objects.get().pk]
    assert jobs() == 1


def test_a_transaction_asks_for_one_job_however_much_it_changes(dgx):
    for watts in (10_000, 9_000, 8_000):
        power(dgx, watts)

    assert (DueCheck.objects.count(), jobs()) == (3, 1)


def test_what_no_scenario_uses_and_what_does_not_change_asks_for_nothing(dgx):
    other = make_device(slug="other")

    power(other, 5)
    dgx.refresh_from_db()
    dgx.save()
    save_scenario(slug="hall", title="Hall", kind="hall", input=INPUTS["hall"])

    assert (DueCheck.objects.count(), jobs()) == (0, 0)


def test_raw_sql_racks_and_outlets_count_too(dgx):
    rack_type = make_rack_type()
    save_scenario(slug="four", title="Four", input={**FOUR, "rack": {"type": "apc-ar3100"}})

    with connection.cursor() as cursor:
        cursor.execute("update catalog_device set weight_kg = 150 where id = %s", [dgx.pk])
    type(rack_type).objects.update(max_weight_kg=200)
    DeviceComponent.objects.create(device=dgx, component_kind="power-outlets", name="1", position=1)
    assert DueCheck.objects.count() == 3
    check_due()

    found = ScenarioDrift.objects.get().data
    assert {"equipment_kg", "nameplate_kw"} <= {row["quantity"] for row in found["moved"]}
    assert "over_weight" in found["warnings_new"]


def test_the_worker_lists_what_moved_and_readers_keep_the_saved_report(client, dgx):
    before = client.get(FIRST).json()
    power(dgx, 5_000)
    asked_at = DueCheck.objects.get().at

    check_scenarios()

    after = client.get(FIRST).json()
    since = asked_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert (before["drifted_since"], after["drifted_since"]) == (None, since)
    assert {**after, "drifted_since": None} == before
    listed = client.get(DRIFT).json()
    moved = {row["quantity"]: row for row in listed["moved"]}
    assert moved["density_kw"] == {"quantity": "density_kw", "unit": "kW", "was": 40.8, "now": 20, "since": since}
    assert {"path": "cooling.rule_of_thumb", "was": "direct_to_chip", "now": "transition"} in listed["outcomes"]
    assert listed["since"] == since
    assert not DueCheck.objects.exists()


def test_both_apis_list_what_moved_and_narrow_by_it(client, dgx, django_assert_num_queries):
    save_scenario(slug="ladder", title="Ladder", kind="ladder", input=INPUTS["ladder"])
    power(dgx, 10_000)
    check_due()
    query = """{ scenarios { edges { node { slug driftedSince drift {
        since engineVersionWas moved { quantity unit was now since } outcomes { path } warningsNew problems { code }
    } } } } }"""

    with django_assert_num_queries(2):
        answer = ask(client, query)

    found = {row["node"]["slug"]: row["node"] for row in answer["scenarios"]["edges"]}
    assert (found["ladder"]["driftedSince"], found["ladder"]["drift"]) == (None, None)
    told = found["four"]["drift"]
    assert datetime.fromisoformat(told["since"]) == ScenarioDrift.objects.get().since
    assert {"quantity": "density_kw", "unit": "kW", "was": 40.8, "now": 40, "since": told["since"]} in told["moved"]
    for drifted, slugs in (("true", ["four"]), ("false", ["ladder"])):
        rest = client.get("/api/v1/scenarios/", {"drifted": drifted}).json()["results"]
        graph = ask(client, f"{{ scenarios(drifted: {drifted}) {{ edges {{ node {{ slug }} }} }} }}")["scenarios"][
            "edges"
        ]
        assert [row["slug"] for row in rest] == [row["node"]["slug"] for row in graph] == slugs


def test_what_moves_again_keeps_since_when_and_what_is_right_again_is_no_drift(client, dgx):
    power(dgx, 10_000)
    check_due()
    first = ScenarioDrift.objects.get().data
    power(dgx, 11_000)
    Device.objects.update(weight_kg=140)
    check_due()

    second = {row["quantity"]: row for row in ScenarioDrift.objects.get().data["moved"]}
    assert second["density_kw"] == {
        "quantity": "density_kw",
        "unit": "kW",
        "was": 40.8,
        "now": 44,
        "since": first["since"],
    }
    assert second["equipment_kg"]["since"] > first["since"]

    power(dgx, 10_200)
    Device.objects.update(weight_kg="130.45")
    check_due()
    assert not ScenarioDrift.objects.exists()
    assert client.get(FIRST).json()["drifted_since"] is None


def test_a_check_that_finds_the_same_announces_nothing(dgx):
    power(dgx, 10_000)
    check_due()
    announced = Change.objects.filter(kind="scenario").count()

    Device.objects.update(description="The same board.")

    assert check_due() == 1
    assert Change.objects.filter(kind="scenario").count() == announced


def test_a_person_accepts_and_then_what_is_bound_to_it_is_stale(client, dgx):
    article = make_live_article(body="It draws {{scenario:four.density_kw}}.")
    address = f"/api/v1/articles/{article.pk}/"
    power(dgx, 10_000)
    check_due()
    waiting = client.get(address).json()["quantities"][0]

    accept_scenario(Scenario.objects.get())

    accepted = client.get(address).json()["quantities"][0]
    assert (waiting["stale"], accepted["stale"]) == (False, True)
    assert (accepted["text"], accepted["now"]["text"]) == ("40.8 kW", "40 kW")
    assert client.get(FIRST).json()["drifted_since"] is None
    assert client.get(FIRST).json()["report"]["power"]["density_kw"] == 40


def test_a_device_that_is_gone_is_said_by_its_path_and_heals_when_it_is_back(client, dgx):
    before = client.get(FIRST).json()["report"]
    Device.objects.update(slug="renamed")
    check_due()

    told = ask(client, '{ scenario(slug: "four") { drift { moved { quantity } problems { field code message } } } }')
    assert told["scenario"]["drift"] == {
        "moved": [],
        "problems": [
            {
                "field": "items[0].device",
                "code": "unknown_device",
                "message": "There is no device nvidia-dgx-h100 in the catalogue.",
            }
        ],
    }
    assert client.get(FIRST).json()["report"] == before

    make_device(slug="nvidia-dgx-h100", u_height=8, power_nameplate_w=10_200)
    check_due()
    assert ScenarioDrift.objects.get().data["problems"] == []


def test_a_new_engine_has_every_scenario_checked_once(monkeypatch, dgx):
    for kind in ("ladder", "hall"):
        save_scenario(slug=kind, title=kind, kind=kind, input=INPUTS[kind])
    changed = Scenario.objects.get(slug="ladder").result
    for row in changed["trace"]:
        row["value"] = 1 if row["quantity"] == "hall_kw" else row["value"]
    Scenario.objects.filter(slug="ladder").update(result=changed)
    for module in (checks, drift, services):
        monkeypatch.setattr(module, "ENGINE_VERSION", "99.0")

    assert check_due() == 3
    assert check_due() == 0

    found = ScenarioDrift.objects.get()
    assert (found.scenario.slug, found.engine_version) == ("ladder", "99.0")
    assert [(row["quantity"], row["was"], row["now"]) for row in found.data["moved"]] == [("hall_kw", 1, 127500)]


def test_an_input_that_a_new_engine_refuses_is_said(monkeypatch):
    save_scenario(slug="four", title="Four", kind="ladder", input=INPUTS["ladder"])
    Scenario.objects.update(input={**INPUTS["ladder"], "pue": 0.5})
    monkeypatch.setattr(checks, "ENGINE_VERSION", "99.0")

    check_due()

    assert [(row["field"], row["code"]) for row in ScenarioDrift.objects.get().data["problems"]] == [
        ("pue", "out_of_range")
    ]


def test_one_that_fails_keeps_no_other_from_being_checked(monkeypatch, dgx, caplog):
    save_scenario(slug="a-first", title="First", input=FOUR)
    run = drift.run_question
    monkeypatch.setattr(
        drift, "run_question", lambda kind, data: 1 / 0 if data["items"][0]["quantity"] == 4 else run(kind, data)
    )
    Scenario.objects.filter(slug="four").update(input={"items": [{"device": "nvidia-dgx-h100", "quantity": 2}]})
    power(dgx, 10_000)

    assert check_due() == 2

    found = {row.scenario.slug: row.data for row in ScenarioDrift.objects.select_related("scenario")}
    assert found["a-first"]["problems"] == [
        {"field": None, "code": "server_error", "message": "The run failed; it has been logged."}
    ]
    assert found["four"]["problem"] is None
    assert "could not be compared" in caplog.text
    assert not DueCheck.objects.exists()


class Killed(BaseException):
    """The end of a process in the midst."""


def test_a_worker_that_ends_in_the_midst_loses_nothing(monkeypatch, dgx):
    power(dgx, 10_000)

    def killed(*args, **kwargs):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(checks, "store_drift", killed)
        with pytest.raises(Killed):
            check_due()
    assert (DueCheck.objects.count(), ScenarioDrift.objects.count()) == (1, 0)

    assert check_due() == 1
    assert (DueCheck.objects.count(), ScenarioDrift.objects.count()) == (0, 1)


@pytest.fixture
def deadly(monkeypatch):
    """Let the comparison of one scenario end its worker, and tell how often one was begun."""
    begun = []
    run = drift.run_question

    def killed(kind, data):
        begun.append(kind)
        if kind == "rack":
            raise Killed
        return run(kind, data)

    with monkeypatch.context() as patch:
        patch.setattr(drift, "run_question", killed)
        yield begun


def lose_workers(times):
    for _ in range(times):
        with pytest.raises(Killed):
            check_due()


def test_a_scenario_that_ends_its_workers_is_put_aside_and_told(client, dgx, deadly):
    save_scenario(slug="ladder", title="Ladder", kind="ladder", input=INPUTS["ladder"])
    before = client.get(FIRST).json()["report"]

    lose_workers(3)

    assert deadly == ["rack", "ladder", "rack", "rack"]
    assert not ScenarioDrift.objects.exists()
    assert (check_due(), check_due()) == (1, 0)
    told = client.get(DRIFT).json()
    assert deadly == ["rack", "ladder", "rack", "rack"]
    assert [(problem["field"], problem["code"]) for problem in told["problems"]] == [(None, "worker_lost")]
    assert "save it" in told["problem"]
    assert client.get(FIRST).json()["report"] == before
    assert client.get(FIRST).json()["drifted_since"] == told["since"]


def test_a_scenario_that_is_put_aside_is_tried_again_once_a_record_changes(dgx, deadly):
    lose_workers(3)
    check_due()
    since = ScenarioDrift.objects.get().since

    power(dgx, 10_000)

    lose_workers(3)
    assert (check_due(), check_due(), len(deadly)) == (1, 0, 6)
    assert ScenarioDrift.objects.get().since == since


def test_a_scenario_that_is_put_aside_and_runs_again_is_compared(dgx, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(drift, "run_question", lambda kind, data: (_ for _ in ()).throw(Killed))
        lose_workers(3)
        check_due()
    assert ScenarioDrift.objects.get().is_put_aside

    power(dgx, 10_000)

    assert check_due() == 1
    assert (ScenarioDrift.objects.get().is_put_aside, BegunCheck.objects.count()) == (False, 0)


def test_a_new_engine_tries_again_what_is_put_aside(monkeypatch, dgx, deadly):
    lose_workers(3)
    check_due()
    for module in (checks, drift, services):
        monkeypatch.setattr(module, "ENGINE_VERSION", "99.0")

    lose_workers(1)


def test_who_saves_a_scenario_that_is_put_aside_has_it_compared_again(dgx, deadly):
    lose_workers(3)
    check_due()

    save_scenario(slug="four", title="Two", input={"items": [{"device": "nvidia-dgx-h100", "quantity": 2}]})

    assert not ScenarioDrift.objects.exists()


def test_tries_that_came_to_an_end_are_not_counted(dgx, monkeypatch):
    for n in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(drift, "run_question", lambda kind, data: (_ for _ in ()).throw(Killed))
            power(dgx, 10_000 + n)
            lose_workers(2)
        assert check_due() == 1

    assert not ScenarioDrift.objects.get().is_put_aside


def test_a_comparison_that_fails_again_keeps_since_when_it_did(monkeypatch, dgx, client):
    monkeypatch.setattr(drift, "run_question", lambda kind, data: 1 / 0)
    check_due()
    first = ScenarioDrift.objects.get()
    announced = Change.objects.filter(kind="scenario").count()

    power(dgx, 10_000)

    assert check_due() == 1
    again = ScenarioDrift.objects.get()
    assert (again.since, again.data["since"]) == (first.since, first.data["since"])
    assert client.get(FIRST).json()["drifted_since"] == first.data["since"]
    assert Change.objects.filter(kind="scenario").count() == announced


@pytest.mark.django_db(transaction=True)
def test_a_worker_does_not_begin_what_another_has_begun(monkeypatch, dgx):
    """Between the two transactions of a comparison nobody else may count a try: it would look like a lost worker."""
    ended = checks._ended
    tries = []

    def meanwhile(pk, **kwargs):
        other = Elsewhere(check_due)
        other.start()
        assert other.given() == 0
        tries.append(BegunCheck.objects.get().tries)
        return ended(pk, **kwargs)

    monkeypatch.setattr(checks, "_ended", meanwhile)

    assert check_due() == 1
    assert (tries, BegunCheck.objects.count()) == ([1], 0)


def test_a_check_of_what_was_deleted_is_forgotten(dgx):
    power(dgx, 10_000)
    Scenario.objects.all().delete()

    assert (check_due(), DueCheck.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_what_another_worker_has_in_hand_is_left_to_it(dgx):
    power(dgx, 10_000)
    other = Elsewhere(check_due)

    with transaction.atomic():
        Scenario.objects.select_for_update().get()
        other.start()
        assert other.given() == 0
    assert DueCheck.objects.count() == 1

    assert check_due() == 1


@pytest.mark.django_db(transaction=True)
def test_a_device_that_changes_while_it_is_compared_is_compared_again(monkeypatch, dgx):
    power(dgx, 10_000)
    run = drift.run_question

    def changed_meanwhile(kind, data):
        answer = run(kind, data)
        change = Elsewhere(lambda: power(dgx, 9_000))
        change.start()
        change.given()
        assert change.error is None
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(drift, "run_question", changed_meanwhile)
        assert check_scenario(Scenario.objects.get().pk)
    assert DueCheck.objects.count() == 1
    assert check_due() == 1

    moved = {row["quantity"]: row["now"] for row in ScenarioDrift.objects.get().data["moved"]}
    assert (moved["density_kw"], DueCheck.objects.count()) == (36, 0)


@pytest.mark.django_db(transaction=True)
def test_a_device_that_changes_while_its_first_scenario_is_saved_is_found_to_have_moved(monkeypatch):
    """The change finds no scenario that uses the device, and the scenario was run with what the device was before."""
    device = make_dgx()
    run = services.run_question

    def changed_meanwhile(kind, data):
        answer = run(kind, data)
        change = Elsewhere(lambda: power(device, 9_000))
        change.start()
        change.given()
        assert change.error is None
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(services, "run_question", changed_meanwhile)
        save_scenario(slug="four", title="Four", input=FOUR)
    assert DueCheck.objects.count() == 0
    assert check_due() == 1

    moved = {row["quantity"]: row["now"] for row in ScenarioDrift.objects.get().data["moved"]}
    assert (moved["density_kw"], check_due()) == (36, 0)


@pytest.mark.django_db(transaction=True)
def test_a_scenario_that_is_saved_while_an_import_has_its_device_in_hand_is_compared_after_that():
    device = make_dgx()
    saved = Elsewhere(lambda: (save_scenario(slug="four", title="Four", input=FOUR), check_due())[1])
    with transaction.atomic():
        power(device, 9_000)
        saved.start()
        assert saved.given() == 0
        assert saved.error is None
    assert DueCheck.objects.count() == 0

    assert check_due() == 1

    moved = {row["quantity"]: row["now"] for row in ScenarioDrift.objects.get().data["moved"]}
    assert moved["density_kw"] == 36


# The admin


@pytest.fixture
def editor(client):
    client.force_login(User.objects.create_superuser("editor", password="a long password"))
    return client


def test_editors_find_what_moved_and_accept_it(editor, dgx):
    same = save_scenario(slug="same", title="Same", kind="ladder", input=INPUTS["ladder"])
    listing = reverse("admin:simulator_scenario_changelist")
    power(dgx, 10_000)
    check_due()
    scenario = Scenario.objects.get(slug="four")
    count = len(ScenarioDrift.objects.get().data["moved"])

    home = editor.get(reverse("admin:index")).context["piles"]
    pile = next(pile for pile in home if pile.key == "drifted")
    assert [(entry.title, entry.about) for entry in pile.entries] == [("Four", f"{count} numbers, since")]
    for chosen, title in (("yes", "Four"), ("no", "Same")):
        assert [str(row) for row in editor.get(listing, {"moved": chosen}).context["cl"].result_list] == [title]
    assert f"{count} numbers" in editor.get(listing).content.decode()

    page = editor.post(listing, {"action": "accept", "_selected_action": [scenario.pk, same.pk]}, follow=True)

    assert "1 accepted: readers get the reports of today." in page.content.decode()
    assert Scenario.objects.get(slug="four").result["power"]["density_kw"] == 40
    assert not ScenarioDrift.objects.exists()
    assert "drifted" not in [pile.key for pile in editor.get(reverse("admin:index")).context["piles"]]


def test_editors_are_told_what_to_do_with_what_ended_the_worker(editor, dgx, deadly):
    lose_workers(3)
    check_due()
    scenario = Scenario.objects.get()
    listing = reverse("admin:simulator_scenario_changelist")

    pile = next(pile for pile in editor.get(reverse("admin:index")).context["piles"] if pile.key == "drifted")
    form = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()
    page = editor.post(listing, {"action": "accept", "_selected_action": [scenario.pk]}, follow=True).content.decode()

    assert [(entry.title, entry.about) for entry in pile.entries] == [("Four", "can no longer be run, since")]
    assert "Ask for less (shorter ranges, fewer devices) and save it." in form
    assert "Four stays as it is: Its run ended the worker 3 times" in page
    assert len(deadly) == 3


def test_what_can_no_longer_be_run_is_not_accepted(editor, dgx):
    Device.objects.update(slug="renamed")
    check_due()
    scenario = Scenario.objects.get()
    listing = reverse("admin:simulator_scenario_changelist")

    page = editor.post(listing, {"action": "accept", "_selected_action": [scenario.pk]}, follow=True).content.decode()
    form = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()

    assert "Four stays as it is: There is no device nvidia-dgx-h100 in the catalogue." in page
    assert "<code>items[0].device</code>: There is no device" in form
    assert Scenario.objects.get().result == scenario.result
    assert ScenarioDrift.objects.count() == 1
