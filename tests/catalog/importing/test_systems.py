"""The file of accelerated systems: claims with their source and confidence."""

from decimal import Decimal
from pathlib import Path

import pytest

from catalog.importing.reading import read_path

FILE = Path(__file__).parent / "accelerated-systems.yaml"

ENTRY = """\
systems:
  - manufacturer: NVIDIA
    model: DGX H100
    kind: server
    u_height: 8
    weight_kg: 130.45
    power_max_w: 10200
    airflow_cfm: 1105
    gpu_count: 8
    from_memory: [u_height, weight_kg]
    source: {title: Guide, publisher: NVIDIA, date: undated}
    seen: page
"""


@pytest.fixture(scope="module")
def devices():
    reading = read_path(FILE)
    assert reading.refusals == ()
    return {device.slug: device for device in reading.devices}


def claims_of(device, field):
    found = [claim for claim in device.claims if claim.field == field]
    return [(claim.value, claim.unit, claim.kind, claim.confidence, claim.source.publisher) for claim in found]


def test_the_file_is_known_by_its_shape_and_read_whole(devices):
    assert len(devices) == 52
    assert devices["nvidia-dgx-h100"].device_kind == "server"
    assert "pure-storage-flashblades500" in devices


def test_what_was_read_is_reported_and_what_is_remembered_unverified(devices):
    device = devices["nvidia-dgx-h100"]
    page = "NVIDIA (via ziash.github.io)"

    assert claims_of(device, "u_height") == [
        (8, "U", "stated", "unverified", page),
        (4, "U", "stated", "unverified", "supercluster.blog"),
    ]
    assert claims_of(device, "weight_kg") == [
        (Decimal("130.45"), "kg", "stated", "unverified", page),
        (Decimal("123.2"), "kg", "stated", "unverified", "supercluster.blog"),
    ]
    assert claims_of(device, "power_nameplate_w") == [
        (10200, "W", "nameplate", "reported", page),
        (10200, "W", "nameplate", "unverified", "supercluster.blog"),
    ]
    assert claims_of(device, "airflow_m3_h") == [(1105, "cfm", "stated", "unverified", page)]
    assert {claim.confidence for claim in devices["nvidia-dgx-h200"].claims} == {"unverified"}


def test_the_three_powers_keep_their_kinds(devices):
    device = devices["vast-data-dbox-df-3015v2"]
    assert [(c.field, c.value, c.kind) for c in device.claims if c.field.startswith("power_")] == [
        ("power_nameplate_w", 850, "nameplate"),
        ("power_idle_w", 368, "idle"),
    ]
    typical = devices["asus-xa-nb3i-e12"]
    assert claims_of(typical, "power_typical_w") == [(14500, "W", "typical", "reported", "Kedios; ServeTheHome")]


def test_a_conflict_without_a_value_is_kept_as_a_remark(devices):
    device = devices["supermicro-as-8125gs-tnmr2"]
    assert len({claim.source for claim in device.claims}) == 1
    assert "6 power ports" in device.remark


def test_supplies_are_never_a_draw(devices):
    device = devices["dell-poweredge-xe9680"]
    assert [claim.field for claim in device.claims] == ["u_height", "psu_count", "psu_w", "gpu_count", "gpu_tdp_w"]
    assert device.psu_redundancy == "3+3"


def test_a_rack_says_what_it_holds(devices):
    device = devices["nvidia-dgx-gb200-nvl72-rack"]
    assert device.device_kind == "rack"
    assert device.contains == {"compute_trays_1u": 18, "nvlink_switch_trays_1u": 9, "management_switches": 2}
    assert claims_of(device, "weight_kg")[1][:2] == (3000, "kg")
    assert claims_of(device, "weight_kg")[1][4] == "introl.com"


def test_a_comma_without_quotes_does_not_cut_a_title(devices):
    device = devices["nvidia-gb200-reference-power-shelf"]
    assert device.claims[0].source.title == (
        "Base Command Manager 11, chapter 4 Power Shelf Integration (8 shelves a rack)"
    )


def test_dates_stay_as_they_are_written(devices):
    assert devices["nvidia-q3450-ld"].claims[0].source.date == "2026-01-21"
    assert devices["nvidia-dgx-b200"].claims[0].source.date == "undated; 2026-03-11"
    assert devices["nvidia-dgx-h200"].claims[0].source.date == ""


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "code"),
    [
        ("    seen: page\n", "", 2, "systems[0].seen", "required"),
        ("seen: page", "seen: rumour", 12, "systems[0].seen", "not_a_choice"),
        ("    source: {title: Guide, publisher: NVIDIA, date: undated}\n", "", 2, "systems[0].source", "required"),
        ("title: Guide, ", "", 11, "systems[0].source.title", "required"),
        ("power_max_w: 10200", "power_max_w: -1", 7, "systems[0].power_max_w", "negative"),
        ("power_max_w: 10200", "power_max_w: 10.2kW", 7, "systems[0].power_max_w", "not_a_number"),
        ("power_max_w: 10200", "power_max_w: [1]", 7, "systems[0].power_max_w", "wrong_type"),
        ("u_height: 8", "u_height: 0.25", 5, "systems[0].u_height", "not_half_u"),
        ("gpu_count: 8", "gpu_count: 8.5", 9, "systems[0].gpu_count", "wrong_type"),
        ("[u_height, weight_kg]", "[u_height, weigth_kg]", 10, "systems[0].from_memory", "unknown_field"),
        ("kind: server", "kind: Big Server", 4, "systems[0].kind", "bad_pattern"),
        ("model: DGX H100", "model: 模型", 3, "systems[0].model", "no_slug"),
    ],
)
def test_a_wrong_entry_is_refused(refusals, old, new, line, field, code):
    assert ENTRY.count(old) == 1
    assert refusals(ENTRY.replace(old, new)) == [(line, field, code)]


def test_a_refused_entry_leaves_the_others(read):
    other = ENTRY.replace("systems:\n", "").replace("DGX H100", "DGX H200")
    reading = read(ENTRY.replace("10200", "-1") + other)

    assert [refusal.line for refusal in reading.refusals] == [7]
    assert [device.slug for device in reading.devices] == ["nvidia-dgx-h200"]


def test_an_unknown_key_is_remarked_on(read):
    reading = read(ENTRY + "    power_max_kw: 10.2\n")
    assert [(n.line, n.field, n.code) for n in reading.notices] == [(13, "systems[0].power_max_kw", "unknown_key")]


def test_nothing_is_known_of_a_power_of_zero(read):
    reading = read(ENTRY.replace("10200", "0"))
    assert [(notice.line, notice.code) for notice in reading.notices] == [(7, "zero")]
    assert claims_of(reading.devices[0], "power_nameplate_w") == []


def test_two_entries_of_one_model_are_refused(refusals, read):
    twice = ENTRY + ENTRY.replace("systems:\n", "")
    (refusal,) = read(twice).refusals
    assert (refusal.line, refusal.code) == (13, "duplicate_model")
    assert "line 2" in refusal.message
