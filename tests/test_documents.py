"""What the documents say is so: settings, queries, codes, links, and the mirror that partners are shown."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from graphql import parse, validate

from config.schema import schema
from core.publishing.services import database_now
from sponsors import services
from sponsors.models import VendorEdition
from tests.core.feed.following import settle
from tests.sponsors.factories import make_live_vendor, republish

ROOT = Path(settings.BASE_DIR)
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]
READERS = {"text", "flag", "number", "words", "get", "setdefault"}
# What answers clients: how a module of these rooms refuses is part of the API.
SPEAKING = [
    *("core/api/*.py", "core/api/graphql/*.py", "core/feed/*.py", "core/facts/rest.py", "config/graphql.py"),
    *("[!t]*/rest/*.py", "[!t]*/graphql/*.py", "simulator/engine/*.py"),
]
REFUSALS = {"bad_request": 1, "Problem": 1, "refused": 0, "refuse": 1, "_gone": 0}
"""Which argument of a call is the code."""
NOT_ANSWERED = {"slug_is_uuid", "forbidden"}  # The first is for editors; nothing that the public asks for is forbidden.


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)


def test_every_variable_that_the_code_reads_is_in_the_table_for_operators():
    read = set()
    for path in (ROOT / "config").rglob("*.py"):
        for call in calls(path):
            first = call.args[0] if call.args else None
            if name_of(call) in READERS and isinstance(first, ast.Constant) and isinstance(first.value, str):
                read |= set(re.findall(r"^(PLENUM_[A-Z0-9_]+|DATABASE_URL|HOST|PORT)$", first.value))
    assert len(read) > 15
    table = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "operators.md").read_text(), re.MULTILINE)
    said = {name for cell in table for name in re.findall(r"`([A-Z0-9_]+)`", cell)}
    assert said - {"TEST_DATABASE_URL"} == read - {"PLENUM_UP"}


@pytest.mark.parametrize("query", blocks("frontend.md", "graphql"))
def test_every_query_for_front_ends_fits_the_schema(query):
    assert validate(schema._schema, parse(query)) == []


def test_every_code_that_clients_can_meet_is_told():
    codes = set()
    for pattern in SPEAKING:
        for path in ROOT.glob(pattern):
            for call in calls(path):
                place = REFUSALS.get(name_of(call))
                if place is not None and len(call.args) > place and isinstance(call.args[place], ast.Constant):
                    codes.add(call.args[place].value)
    assert len(codes) > 40
    told = (ROOT / "docs" / "partners.md").read_text() + (ROOT / "docs" / "frontend.md").read_text()
    assert sorted(code for code in codes - NOT_ANSWERED if f"`{code}`" not in told) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_of_ours_leads_there(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https:", "http:", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        to = page.parent / file if file else page
        assert to.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", to.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}, (
                target
            )


def test_the_mirror_for_partners_follows_the_directory(live_server, tmp_path):
    [program] = blocks("partners.md", "python")
    (tmp_path / "mirror.py").write_text(program)

    def mirrored() -> dict[str, str]:
        settle()
        run = subprocess.run(
            [sys.executable, "mirror.py", live_server.url], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        vendors = json.loads((tmp_path / "vendors.json").read_text())["vendors"]
        return {key: vendor["name"] for key, vendor in vendors.items()}

    def public() -> dict[str, str]:
        return {str(row.vendor_id): row.name for row in VendorEdition.objects.visible(database_now())}

    kept, renamed, withdrawn = [make_live_vendor() for _ in range(3)]
    assert mirrored() == public()
    services.withdraw_vendor(withdrawn, reason="It closed.")
    republish(renamed, name="Another name", slug="another-name")
    assert mirrored() == public()
    assert str(withdrawn.pk) not in mirrored()
    assert mirrored()[str(renamed.pk)] == "Another name"
    assert str(kept.pk) in mirrored()
