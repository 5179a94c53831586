"""The cases of cases.yaml and own.yaml, and of the folder that EXTRA_CASES names, in the same layout."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.articles.markup.comparing import CaseRecords, check_case, read_cases

HERE = Path(__file__).parent
FILES = [HERE / "cases.yaml", HERE / "own.yaml"]
if extra := os.environ.get("EXTRA_CASES"):
    FILES.extend(sorted((Path(extra) / "markup").glob("*.yaml")))

CASES = [
    pytest.param(case, records, id=f"{path.parent.name}-{path.stem}-{case['id']}")
    for path in FILES
    for case, records in read_cases(path)
]


@pytest.mark.parametrize(("case", "records"), CASES)
def test_case(case: dict[str, Any], records: CaseRecords):
    check_case(case, records)
