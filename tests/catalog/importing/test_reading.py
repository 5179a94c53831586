"""Whole folders: files of the real library with their quirks, and the hand-made traps."""

import dataclasses
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from catalog.importing.reading import read_path
from tests.catalog.importing.trap_cases import TRAPS, check_stored

HERE = Path(__file__).parent
LIBRARY = HERE / "library"


@pytest.fixture(scope="module")
def library():
    return read_path(LIBRARY)


def test_only_the_second_file_of_one_model_is_refused(library):
    assert [(refusal.file, refusal.line, refusal.field, refusal.code) for refusal in library.refusals] == [
        ("device-types/Juniper/MX304.yaml", 2, "model", "duplicate_model")
    ]
    assert "device-types/Juniper/MX304-BASE.yaml" in library.refusals[0].message


def test_every_component_and_every_weight_of_the_files_is_there(library):
    """libyaml's own reading of the files is what the counts are held against."""
    components: Counter[str] = Counter()
    weights = 0
    for path in [*LIBRARY.rglob("*.yaml"), *LIBRARY.rglob("*.yml")]:
        if path.name == "MX304.yaml":
            continue
        document = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        components.update({key: len(value) for key, value in document.items() if isinstance(value, list)})
        weights += "weight" in document

    assert library.component_counts() == components
    assert components["interfaces"] > 800
    assert sum(record.weight is not None for record in library.records) == weights


def test_every_quirk_is_read(library):
    quirks = json.loads((LIBRARY / "quirks.json").read_text())
    by_file = {record.place.file: record for record in library.records}
    noticed = {(notice.file, notice.code) for notice in library.notices}

    def of(quirk):
        return [by_file[path] for path in quirks[quirk] if path in by_file]

    assert len(quirks) > 40
    for paths in quirks.values():
        assert all(path in by_file or path == "device-types/Juniper/MX304.yaml" for path in paths)
    assert [device.slug for device in of("slugify collision plus sign")] == ["qnap-ts-231-plus", "qnap-ts-231"]
    assert len({device.identity for device in of("same model two manufacturers")}) == 2
    assert len({module.slug for module in of("same stem two extensions")}) == 2
    assert of("leading-zero part number")[0].part_number == "037332151513"
    assert of("all-digit model")[0].model == "3926"
    panel, strip = of("numeric-looking component names 01 / 1.1")
    assert "1.1" in {component.name for component in panel.components}
    assert "01" in {component.name for component in strip.components}
    assert of("manufacturer with ampersand")[0].identity[0] == "rohde-schwarz"
    assert of("dir != manufacturer")[0].manufacturer == "Generic"
    assert of("weight in ounces")[0].weight.unit == "oz"
    assert {device.u_height % 1 for device in of("half U")} == {Decimal("0.5")}
    assert of("u_height written 7.0")[0].u_height == 7
    for quirk, code in {
        "weight zero": "weight_zero",
        "misspelt draw keys": "unknown_key",
        "draw on module-bay": "unknown_key",
        "weight on power-port": "unknown_key",
        "ghost: installed_module key": "unknown_key",
        "allocated without maximum": "allocated_without_maximum",
        "parent without bays": "parent_without_bays",
    }.items():
        assert all((path, code) in noticed for path in quirks[quirk])
    for device in of("sum of redundant ports >> device"):
        assert "power_nameplate_w" not in [claim.field for claim in device.claims]


def stored(record):
    """Return every value of a record, however deep."""
    if dataclasses.is_dataclass(record):
        return [value for field in dataclasses.fields(record) for value in stored(getattr(record, field.name))]
    if isinstance(record, dict):
        return [found for value in record.values() for found in stored(value)]
    if isinstance(record, tuple | list):
        return [found for value in record for found in stored(value)]
    return [record]


@pytest.mark.parametrize(("path", "row"), TRAPS)
def test_a_trap_ends_as_expected(path, row):
    reading = read_path(path)

    if row["outcome"] == "reject" or (row["outcome"].startswith("accept-or-reject") and reading.refusals):
        assert reading.records == ()
        assert reading.refusals
        assert all(refusal.line > 0 and refusal.message for refusal in reading.refusals)
        return
    assert reading.refusals == ()
    assert reading.records
    values = [value for record in reading.records for value in stored(record)]
    texts = {value for value in values if isinstance(value, str)}
    numbers = {value for value in values if isinstance(value, int | Decimal) and not isinstance(value, bool)}
    assert not any("\r" in text for text in texts)
    flags = {field.name: getattr(reading.records[0], field.name) for field in dataclasses.fields(reading.records[0])}
    check_stored(row["must_store"], texts=texts, numbers=numbers, flags=flags)


def test_two_field_errors_are_reported_together():
    reading = read_path(HERE / "traps" / "14-negative-weight-alloc-over-max.yaml")
    assert [refusal.code for refusal in reading.refusals] == ["negative", "allocated_over_maximum"]


def test_all_problems_of_all_files_come_in_one_pass():
    reading = read_path(HERE / "traps")
    assert {refusal.file for refusal in reading.refusals} == {
        "05-duplicate-key.yaml",
        "14-negative-weight-alloc-over-max.yaml",
        "17-weight-without-unit.yaml",
    }
    assert {device.model for device in reading.devices} == {"on", "BOM CRLF", "Busbar"}


def test_several_documents_of_several_kinds_in_one_file(read):
    reading = read(
        "---\nmanufacturer: A\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: true\n"
        "---\nmanufacturer: A\nmodel: C\n"
        "---\nmanufacturer: A\nmodel: D\nslug: a-d\nform_factor: 4-post-frame\n"
        "width: 19\nu_height: 42\nstarting_unit: 1\n"
        "---\n"
    )
    assert reading.refusals == ()
    assert [type(record).__name__ for record in reading.records] == ["DeviceType", "ModuleType", "RackType"]
    assert [record.place.line for record in reading.records] == [2, 8, 11]


def test_a_wrong_document_leaves_the_others_of_its_file(read):
    reading = read("manufacturer: A\nmodel: B\n---\nmanufacturer: A\n---\nmanufacturer: A\nmodel: C\n")
    assert [module.model for module in reading.modules] == ["B", "C"]
    assert [(refusal.line, refusal.field) for refusal in reading.refusals] == [(4, "model")]


def test_a_file_that_breaks_off_gives_nothing_and_all_that_was_found(read):
    reading = read("manufacturer: A\nmodel: B\n---\nmanufacturer: A\n---\nmanufacturer: [A\n")
    assert reading.records == ()
    assert [(refusal.line, refusal.code) for refusal in reading.refusals] == [(4, "required"), (7, "bad_yaml")]


def test_a_clash_of_addresses_is_one_refusal_and_the_rest_goes_on(read):
    text = "manufacturer: A\nmodel: {}\nslug: {}\nu_height: 1\nis_full_depth: true\n"
    reading = read("---\n".join(text.format(*pair) for pair in [("B", "a-b"), ("C", "a-b"), ("D", "a-d")]))
    assert [device.model for device in reading.devices] == ["B", "D"]
    assert [(refusal.line, refusal.code) for refusal in reading.refusals] == [(7, "duplicate_slug")]


def test_makers_are_one_when_their_addresses_are(read):
    text = "manufacturer: {}\nmodel: B\nslug: {}\nu_height: 1\nis_full_depth: true\n"
    reading = read("---\n".join(text.format(*pair) for pair in [("Nvidia", "a"), ("NVIDIA", "b")]))
    assert [(refusal.line, refusal.code) for refusal in reading.refusals] == [(7, "duplicate_model")]


def test_the_claims_of_a_library_cite_it_with_its_licence(library):
    sources = {claim.source for device in library.devices for claim in device.claims}
    assert [(source.publisher, source.licence) for source in sources] == [
        ("NetBox device-type library contributors", "CC0-1.0")
    ]


def test_reading_twice_gives_the_same(library):
    assert read_path(LIBRARY) == library
