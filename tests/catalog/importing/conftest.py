"""Reads YAML that a test writes down, as the command would read it from a file."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from catalog.importing.reading import Reading, read_path

DEVICE = """\
manufacturer: Trap
model: Box
slug: trap-box
u_height: 1
is_full_depth: true
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Reading]:
    """Return a function that reads `text` as the file `name`; `device=True` puts a valid head of a device before it."""

    def read_text(text: str | bytes, name: str = "some.yaml", *, device: bool = False) -> Reading:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else ((DEVICE if device else "") + dedent(text)).encode()
        path.write_bytes(data)
        return read_path(path)

    return read_text


@pytest.fixture
def refusals(read: Callable[..., Reading]) -> Callable[..., list[tuple[int, str, str]]]:
    """Return a function that reads `text` and gives line, field and code of each refusal, where nothing else came."""

    def read_refused(text: str | bytes, **options: object) -> list[tuple[int, str, str]]:
        reading = read(text, **options)
        assert reading.refusals == () or reading.records == ()
        return [(refusal.line, refusal.field, refusal.code) for refusal in reading.refusals]

    return read_refused
