"""What docs/markup.md shows to editors works as it stands."""

import re
from pathlib import Path

import pytest

from articles.markup import Known, parse
from articles.markup.directives import CALLOUT_KINDS, SHAPES

PAGE = (Path(__file__).parents[3] / "docs" / "markup.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RECORDS = Known(images=["pump.png"])


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_without_errors(example):
    document = parse(example, RECORDS)

    assert document.errors == ()
    assert document.blocks


def test_there_are_examples():
    assert len(EXAMPLES) == 2


def test_every_directive_and_attribute_is_described():
    for name, shape in SHAPES.items():
        row = next(line for line in PAGE.splitlines() if line.startswith("| ") and f"`{name}`" in line and "`" in line)
        assert all(f"`{attribute}`" in row for attribute in shape.attributes)
    assert all(kind in PAGE for kind in CALLOUT_KINDS)
