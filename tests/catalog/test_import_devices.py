"""`manage.py import_devices`: what it writes, what it refuses, and that a second run writes nothing."""

import io
import shutil
from decimal import Decimal
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Sum

from catalog.importing import storing
from catalog.importing.reading import read_path
from catalog.models import Device, DeviceComponent, Manufacturer, ModuleComponent, ModuleType, RackType, Section
from catalog.services import apply_facts
from core.facts.models import Claim, Fact, Source
from core.facts.services import choose_claim, settle_choices
from tests.catalog.importing.trap_cases import TRAPS, check_stored

FILES = Path(__file__).parent / "importing"
LIBRARY = FILES / "library"
SYSTEMS = FILES / "accelerated-systems.yaml"
TRAP_FOLDER = FILES / "traps"

TABLES = [
    "catalog_manufacturer",
    "catalog_device",
    "catalog_devicecomponent",
    "catalog_moduletype",
    "catalog_modulecomponent",
    "catalog_racktype",
    "facts_source",
    "facts_fact",
    "facts_claim",
]

pytestmark = pytest.mark.django_db

DEVICE = """\
manufacturer: Trap
model: Box
slug: trap-box
part_number: P-1
u_height: 2
is_full_depth: true
weight: 105
weight_unit: lb
power-ports:
  - name: PSU1
    type: hardwired
    maximum_draw: 750
interfaces:
  - name: 01
    type: 100gbase-x-qsfp28
  - name: '1.1'
    type: other
"""


def run(path, *, fails=False, **options):
    """Run the command and return what it printed; `fails`: it has to end with exit code 1."""
    out = io.StringIO()
    if fails:
        with pytest.raises(CommandError) as caught:
            call_command("import_devices", str(path), stdout=out, **options)
        assert caught.value.returncode == 1
        return out.getvalue() + str(caught.value)
    call_command("import_devices", str(path), stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def library(tmp_path):
    """Return a copy of the library without the file that is refused."""
    copy = tmp_path / "library"
    shutil.copytree(LIBRARY, copy)
    (copy / "device-types/Juniper/MX304.yaml").unlink()
    return copy


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(text, name="box.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def fingerprint():
    """Return every row with its place and its transaction, and how far the feed has come."""
    state = {}
    with connection.cursor() as cursor:
        for table in [*TABLES, "feed_change", "feed_version"]:
            cursor.execute(f"select ctid::text, xmin::text, t.*::text from {table} t order by 1")
            state[table] = cursor.fetchall()
    return state


def claims(slug, field):
    return [
        (claim.value, claim.unit, claim.claim_kind, claim.confidence, claim.source.publisher)
        for claim in Claim.objects.filter(fact__subject_id=Device.objects.get(slug=slug).pk, fact__field=field)
    ]


def chosen(slug, field):
    return Fact.objects.get(subject_id=Device.objects.get(slug=slug).pk, field=field).chosen


def test_a_library_comes_in_with_all_its_components(library):
    text = run(library)

    reading = read_path(library)
    assert "Refused" not in text
    assert (Device.objects.count(), ModuleType.objects.count(), RackType.objects.count()) == (
        len(reading.devices),
        len(reading.modules),
        len(reading.racks),
    )
    stored: dict[str, int] = {}
    for model in (DeviceComponent, ModuleComponent):
        for kind in model.objects.values_list("component_kind", flat=True):
            stored[kind] = stored.get(kind, 0) + 1
    assert stored == reading.component_counts()
    for kind, count in stored.items():
        assert f"{count:,} {kind}" in text
    weights = [device for device in reading.devices if device.weight is not None and device.weight.value]
    assert Device.objects.exclude(weight_kg=None).count() == len(weights)
    for device in weights:
        row = Device.objects.get(slug=device.slug)
        assert (row.weight, row.weight_unit, row.weight_kg) == (
            device.weight.value,
            device.weight.unit,
            device.weight.kg,
        )


def test_a_second_run_writes_nothing(library):
    run(library)
    before = fingerprint()

    text = run(library)

    assert "Nothing to write" in text
    assert fingerprint() == before


def test_a_second_run_of_both_readers_in_either_order_writes_nothing(library):
    run(SYSTEMS)
    run(library)
    before = fingerprint()
    for path in (library, SYSTEMS, library / "device-types", library / "device-types/Nvidia/QM9700.yaml"):
        assert "Nothing to write" in run(path)
    assert fingerprint() == before


def test_an_update_twice_writes_once(library):
    run(library)
    path = library / "device-types/Nvidia/QM9700.yaml"
    path.write_text(path.read_text().replace("weight: 14.8", "weight: 15.2"))
    run(library, update=True)
    before = fingerprint()

    run(library, update=True)
    run(SYSTEMS, update=True)
    after_systems = fingerprint()
    run(library, update=True)
    run(SYSTEMS, update=True)

    assert before != after_systems
    assert fingerprint() == after_systems


def test_one_refusal_keeps_all_of_it_out(library):
    shutil.copy(LIBRARY / "device-types/Juniper/MX304.yaml", library / "device-types/Juniper")
    before = fingerprint()

    text = run(library, fails=True)

    assert "device-types/Juniper/MX304.yaml:2: model: Another device type has the model MX304 of Juniper" in text
    assert "1 refused; nothing was written" in text
    assert fingerprint() == before


def test_keep_going_imports_the_good_ones_and_still_fails():
    text = run(LIBRARY, fails=True, keep_going=True)

    assert "1 refused; the others were imported" in text
    assert Device.objects.filter(slug="juniper-mx304-base").exists()
    assert not Device.objects.filter(slug="juniper-mx304").exists()


def test_all_refusals_come_at_once_with_file_line_field_and_reason():
    text = run(TRAP_FOLDER, fails=True)

    for place in (
        "05-duplicate-key.yaml:6: u_height:",
        "14-negative-weight-alloc-over-max.yaml:7: weight:",
        "14-negative-weight-alloc-over-max.yaml:13: power-ports[0].allocated_draw:",
        "17-weight-without-unit.yaml:7: weight:",
    ):
        assert place in text
    assert "4 refused" in text
    assert Device.objects.count() == 0


def test_traps_are_stored_exactly_as_given():
    run(TRAP_FOLDER, fails=True, keep_going=True)

    norway = Device.objects.get(slug="no-on")
    assert (norway.manufacturer.name, norway.model, norway.part_number) == ("NO", "on", "off")
    assert norway.is_full_depth is True
    windows = Device.objects.get(slug="trap-bom-crlf")
    assert (windows.manufacturer.name, windows.model) == ("Trap", "BOM CRLF")
    busbar = Device.objects.get(slug="trap-busbar")
    assert busbar.components.get().maximum_draw_w == 140_000
    assert busbar.power_nameplate_w == 140_000


@pytest.mark.parametrize(("path", "row"), TRAPS)
def test_a_trap_ends_as_expected_in_the_database(path, row):
    is_refused = bool(read_path(path).refusals)
    text = run(path, fails=is_refused)
    if is_refused:
        assert row["outcome"] != "accept"
        assert "Refused:" in text
        assert (Device.objects.count(), ModuleType.objects.count(), RackType.objects.count()) == (0, 0, 0)
        assert Manufacturer.objects.count() == Claim.objects.count() == 0
        return
    assert row["outcome"] != "reject"
    rows = [found for model in (Device, ModuleType, RackType) for found in model.objects.defer(None)]
    parts = [*DeviceComponent.objects.all(), *ModuleComponent.objects.all()]
    values = [getattr(found, field.attname) for found in (*rows, *parts) for field in found._meta.concrete_fields]
    values += [value for found in (*rows, *parts) for value in found.extra.values()]
    values += [maker.name for maker in Manufacturer.objects.all()]
    check_stored(
        row["must_store"],
        texts=[value for value in values if isinstance(value, str)],
        numbers=[value for value in values if isinstance(value, int | Decimal) and not isinstance(value, bool)],
        flags={field.name: getattr(rows[0], field.name) for field in rows[0]._meta.concrete_fields},
    )


def test_a_dry_run_writes_nothing_and_says_what_it_would(library):
    before = fingerprint()

    dry = run(library, dry_run=True)

    assert fingerprint() == before
    assert "Nothing was written (--dry-run)" in dry
    wet = run(library)
    assert wet.rpartition("Written: ")[2].strip() in dry


def test_a_dry_run_fails_where_the_run_would():
    assert "1 refused; nothing was written" in run(LIBRARY, fails=True, dry_run=True, keep_going=True)
    assert Device.objects.count() == 0


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_path_without_files_is_said(tmp_path, name):
    (tmp_path / "empty").mkdir()
    text = run(tmp_path / name, fails=True)
    assert name in text


def test_a_device_shows_what_was_entered_and_sums_in_kilograms(file):
    run(file(DEVICE))

    device = Device.objects.get(slug="trap-box")
    assert (device.weight, device.weight_unit, device.weight_kg) == (105, "lb", Decimal("47.62719885"))
    assert (device.u_height, device.power_nameplate_w) == (2, 750)
    assert [component.name for component in device.components.filter(component_kind="interfaces")] == ["01", "1.1"]
    assert device.licence == "CC0-1.0"
    source = Source.objects.get()
    assert (source.publisher, source.licence) == ("NetBox device-type library contributors", "CC0-1.0")
    assert claims("trap-box", "weight_kg") == [(105, "lb", "stated", "reported", source.publisher)]


def test_the_source_of_other_files_can_be_named(file):
    run(
        file(DEVICE),
        source_title="Catalogue 2026",
        source_publisher="Trap Inc.",
        source_date="2026-11",
        source_licence="CC-BY-4.0",
    )
    source = Source.objects.get()
    assert (source.title, source.publisher, source.dated) == ("Catalogue 2026", "Trap Inc.", "2026-11")
    assert Device.objects.get().licence == "CC-BY-4.0"
    assert "--source-publisher" in run(file(DEVICE), fails=True, source_title="Alone")


def test_megawatts_are_stored_and_summed(file):
    more = "  - {name: Row feed, type: hardwired, maximum_draw: 1200000}\ninterfaces:"
    run(file(DEVICE.replace("interfaces:", more)))
    assert DeviceComponent.objects.aggregate(Sum("maximum_draw_w"))["maximum_draw_w__sum"] == 1_200_750


def test_the_rating_of_a_strip_is_no_draw_of_its_own(file):
    run(file(DEVICE + "power-outlets:\n  - {name: 1, type: iec-60320-c13, power_port: PSU1}\n"))
    device = Device.objects.get()
    assert device.power_nameplate_w is None
    assert device.components.get(component_kind="power-ports").maximum_draw_w == 750
    assert device.components.get(component_kind="power-outlets").extra == {"power_port": "PSU1"}


def test_columns_of_a_new_device_are_those_that_its_facts_give(library):
    run(SYSTEMS)
    run(library)
    assert apply_facts(Device.objects.values_list("pk", flat=True)) == 0
    before = fingerprint()
    settle_choices(Fact.objects.all())
    assert fingerprint() == before


def test_several_ports_are_no_nameplate_power(file):
    run(file(DEVICE.replace("interfaces:", "  - {name: PSU2, type: hardwired, maximum_draw: 750}\ninterfaces:")))

    device = Device.objects.get(slug="trap-box")
    assert device.power_nameplate_w is None
    assert [port.maximum_draw_w for port in device.components.filter(component_kind="power-ports")] == [750, 750]


def test_a_weight_of_zero_is_unknown(file):
    run(file(DEVICE.replace("weight: 105", "weight: 0")))

    device = Device.objects.get()
    assert (device.weight, device.weight_kg) == (None, None)
    assert device.extra["weight_as_entered"] == "0 lb"


def test_systems_come_in_with_claims_their_sources_and_confidence():
    run(SYSTEMS)

    device = Device.objects.get(slug="nvidia-dgx-h100")
    page = "NVIDIA (via ziash.github.io)"
    assert (device.u_height, device.weight_kg, device.power_nameplate_w) == (8, Decimal("130.45"), 10200)
    assert (device.gpu_count, device.gpu_tdp_w) == (8, 700)
    assert device.airflow_m3_h == Decimal("1877.406929")
    assert claims("nvidia-dgx-h100", "power_nameplate_w") == [
        (10200, "W", "nameplate", "reported", page),
        (10200, "W", "nameplate", "unverified", "supercluster.blog"),
    ]
    assert claims("nvidia-dgx-h100", "u_height") == [
        (8, "U", "stated", "unverified", page),
        (4, "U", "stated", "unverified", "supercluster.blog"),
    ]
    assert chosen("nvidia-dgx-h100", "u_height").value == 8
    assert device.section == Section.objects.get(slug="compute")
    assert Device.objects.get(slug="nvidia-dgx-gb200-nvl72-rack").is_whole_rack
    assert not device.is_whole_rack
    idle = Device.objects.get(slug="vast-data-dbox-df-3015v2")
    assert (idle.power_nameplate_w, idle.power_typical_w, idle.power_idle_w) == (850, None, 368)
    assert Device.objects.get(slug="dell-poweredge-xe9680").power_nameplate_w is None


@pytest.mark.parametrize("order", [[SYSTEMS, LIBRARY], [LIBRARY, SYSTEMS]], ids=["systems first", "library first"])
def test_a_device_of_both_sources_is_one_row_with_claims_of_both(order):
    for path in order:
        run(path, fails=path == LIBRARY, keep_going=True)

    switch = Device.objects.get(manufacturer__slug="nvidia", model="QM9700")
    assert switch.slug == "nvidia-qm9700"
    assert Manufacturer.objects.filter(slug="nvidia").count() == 1
    assert {publisher for *_, publisher in claims("nvidia-qm9700", "weight_kg")} == {
        "NetBox device-type library contributors",
        "NetBox device-type library contributors; NVIDIA",
    }
    assert switch.power_typical_w == 747
    assert (switch.device_kind, switch.airflow, switch.is_full_depth) == ("switch", "rear-to-front", True)
    assert switch.components.filter(component_kind="interfaces").exists()


def test_both_sources_in_one_run_are_one_row(tmp_path):
    shutil.copytree(LIBRARY / "device-types/Nvidia", tmp_path / "device-types/Nvidia")
    folder = tmp_path / "all"
    folder.mkdir()
    shutil.move(tmp_path / "device-types", folder / "library")
    shutil.copy(SYSTEMS, folder)
    run(folder)
    assert Device.objects.filter(slug="nvidia-qm9700").count() == 1
    assert len(claims("nvidia-qm9700", "weight_kg")) == 2


def test_the_choice_of_an_editor_is_left_alone(file):
    run(SYSTEMS)
    fact = Fact.objects.get(subject_id=Device.objects.get(slug="nvidia-dgx-h100").pk, field="u_height")
    choose_claim(fact, fact.claims.get(value=4))
    text = DEVICE.replace("manufacturer: Trap", "manufacturer: NVIDIA").replace("trap-box", "nvidia-dgx-h100")

    run(file(text.replace("model: Box", "model: DGX H100")), update=True)
    run(SYSTEMS, update=True)

    assert chosen("nvidia-dgx-h100", "u_height").value == 4
    assert len(claims("nvidia-dgx-h100", "u_height")) == 3
    assert Device.objects.get(slug="nvidia-dgx-h100").u_height == 4


def test_a_claim_that_an_editor_verified_stays_verified(file):
    run(file(DEVICE))
    Claim.objects.filter(fact__field="weight_kg").update(confidence="verified")
    before = fingerprint()

    assert "Nothing to write" in run(file(DEVICE), update=True)
    assert fingerprint() == before


def test_a_corrected_model_is_shown_and_written_on_request(file):
    run(file(DEVICE))
    device = Device.objects.get()
    before = fingerprint()
    corrected = file(DEVICE.replace("model: Box", "model: Box 2").replace("P-1", "P-2"))

    text = run(corrected)

    assert "box.yaml:1: Trap Box: model: Box → Box 2" in text
    assert "part_number: P-1 → P-2" in text
    assert "--update" in text
    assert fingerprint() == before

    run(corrected, update=True)

    again = Device.objects.get()
    assert (again.pk, again.slug, again.model, again.part_number) == (device.pk, "trap-box", "Box 2", "P-2")
    assert "Different" not in run(corrected)


def test_a_corrected_value_is_shown_and_written_on_request(file):
    run(file(DEVICE))
    corrected = file(DEVICE.replace("weight: 105", "weight: 106").replace("u_height: 2", "u_height: 2.5"))

    text = run(corrected)

    assert "weight_kg: 105 lb → 106 lb" in text
    assert "u_height: 2 U → 2.5 U" in text
    assert Device.objects.get().weight == 105

    run(corrected, update=True)

    device = Device.objects.get()
    assert (device.weight, device.u_height) == (106, Decimal("2.5"))
    assert len(claims("trap-box", "weight_kg")) == 1


def test_changed_components_are_shown_and_written_on_request(file):
    run(file(DEVICE))
    kept = DeviceComponent.objects.get(name="01").pk
    corrected = file(
        DEVICE.replace("name: '1.1'", "name: '1.2'")
        .replace("maximum_draw: 750", "maximum_draw: 800")
        .replace("type: 100gbase-x-qsfp28", "type: 100gbase-x-qsfp28\n    label: one")
    )

    text = run(corrected)

    assert "interfaces: 2 → 1 new, 1 changed, 1 removed" in text
    assert "power-ports: 1 → 0 new, 1 changed, 0 removed" in text
    assert DeviceComponent.objects.filter(name="1.1").exists()

    run(corrected, update=True)

    rows = DeviceComponent.objects.filter(component_kind="interfaces").values_list("pk", "name", "label")
    assert [(name, label) for _, name, label in rows] == [("01", "one"), ("1.2", "")]
    assert kept in [pk for pk, _, _ in rows]
    assert DeviceComponent.objects.get(component_kind="power-ports").maximum_draw_w == 800
    assert Device.objects.get().power_nameplate_w == 800


def test_what_was_unknown_is_filled_in_without_asking(file):
    run(file(DEVICE.replace("part_number: P-1\n", "")))
    run(file(DEVICE + "airflow: front-to-rear\n"))

    device = Device.objects.get()
    assert (device.part_number, device.airflow) == ("P-1", "front-to-rear")


def test_a_file_that_no_longer_says_something_empties_nothing(file):
    run(file(DEVICE + "airflow: passive\n"))
    before = fingerprint()
    run(file(DEVICE.replace("part_number: P-1\n", "")), update=True)
    assert fingerprint() == before


def test_a_new_address_of_a_known_model_makes_no_twin(file):
    run(file(DEVICE))

    text = run(file(DEVICE.replace("slug: trap-box", "slug: trap-box-1")), update=True)

    assert Device.objects.get().slug == "trap-box"
    assert "address_kept" in text


def test_a_file_that_would_be_two_records_is_refused(file):
    run(file(DEVICE + "---\n" + DEVICE.replace("Box", "Other").replace("trap-box", "trap-other")))
    before = fingerprint()

    text = run(file(DEVICE.replace("model: Box", "model: Other")), fails=True)

    assert "two_records" in text
    assert fingerprint() == before


def test_two_modules_whose_names_make_one_address_are_two(file):
    text = "manufacturer: Trap\nmodel: PSU-2\n---\nmanufacturer: Trap\nmodel: PSU-2+\n"
    run(file(text))
    assert list(ModuleType.objects.values_list("model", "slug")) == [
        ("PSU-2", "trap-psu-2"),
        ("PSU-2+", "trap-psu-2-2"),
    ]
    assert "Nothing to write" in run(file(text))
    assert "Nothing to write" in run(file("manufacturer: Trap\nmodel: PSU-2+\n"))


def test_makers_are_one_when_their_addresses_are(file):
    run(file(DEVICE))
    run(
        file(
            DEVICE.replace("manufacturer: Trap", "manufacturer: TRAP").replace("Box", "Other").replace("-box", "-other")
        )
    )
    assert [maker.name for maker in Manufacturer.objects.all()] == ["Trap"]


def test_racks_are_stored_in_millimetres_and_kilograms():
    run(LIBRARY / "rack-types")

    rack = RackType.objects.get(slug="panduit-r4p36cn96wh")
    assert (rack.width_in, rack.u_height) == (19, 52)
    assert (rack.outer_width_mm, rack.outer_height_mm, rack.outer_depth_mm) == (
        Decimal("590.55"),
        Decimal("2438.4"),
        Decimal("914.4"),
    )
    assert (rack.weight, rack.weight_unit, rack.weight_kg) == (110, "lb", Decimal("49.8951607"))
    assert rack.max_weight_kg == Decimal("1133.980925")
    assert rack.extra["starting_unit"] == 1


def test_a_long_description_is_kept_whole(file):
    words = "x" * 500
    run(file(DEVICE + f"description: {words}\ncomments: more\n"))
    device = Device.objects.get()
    assert (device.description, device.comments) == ("", f"{words}\n\nmore")


def rows_without_ids(model, **related):
    """Return all of a table as comparable tuples: without ids and instants, other rows by what they are called."""
    names = [
        field.name
        for field in model._meta.concrete_fields
        if field.name not in ("id", "created_at", "updated_at", "search")
    ]
    columns = [related.get(name, name) for name in names]
    return sorted(map(repr, model.objects.values_list(*columns)))


def test_an_export_of_all_imports_equal_row_for_row(library, tmp_path):
    run(library)
    exported = tmp_path / "all.yaml"
    call_command("export_devices", str(exported))
    maker = {"manufacturer": "manufacturer__slug"}
    owners = {"device": "device__slug", "module_type": "module_type__slug"}

    def everything():
        return [
            rows_without_ids(Device, **maker),
            rows_without_ids(ModuleType, **maker),
            rows_without_ids(RackType, **maker),
            rows_without_ids(DeviceComponent, **owners),
            rows_without_ids(ModuleComponent, **owners),
            rows_without_ids(Manufacturer),
        ]

    before = everything()
    assert "Nothing to write" in run(exported, update=True)
    Claim.objects.all().delete()
    for model in (Fact, Device, ModuleType, RackType, Manufacturer):
        model.objects.all().delete()
    run(exported)

    assert sum(map(len, before)) > 1000
    assert everything() == before


def test_an_export_overwrites_nothing_and_says_what_it_cannot_hold(tmp_path):
    run(SYSTEMS)
    (tmp_path / "there.yaml").write_text("mine\n")
    with pytest.raises(CommandError):
        call_command("export_devices", str(tmp_path / "there.yaml"))
    assert (tmp_path / "there.yaml").read_text() == "mine\n"
    out, err = io.StringIO(), io.StringIO()
    call_command("export_devices", stdout=out, stderr=err)
    assert out.getvalue() == ""
    assert "nvidia-dgx-h100 is left out" in err.getvalue()


def test_the_number_of_statements_does_not_grow_with_the_files(library, django_assert_max_num_queries):
    with django_assert_max_num_queries(60):
        run(library)
    with django_assert_max_num_queries(25):
        run(library)


@pytest.mark.django_db(transaction=True)
def test_an_edit_between_reading_and_writing_is_not_lost(file, monkeypatch):
    run(file(DEVICE))
    make_plan, attempts = storing.make_plan, []

    def edit():
        Device.objects.update(description="An editor wrote this.")
        connection.close()

    def plan_while_somebody_edits(reading, *, update):
        plan = make_plan(reading, update=update)
        if not attempts:
            editor = Thread(target=edit)
            editor.start()
            editor.join()
        attempts.append(plan)
        return plan

    monkeypatch.setattr(storing, "make_plan", plan_while_somebody_edits)
    text = run(file(DEVICE + "description: The file says this.\nairflow: passive\n"))

    assert len(attempts) == 2
    device = Device.objects.get()
    assert (device.description, device.airflow) == ("An editor wrote this.", "passive")
    assert "description: An editor wrote this. → The file says this." in text
