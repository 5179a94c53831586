"""Nine in ten small wrong changes of the engine are noticed by its quick tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulator.equivalent_mutants import EQUIVALENT
from tests.simulator.mutation import QUICK, ROOT, all_mutants, part_of

SAMPLE = int(os.environ.get("MUTANTS", "240"))


def test_mutants_are_of_calculations_and_none_is_the_module_as_it_is():
    mutants = [each for each in all_mutants() if each.file == "fabric/tree.py"]

    told = [mutant.made()[0] for mutant in mutants]
    assert any("ceiling" in each or "radix" in each for each in told)
    assert all(was.rsplit(" ", 1)[-1] != now for was, now in (each.split(" -> ", 1) for each in told))


def test_parts_together_are_all_mutants_each_once():
    mutants = all_mutants(only=("hall/", "air.py"))
    parts = [part_of(mutants, f"{number}/7") for number in range(1, 8)]

    assert {each.file.partition("/")[0] for each in mutants} == {"hall", "air.py"}
    assert sorted((each for part in parts for each in part), key=mutants.index) == mutants
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    for part in ("0/7", "8/7", "7", "a/b"):
        with pytest.raises(ValueError, match="is no part"):
            part_of(mutants, part)
    with pytest.raises(ValueError, match="No file of the engine begins with 'halls/'"):
        all_mutants(only=("halls/",))


def test_what_is_listed_as_equivalent_is_a_mutant_of_the_engine_as_it_is():
    files = {file for file, _, _ in EQUIVALENT}

    assert set(EQUIVALENT) <= {mutant.key() for mutant in all_mutants() if mutant.file in files}
    assert all(reason.endswith(".") for reason in EQUIVALENT.values())


def test_mutants_meet_every_test_of_the_engine_alone():
    """But those of docstrings, and of readers and validation, which have no mutants. A new one goes into `QUICK`.

    Files that ask the public interface too need a database, and are not of the engine alone.
    """
    files = {path.stem: path.read_text() for path in Path(__file__).parent.glob("test_*.py")}
    imported = {name: set(re.findall(r"^(?:from|import) ([\w.]+)", text, re.M)) for name, text in files.items()}
    own = ("simulator.engine", "tests.simulator", "numpy", "pytest", "hypothesis", *sys.stdlib_module_names)
    alone = {
        name
        for name, modules in imported.items()
        if all(module.startswith(own) for module in modules)
        and not re.search(r"\(client\b", files[name])
        and any(re.match(r"simulator\.engine(?!\.validation)", module) for module in modules)
    }

    assert alone - set(QUICK) == {"test_docstrings", "test_reading"}


@pytest.mark.long
def test_nine_in_ten_mutants_are_noticed():
    run = subprocess.run(
        [sys.executable, "-m", "tests.simulator.mutation", "--sample", str(SAMPLE), "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1500,
        check=True,
    )

    told = json.loads(run.stdout)
    assert told["run"] == SAMPLE
    assert told["listed_as_equivalent_but_killed"] == []
    # What no test can notice, each with its reason, is left out of the count.
    assert told["killed"] >= 0.9 * (told["run"] - len(told["equivalent"])), told["survivors"]
