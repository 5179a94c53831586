"""Facts with their claims, and records of the catalogue, in the admin."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog.models import Device, Installation, Manufacturer
from core.facts.models import Claim, Fact
from core.facts.services import choose_claim, unchoose_claim
from tests.admin.pages import errors_of, fill, open_form, said, text_of
from tests.factories import (
    make_approved_edition,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_source,
)
from tests.sponsors.factories import make_image


def page_of(record, page: str = "change") -> str:
    options = record._meta
    args = [] if page == "add" else [record.pk]
    return reverse(f"admin:{options.app_label}_{options.model_name}_{page}", args=args)


def test_a_fact_is_recorded_with_its_first_claim_and_the_device_follows(editor):
    device, source = make_device(slug="h100"), make_source()

    fill(
        editor,
        reverse("admin:facts_fact_add"),
        "fact_form",
        **{
            "label": "Nameplate power",
            "slug": "h100-power",
            "subject_kind": "device",
            "subject": "h100",
            "field": "power_nameplate_w",
            "claims-TOTAL_FORMS": "1",
            "claims-0-value": "0.7",
            "claims-0-unit": "kW",
            "claims-0-claim_kind": "nameplate",
            "claims-0-confidence": "reported",
            "claims-0-source": str(source.pk),
        },
    )

    fact = Fact.objects.get()
    assert (fact.subject_id, str(fact.chosen), fact.is_chosen_by_hand) == (device.pk, "0.7 kW", False)
    device.refresh_from_db()
    assert device.power_nameplate_w == 700


def test_which_claim_is_in_use_is_chosen_and_the_device_follows(editor):
    device = make_device()
    fact = make_fact(("700", "W"), ("650", "W"), subject=device)
    other = fact.claims.get(value=650)

    response = fill(editor, page_of(fact), "fact_form", chosen=str(other.pk))
    assert response.status_code == 302, text_of(response)
    fact.refresh_from_db()
    device.refresh_from_db()
    assert (fact.chosen, fact.is_chosen_by_hand, device.power_nameplate_w) == (other, True, 650)

    fill(editor, page_of(fact), "fact_form", chosen="")

    fact.refresh_from_db()
    device.refresh_from_db()
    assert (str(fact.chosen), fact.is_chosen_by_hand, device.power_nameplate_w) == ("700 W", False, 700)


def test_a_claim_of_another_fact_cannot_be_chosen(editor):
    fact, other = make_fact(("700", "W")), make_fact(("1", "W"))

    response = fill(editor, page_of(fact), "fact_form", chosen=str(other.chosen_id))

    assert errors_of(response, "chosen")
    assert Fact.objects.get(pk=fact.pk).chosen_id == fact.chosen_id


def test_claims_that_differ_are_shown_with_both_values(editor):
    fact = make_fact(("700", "W"), ("0.65", "kW"))
    make_fact(("700", "W"), ("0.7", "kW"), label="They agree here")

    page = text_of(editor.get(page_of(fact)))
    found = editor.get(reverse("admin:facts_fact_changelist"), {"conflict": "yes"})

    assert "700 W, stated, reported" in page and "0.65 kW, stated, reported" in page
    assert "700 W Conflict: 0.65 kW" in text_of(found) and "They agree here" not in text_of(found)


def test_a_value_keeps_every_digit_through_the_form(editor):
    fact = make_fact(("0.123456789", "kW"))

    form = open_form(editor, page_of(fact), "fact_form")
    fill(editor, page_of(fact), "fact_form", label="Renamed")

    assert form["claims-0-value"] == "0.123456789"
    assert str(Claim.objects.get().value) == "0.123456789"


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"subject_kind": "device", "subject": "no-such"}, "subject"),
        ({"subject_kind": "device", "subject": ""}, "subject"),
        ({"subject_kind": "", "subject": "h100"}, "subject_kind"),
        ({"subject_kind": "user", "subject": "root"}, "subject_kind"),
    ],
)
def test_a_fact_of_nothing_that_exists_is_refused_on_its_field(editor, typed, field):
    make_device(slug="h100")

    response = fill(editor, reverse("admin:facts_fact_add"), "fact_form", label="x", slug="x", field="w", **typed)

    assert errors_of(response, field)
    assert not Fact.objects.exists()


def test_a_unit_that_measures_something_else_is_refused_and_nothing_changes(editor):
    device = make_device()
    fact = make_fact(("700", "W"), subject=device)

    response = fill(editor, page_of(fact), "fact_form", **{"claims-0-unit": "kg"})

    assert errors_of(response) == ["kg measures mass, W power."]
    assert Claim.objects.get().unit == "W"


def test_a_claim_that_somebody_added_meanwhile_makes_a_save_stale(editor):
    fact = make_fact(("700", "W"))
    form = open_form(editor, page_of(fact), "fact_form")
    Claim.objects.create(fact=fact, value="650", unit="W", source=make_source())

    response = editor.post(page_of(fact), {**form, "label": "Mine"})

    assert response.status_code == 409 and "Label" in text_of(response)
    assert Fact.objects.get().label == fact.label


def test_deleting_a_fact_leaves_the_quantity_unknown(editor):
    device = make_device()
    fact = make_fact(("700", "W"), subject=device)

    editor.post(page_of(fact, "delete"), {"post": "yes"})

    device.refresh_from_db()
    assert not Fact.objects.exists() and device.power_nameplate_w is None


def test_a_device_goes_with_its_facts(editor):
    device = make_device()
    make_fact(("700", "W"), subject=device)

    editor.post(page_of(device, "delete"), {"post": "yes"})

    assert not Device.objects.exists() and not Fact.objects.exists() and not Claim.objects.exists()


def test_what_an_article_names_is_not_deleted(editor):
    device = make_device(slug="h100")
    fact = make_fact(("700", "W"), subject=device)
    make_approved_edition(title="Loops", body="It draws {{device:h100.power_nameplate_w}}.\n")

    for record in (fact, device):
        page = editor.post(page_of(record, "delete"), {"post": "yes"})
        assert "Article: Loops" in text_of(page)

    editor.post(
        reverse("admin:facts_fact_changelist"),
        {"action": "delete_selected", "_selected_action": [str(fact.pk)], "post": "yes"},
    )
    assert Fact.objects.exists() and Device.objects.exists()


# The catalogue


def test_quantities_of_a_device_are_read_and_not_typed(editor):
    device = make_device()
    make_fact(("10200", "W"), ("9900", "W"), subject=device)

    fill(editor, page_of(device), "device_form", power_nameplate_w="1", power_nameplate_w_shown="1", description="x")

    device.refresh_from_db()
    assert (device.power_nameplate_w, device.description) == (10200, "x")
    page = text_of(editor.get(page_of(device)))
    assert "Nameplate power, W 10,200" in page and "Claims differ" in page and "9900 W, stated" in page


def test_a_device_offers_to_add_a_fact_about_itself(editor):
    device = make_device(slug="h100")

    address = editor.get(page_of(device)).context["add_fact_address"]
    form = open_form(editor, address, "fact_form")

    assert (form["subject_kind"], form["subject"]) == ("device", "h100")


def test_two_editors_of_one_record_do_not_overwrite_each_other(editor, other_editor):
    site = make_installation(name="Old", place="Oslo")
    form = open_form(editor, page_of(site), "installation_form")
    fill(other_editor, page_of(site), "installation_form", name="Theirs")

    response = editor.post(page_of(site), {**form, "name": "Mine"})

    assert response.status_code == 409 and "Name Theirs Mine" in text_of(response)
    assert Installation.objects.get().name == "Theirs"

    over = {**form, "name": "Mine", "_overwrite": response.context["stored_version"]}
    assert said(editor, editor.post(page_of(site), over))
    assert Installation.objects.get().name == "Mine"


def test_what_another_record_needs_is_not_deleted(editor):
    device = make_device()

    page = editor.post(page_of(device.manufacturer, "delete"), {"post": "yes"})

    assert f"is in use, so it stays: Device: {device}" in text_of(page) and Manufacturer.objects.exists()


def test_what_readers_see_keeps_its_picture_and_the_page_says_so(editor):
    image = make_image()
    make_live_article(title="Loops", image=image)

    page = editor.post(page_of(image, "delete"), {"post": "yes"})

    assert "is in use, so it stays" in text_of(page) and "Loops" in text_of(page)
    assert "permission" not in text_of(page) and type(image).objects.exists()


def test_a_save_that_changes_nothing_writes_nothing(editor):
    site = make_installation()

    fill(editor, page_of(site), "installation_form")

    assert Installation.objects.get().updated_at == site.updated_at


def test_giving_up_a_choice_locks_the_fact_as_choosing_does(db):
    fact = make_fact(("700", "W"), ("650", "W"))
    first, other = fact.claims.get(value=700), fact.claims.get(value=650)
    choose_claim(fact, other)

    with CaptureQueriesContext(connection) as statements:
        fact = unchoose_claim(fact)

    assert "FOR UPDATE" in next(s["sql"] for s in statements if "facts_fact" in s["sql"])
    stored = Fact.objects.get()
    assert (fact.chosen, stored.chosen, stored.is_chosen_by_hand) == (first, first, False)
