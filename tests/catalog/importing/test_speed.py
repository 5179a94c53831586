"""How long an import takes beside the time that libyaml alone needs for the same files."""

import io
import re
import time
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from catalog.importing.reading import read_path
from catalog.models import Device

LIBRARY = Path(__file__).parent / "library"
COPIES = 10


@pytest.fixture
def many(tmp_path):
    """Return a library of about 540 files: ten of each of ours, under other names."""
    for path in [*LIBRARY.rglob("*.yaml"), *LIBRARY.rglob("*.yml")]:
        if path.name == "MX304.yaml":
            continue
        text = path.read_text(encoding="utf-8")
        for number in range(COPIES):
            name = path.relative_to(LIBRARY).with_stem(f"{path.stem}-{number}-{path.suffix[1:]}")
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            renamed = re.sub(r"^(model: ['\"]?)", rf"\g<1>{number} ", text, flags=re.MULTILINE)
            renamed = re.sub(r"^(slug: ['\"]?)", rf"\g<1>n{number}-", renamed, flags=re.MULTILINE)
            (tmp_path / name).write_text(renamed, encoding="utf-8")
    return tmp_path


def seconds(work, *, times):
    """Return the shortest of some runs: what the machine can do when nobody else is at it."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


@pytest.mark.long
@pytest.mark.django_db
def test_an_import_takes_a_small_multiple_of_parsing(many):
    files = [path.read_bytes() for path in many.rglob("*.y*ml")]
    parsing = seconds(lambda: [yaml.load(data, Loader=yaml.CSafeLoader) for data in files], times=5)

    reading = seconds(lambda: read_path(many), times=5)
    first = seconds(lambda: call_command("import_devices", str(many), stdout=io.StringIO()), times=1)
    again = seconds(lambda: call_command("import_devices", str(many), stdout=io.StringIO()), times=3)

    assert len(files) > 500
    assert Device.objects.count() == 46 * COPIES
    assert reading < 3 * parsing
    assert again < 5 * parsing
    assert first < 12 * parsing
