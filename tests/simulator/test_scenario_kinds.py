"""Saved runs of every kind: validated, saved, read, put into prose."""

import json
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.urls import reverse

from core.publishing.models import Reference
from simulator.about import HEADLINES, KIND_NAMES
from simulator.describing import described
from simulator.drift import drift_of
from simulator.engine import LAYERS
from simulator.engine.trace import quantities
from simulator.examples import example_input
from simulator.models import Scenario
from simulator.services import QUESTIONS, run_question, save_scenario
from simulator.told import ToldNumber, told_number, told_numbers
from tests.factories import make_live_article
from tests.simulator.test_layers import INPUTS, LADDER
from tests.simulator.test_services import FOUR, make_dgx, problems_of

pytestmark = pytest.mark.django_db
SCENARIOS = "/api/v1/scenarios/"
EVERY = {"rack": FOUR, **INPUTS}


def ask(client, query, **variables):
    body = {"query": query, "variables": variables}
    return client.post("/graphql/", body, content_type="application/json").json()


def save(kind, **fields):
    if kind == "rack":
        make_dgx()
    return save_scenario(**{"slug": kind, "title": KIND_NAMES[kind], "kind": kind, "input": EVERY[kind], **fields})


def test_every_question_can_be_saved_and_has_a_name_and_a_headline():
    assert set(QUESTIONS) == {"rack", *LAYERS} == set(KIND_NAMES) == set(HEADLINES)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_saved_run_is_read_as_the_question_answers(client, kind, django_assert_num_queries):
    scenario = save(kind)
    answered = client.post(f"/api/v1/simulator/{kind}/", EVERY[kind], content_type="application/json").json()
    for row in (*answered["trace"], *answered["warnings"], *answered.get("cooling", {}).get("methods", [])):
        del row["article_id"]

    with django_assert_num_queries(2):
        item = client.get(f"{SCENARIOS}{kind}/").json()

    assert (item["id"], item["kind"], item["input"]) == (str(scenario.pk), kind, EVERY[kind])
    assert item["report"] == answered


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_saved_run_says_the_same_today(kind):
    scenario = save(kind)

    found = drift_of(Scenario.objects.get(pk=scenario.pk))

    assert (found.moved, found.outcomes, found.is_any) == ((), (), False)


def test_lists_are_narrowed_by_kind(client):
    save("ladder")
    save("hall")

    found = client.get(SCENARIOS, {"kind": "hall"}).json()["results"]
    wrong = client.get(SCENARIOS, {"kind": "row"})
    asked = ask(client, "query($k: String) { scenarios(kind: $k) { edges { node { slug kind } } } }", k="ladder")
    refused = ask(client, '{ scenarios(kind: "row") { edges { node { slug } } } }')

    assert [(row["slug"], row["kind"]) for row in found] == [("hall", "hall")]
    assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (400, "kind")
    assert asked["data"]["scenarios"]["edges"] == [{"node": {"slug": "ladder", "kind": "ladder"}}]
    assert refused["errors"][0]["extensions"]["code"] == "not_a_choice"


def test_graphql_gives_the_report_of_any_kind_as_its_type(client, django_assert_num_queries):
    save("ladder")
    save("hall")
    save("rack")
    article = make_live_article(explains=["hall_kw"])
    query = """{ scenarios { edges { node { slug report { power { densityKw } } result {
        __typename
        ... on RackReport { power { densityKw } }
        ... on LadderReport { rungs { rung totalKw } gridOverChips trace { quantity articleId } }
        ... on HallReport { racksPlacedCount }
    } } } } }"""

    with django_assert_num_queries(3):
        answer = ask(client, query)

    found = {row["node"]["slug"]: row["node"] for row in answer["data"]["scenarios"]["edges"]}
    assert found["rack"]["result"] == {"__typename": "RackReport", "power": {"densityKw": 40.8}}
    assert found["rack"]["report"] == {"power": {"densityKw": 40.8}}
    assert (found["hall"]["report"], found["ladder"]["report"]) == (None, None)
    assert found["hall"]["result"] == {"__typename": "HallReport", "racksPlacedCount": 46}
    ladder = found["ladder"]["result"]
    assert [row["rung"] for row in ladder["rungs"]] == ["chip", "node", "rack", "hall", "campus", "grid"]
    assert ladder["rungs"][-1]["totalKw"] == 150450
    assert {"quantity": "hall_kw", "articleId": str(article.pk)} in ladder["trace"]


def test_a_report_that_an_earlier_engine_saved_is_told_as_far_as_it_goes(client):
    scenario = save("ladder")
    kept = {name: value for name, value in scenario.result.items() if name not in ("ranges", "grid_over_chips")}
    Scenario.objects.update(result=kept)

    answer = ask(
        client, '{ scenario(slug: "ladder") { result { ... on LadderReport { gridOverChips ranges { low } } } } }'
    )

    assert answer["data"]["scenario"]["result"] == {"gridOverChips": None, "ranges": []}


@pytest.mark.parametrize("kind", LAYERS)
def test_what_a_layer_refuses_is_not_saved_and_named_by_its_path(kind):
    first = next(iter(EVERY[kind]))

    with pytest.raises(ValidationError) as error:
        save(kind, input={**EVERY[kind], f"{first}x": 1})

    assert problems_of(error) == {(f"input.{first}x", "unknown_key")}
    assert not Scenario.objects.exists()


def test_a_scenario_stays_of_its_kind():
    save("ladder")

    for wrong, code in (("hall", "kind_is_fixed"), ("row", "not_a_choice")):
        with pytest.raises(ValidationError) as error:
            save_scenario(slug="ladder", title="Hall", kind=wrong, input=EVERY["hall"])
        assert problems_of(error) == {("kind", code)}

    assert list(Scenario.objects.values_list("kind", "title")) == [("ladder", "Ladder")]


def test_a_layer_names_no_record_of_the_catalogue():
    save("campus")

    assert not Reference.objects.exists()


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_number_of_a_report_has_a_name_and_the_database_finds_the_same(kind):
    scenario = save(kind)
    units = {name: each.unit for name, each in quantities().items()}

    numbers = told_numbers(scenario.result)

    known = {entry["quantity"]: entry["value"] for entry in scenario.result["trace"] if entry["value"] is not None}
    assert known.keys() <= numbers.keys()
    for name, number in numbers.items():
        assert number.unit == units.get(name, number.unit)
        with connection.cursor() as cursor:
            cursor.execute(
                "select articles_report_number(result, %s) from simulator_scenario where id = %s", [name, scenario.pk]
            )
            assert cursor.fetchone()[0] == number.value, name


def test_a_number_is_found_by_a_path_too_and_what_is_none_is_not():
    report = save("rack").result

    assert str(told_number(report, "power.density_kw").value) == "40.8"
    assert told_number(report, "density_kw").section == "power"
    for name in ("basis", "fits", "power.basis", "trace", "methods", "no_such", "power.density_kw.value"):
        assert told_number(report, name) is None
        with connection.cursor() as cursor:
            cursor.execute("select articles_report_number(result, %s) from simulator_scenario", [name])
            assert cursor.fetchone() == (None,)


@pytest.mark.parametrize(
    ("text", "number"),
    [("40.8", 40.8), ("+1E3", 1000), ("1_000", None), (" 7 ", None), ("\u0663", None), ("NaN", None)],
)
def test_text_that_says_a_number_is_one_for_both(text, number):
    with connection.cursor() as cursor:
        cursor.execute("select articles_as_number(to_jsonb(%s::text))::float", [text])
        assert cursor.fetchone() == (number,)
    assert told_number({"load_kw": text}, "load_kw") == (number and ToldNumber(Decimal(text), "kW"))


def test_prose_is_bound_to_any_number_of_any_kind_and_says_when_it_moved(client):
    save("ladder")
    body = "From {{scenario:ladder.hall_kw}} to {{scenario:ladder.grid_over_chips}}."
    article = make_live_article(body=body)

    before = client.get(f"/api/v1/articles/{article.pk}/").json()
    save("ladder", input={**LADDER, "racks": 3000})
    after = client.get(f"/api/v1/articles/{article.pk}/").json()

    assert [(row["text"], row["unit"]) for row in before["quantities"]] == [("127.5 MW", "kW"), ("2.14929", "")]
    assert [row["stale"] for row in before["quantities"]] == [False, False]
    assert [row["stale"] for row in after["quantities"]] == [True, False]
    assert [row["text"] for row in after["quantities"]] == [row["text"] for row in before["quantities"]]


# The admin


@pytest.fixture
def editor(client):
    client.force_login(User.objects.create_superuser("editor", password="a long password"))
    return client


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_form_begins_with_an_example_that_runs_and_says_what_may_be_typed(editor, kind):
    make_dgx()
    page = editor.get(reverse("admin:simulator_scenario_add"), {"kind": kind})

    example = page.context["adminform"].form.initial["input"]
    assert example == example_input(kind, device="nvidia-dgx-h100")
    assert run_question(kind, example).data["trace"]
    html = page.content.decode()
    assert all(f"<code>{each.path}</code>" in html for each in described(kind))
    assert 'href="?kind=hall"' in html or kind == "hall"


@pytest.mark.parametrize("kind", QUESTIONS)
def test_an_editor_saves_a_scenario_of_any_kind_and_reads_its_report(editor, kind):
    make_dgx()
    typed = {"title": "One", "slug": "one", "description": "", "kind": kind, "input": json.dumps(EVERY[kind])}

    response = editor.post(reverse("admin:simulator_scenario_add"), typed)

    scenario = Scenario.objects.get()
    assert (response.status_code, scenario.kind) == (302, kind)
    assert scenario.result == run_question(kind, EVERY[kind]).data
    assert editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).status_code == 200
    assert KIND_NAMES[kind] in editor.get(reverse("admin:simulator_scenario_changelist")).content.decode()


def test_a_ladder_is_read_with_its_rungs(editor):
    scenario = save("ladder")

    page = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()

    assert "<caption" in page and ">Rungs</caption>" in page
    assert "150,450" in page
    assert "Grid over chips 2.149" in editor.get(reverse("admin:simulator_scenario_changelist")).content.decode()


def test_what_a_layer_refuses_is_shown_by_its_path_and_nothing_is_saved(editor):
    wrong = {**EVERY["hall"], "racks": [{"name": "a", "count": 0}], "rows": "many"}
    typed = {"title": "One", "slug": "one", "description": "", "kind": "hall", "input": json.dumps(wrong)}

    page = editor.post(reverse("admin:simulator_scenario_add"), typed).content.decode()

    assert "racks[0].count: count is 0" in page
    assert "rows: rows must be a whole number" in page
    assert not Scenario.objects.exists()


def test_the_kind_of_a_saved_scenario_cannot_be_typed(editor):
    scenario = save("ladder")
    typed = {
        "title": "Other", "slug": "ladder", "description": "", "kind": "hall", "input": json.dumps(LADDER),
        "based_on": scenario.updated_at.isoformat(),
    }  # fmt: skip

    editor.post(reverse("admin:simulator_scenario_change", args=[scenario.pk]), typed)

    assert list(Scenario.objects.values_list("kind", "title")) == [("ladder", "Other")]
