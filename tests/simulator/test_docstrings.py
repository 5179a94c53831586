"""Each formula of the engine says where it holds and where it is from, and so does each quantity of a report."""

import ast
import re

import pytest

from simulator.engine.trace import quantities
from tests.simulator.mutation import ENGINE

# What reads, arranges and tells numbers computes none of a formula.
NO_FORMULAS = {
    "numbers.py",
    "layers.py",
    "run.py",
    "reader.py",
    "reading.py",
    "sweeps.py",
    "columns.py",
    "parameters.py",
}
NUMBERS = ("Decimal", "int", "Total")


def formulas():
    for path in sorted(ENGINE.rglob("*.py")):
        if "validation" in path.parts or path.name in NO_FORMULAS:
            continue
        for node in ast.parse(path.read_text()).body:
            is_public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name != "turns"
            if is_public and any(word in ast.unparse(node.returns).split(" | ") for word in NUMBERS):
                yield pytest.param(node, id=f"{path.relative_to(ENGINE)}:{node.name}")


@pytest.mark.parametrize("function", list(formulas()))
def test_a_formula_says_its_range_and_its_source(function):
    told = ast.get_docstring(function) or ""

    assert told.startswith("Return "), told
    assert re.search(r"\bValid\s", told)
    assert re.search(r"Source:\s", told)


def test_each_quantity_has_a_formula_and_a_source():
    lacking = [each.name for each in quantities().values() if not each.formula or not each.source]

    assert lacking == []
