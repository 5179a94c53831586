"""The library's schemas as rules: in decimals, and never less than they ask."""

from decimal import Decimal

import pytest

from catalog.importing import schema


def test_the_rules_are_those_of_the_files():
    device = schema.shape_of("device-types")

    assert device.required == ("manufacturer", "model", "slug", "u_height", "is_full_depth")
    assert device.is_closed
    assert device.scalars["u_height"].multiple_of == Decimal("0.5")
    assert device.scalars["weight"].multiple_of == Decimal("0.01")
    assert device.scalars["weight_unit"].choices == ("kg", "g", "lb", "oz")
    assert device.lists["power-ports"].required == ("name", "type")
    assert not device.lists["power-ports"].is_closed
    assert device.lists["power-ports"].scalars["name"].max_length == 64
    assert "iec-60320-c14" in device.lists["power-ports"].scalars["type"].choices
    assert schema.shape_of("rack-types").scalars["width"].choices == (10, 19, 20, 23)
    assert "slug" not in schema.shape_of("module-types").scalars


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "object", "properties": {"a": {"type": "string", "format": "uri"}}}',
        '{"type": "object", "properties": {"a": {"type": "null"}}}',
        '{"type": "object", "properties": {"a": {"$ref": "urn:elsewhere#/b"}}}',
        '{"type": "object", "properties": {}, "anyOf": []}',
    ],
)
def test_what_the_compiler_does_not_know_stops_it(text, tmp_path, monkeypatch):
    (tmp_path / "devicetype.json").write_text(text[:-1] + ', "$id": "urn:test"}')
    monkeypatch.setattr(schema, "FOLDER", tmp_path)
    schema.shape_of.cache_clear()
    schema._load.cache_clear()
    schema._by_id.cache_clear()
    try:
        with pytest.raises(schema.UnknownVocabularyError):
            schema.shape_of("device-types")
    finally:
        monkeypatch.undo()
        schema.shape_of.cache_clear()
        schema._load.cache_clear()
        schema._by_id.cache_clear()
