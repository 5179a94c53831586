"""The history of a record in the admin: when, who, what, which field from what to what; and nowhere else."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from graphql import is_required_argument

from catalog.models import Device, Installation, ModuleType, Rung
from core.api.admin_history import TrackedAdmin
from core.api.history import attributed
from core.facts.models import Claim, Fact
from tests.addresses import addresses
from tests.admin.conftest import client_of
from tests.admin.pages import fill, text_of
from tests.admin.rows import MAKERS
from tests.factories import make_device, make_fact, make_installation, make_person, make_section, make_source
from tests.graphql.asking import post
from tests.graphql.walking import Walk, introspected, words_in

TRACKED = sorted((model for model in MAKERS if hasattr(model, "pgh_event_models")), key=lambda model: model.__name__)
WORD = "quillwort"


def address_of(row_or_model, pk=None):
    options = row_or_model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_history", args=[pk or row_or_model.pk])


def read(client, row_or_model, pk=None, **query):
    """Return the entries of the page as (who, what, part, {label: (before, after)})."""
    response = client.get(address_of(row_or_model, pk), query)
    assert response.status_code == 200
    return [
        (entry.who, entry.what, entry.part, {step.label: (step.before, step.after) for step in entry.steps})
        for entry in response.context["entries"]
    ]


def test_every_tracked_record_of_the_admin_shows_its_history():
    assert len(TRACKED) == 9
    assert {type(admin.site._registry[model]).__mro__.count(TrackedAdmin) for model in TRACKED} == {1}


@pytest.mark.parametrize("model", TRACKED, ids=lambda model: model.__name__)
def test_the_page_of_a_record_leads_to_a_history_that_begins_with_how_it_was_made(root, model):
    MAKERS[model]()
    row = model._default_manager.last()
    change_page = root.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk]))

    assert address_of(row) in change_page.content.decode()
    assert [what for _, what, part, _ in read(root, row) if not part][-1] == "added"


def test_an_editor_sees_who_changed_which_field_from_what_to_what(editor):
    device = make_device(model="Box", section=make_section("compute"))
    change = reverse("admin:catalog_device_change", args=[device.pk])
    assert fill(editor, change, "device_form", model="Box II", section=str(make_section("power").pk)).status_code == 302
    with attributed(command="import_devices"):
        Device.objects.filter(pk=device.pk).update(is_full_depth=True, power_nameplate_w="10200")
    with connection.cursor() as cursor:
        cursor.execute("update catalog_device set is_full_depth = false, power_nameplate_w = null")

    newest, imported, edited, made = read(editor, device)

    assert newest == (
        "no account: the database itself",
        "changed",
        "",
        {"is full depth": ("yes", "no"), "nameplate power, W": ("10,200", "—")},
    )
    assert imported[:2] == ("manage.py import_devices", "changed")
    assert imported[3] == {"is full depth": ("—", "yes"), "nameplate power, W": ("—", "10,200")}
    assert edited == ("edgar", "changed", "", {"model": ("Box", "Box II"), "section": ("Compute", "Power")})
    assert made[1] == "added"
    assert made[3]["model"] == ("—", "Box")
    assert made[3]["manufacturer"] == ("—", "Acme")
    assert "nameplate power, W" not in made[3]


def test_a_choice_is_shown_in_words_and_a_long_text_line_by_line(editor):
    site = make_installation(status="planned", description="One.\nTwo.\n")
    Installation.objects.filter(pk=site.pk).update(status="operating", description="One.\nThree.\n")

    response = editor.get(address_of(site))

    steps = {step.label: step for step in response.context["entries"][0].steps}
    assert (steps["status"].before, steps["status"].after) == ("Planned", "Operating")
    assert steps["description"].lines[-2:] == ["-Two.", "+Three."]
    assert '<span class="plenum-removed">-Two.</span>' in response.content.decode()


def test_the_history_of_a_fact_holds_that_of_its_claims(editor):
    fact = make_fact(("700", "W"), ("0.8", "kW"))
    other = fact.claims.get(unit="kW")
    Claim.objects.filter(pk=other.pk).update(value="0.9")
    Fact.objects.filter(pk=fact.pk).update(chosen=other)
    fact.claims.exclude(pk=other.pk).delete()

    deleted, chosen, corrected = read(editor, fact)[:3]

    assert deleted[1:3] == ("deleted", "claim 700 W")
    assert chosen[1:] == ("changed", "", {"chosen": ("700 W (deleted)", "0.9 kW")})
    assert corrected[1:] == ("changed", "claim 0.9 kW", {"value": ("0.8", "0.9")})


def test_what_was_deleted_keeps_its_history_at_its_address(editor):
    device = make_device(model="Box")
    pk = device.pk
    device.delete()

    deleted, made = read(editor, Device, pk)

    assert (deleted[1], made[1]) == ("deleted", "added")
    assert deleted[3]["model"] == ("Box", "—")


def test_an_account_that_was_deleted_is_named_by_its_number(editor):
    with attributed(user=999_999):
        device = make_device()

    assert read(editor, device)[0][0] == "account 999999, since deleted"


def test_an_instant_is_shown_on_the_clock_of_the_editor(editor):
    device = make_device()
    (event,) = Device.pgh_event_model.objects.filter(pgh_obj=device.pk)
    editor.cookies["plenum_zone"] = "Asia/Tokyo"

    page = text_of(editor.get(address_of(device)))

    local = event.pgh_created_at.astimezone(ZoneInfo("Asia/Tokyo"))
    assert f"{local.day} {local:%b %Y, %H:%M} JST" in page
    assert abs(datetime.now(UTC) - event.pgh_created_at).total_seconds() < 60


# Pages and statements


def change_often(device, times):
    sections = [make_section("power"), make_section("compute"), make_section("cooling")]
    for number in range(times):
        with attributed(user=make_person().pk):
            Device.objects.filter(pk=device.pk).update(description=str(number), section=sections[number % 3])


def test_a_long_history_comes_in_pages(editor):
    device = make_device()
    change_often(device, 60)

    pages = [read(editor, device, p=number) for number in (1, 2, 3)]

    assert [len(page) for page in pages] == [25, 25, 11]
    told = [steps["description"] for page in pages for _, what, _, steps in page if what == "changed"]
    assert told == [(str(number - 1) if number else "—", str(number)) for number in reversed(range(60))]
    assert "61 entries" in text_of(editor.get(address_of(device), {"p": 3}))


def statements_of(client, row):
    client.get(address_of(row))
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address_of(row)).status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_a_page_costs_the_same_with_5_and_with_50_entries(editor, monkeypatch):
    device, fact = make_device(), make_fact(("1", "W"))
    change_often(device, 60)
    for number in range(30):
        with attributed(user=make_person().pk):
            claim = Claim.objects.create(fact=fact, value=number + 3, source=make_source())
            Fact.objects.filter(pk=fact.pk).update(chosen=claim)
    counts = []
    for size in (5, 50):
        monkeypatch.setattr(TrackedAdmin, "history_per_page", size)
        counts.append([len(statements_of(editor, row)) for row in (device, fact)])
        assert len(read(editor, device)) == len(read(editor, fact)) == size

    assert counts[0] == counts[1]


# Who may see it


def test_whoever_may_see_a_record_may_see_its_history_and_nobody_else(author, client):
    device = make_device()
    stranger = client_of(make_person(username="nobody", is_staff=True))

    assert author.get(address_of(device)).status_code == 200
    assert stranger.get(address_of(device)).status_code == 403
    assert stranger.get(address_of(Device, "00000000-0000-7000-8000-000000000000")).status_code == 403
    assert client.get(address_of(device)).status_code == 302


@pytest.mark.parametrize("pk", ["00000000-0000-7000-8000-000000000000", "no-id"])
def test_what_never_was_has_no_history(editor, pk):
    response = editor.get(address_of(Device, pk))

    assert (response.status_code, response["Location"]) == (302, "/admin/")


def make_past():
    """Make records that said the word once and say it no more, and return them."""
    device = make_device(model=f"The {WORD}", slug=f"the-{WORD}", description=WORD, extra={"a": WORD})
    site = make_installation(name=WORD, operator=WORD, rung=Rung.objects.first())
    fact = make_fact(("700", "W"), subject=device, label=WORD)
    fact.claims.update(note=WORD)
    module = ModuleType.objects.create(slug="fan", model=WORD, manufacturer=device.manufacturer)
    gone = make_device(model=f"Another {WORD}", slug=f"another-{WORD}")
    Device.objects.filter(pk=device.pk).update(model="Box", slug="box", description="", extra={})
    Installation.objects.filter(pk=site.pk).update(name="Hall", operator="")
    Fact.objects.filter(pk=fact.pk).update(label="Power")
    fact.claims.update(note="")
    ModuleType.objects.filter(pk=module.pk).update(model="Fan")
    keys = [str(gone.pk), gone.slug]
    gone.delete()
    return [*keys, *(str(row.pk) for row in (device, site, fact, module)), "box", site.slug, fact.slug, "fan"]


@pytest.mark.django_db
def test_no_address_of_the_public_tells_what_a_record_said_before(client):
    keys = make_past()
    asked = 0
    for address in addresses():
        if address.route.startswith(("/api/", "/health")):
            head, _, rest = address.route.partition("<")
            for path in [head + key + rest.partition(">")[2] for key in keys] if rest else [head]:
                response = client.get(path)
                told = b"".join(response.streaming_content) if response.streaming else response.content
                assert WORD not in told.decode().lower().replace(path.lower(), ""), path
                assert "pgh_" not in told.decode(), path
                asked += 1
    assert asked > 100
    assert WORD in text_of(client_of(make_person(is_staff=True, is_superuser=True)).get(address_of(Device, keys[2])))


@pytest.mark.django_db
def test_no_field_of_graphql_tells_what_a_record_said_before(client):
    make_past()
    schema = introspected(client)
    walk = Walk(schema, first=5)
    asked = 0
    for root in walk.roots():
        if "slug" in root.field.args or any(map(is_required_argument, root.field.args.values())):
            continue  # The lists give the same types.
        for _, field in walk.queries(root, 1):
            answer = post(client, f"{{ {field} }}")
            assert "errors" not in answer, answer["errors"]
            assert WORD not in words_in(answer), field
            asked += 1
    assert asked > 10
    assert [name for name in schema.type_map if "pgh" in name.lower() or name.endswith("Event")] == []


@pytest.mark.django_db
def test_the_public_neither_reads_the_history_nor_names_anybody(editor, client):
    make_device()
    asks = [
        lambda who: who.get("/api/v1/devices/"),
        lambda who: who.post("/graphql/", {"query": "{ sections { slug } }"}, content_type="application/json"),
    ]
    for ask in asks:
        counts = []
        for who in (client, editor):
            with CaptureQueriesContext(connection) as captured:
                response = ask(who)
            assert response.status_code == 200
            assert "Cookie" not in response.get("Vary", "")
            statements = [query["sql"] for query in captured.captured_queries]
            assert not [sql for sql in statements if "pgh" in sql or 'event"' in sql or "auth_user" in sql]
            counts.append(len(statements))
        assert counts[0] == counts[1]
