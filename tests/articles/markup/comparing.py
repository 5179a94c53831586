"""Reads files of cases, and compares what they expect with a document. cases.yaml says how they are to be read."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from articles.markup import Document, Known, Record, parse

# What a block may carry that a reader sees. Where a case does not name one of these, it must be absent or empty.
SEEN = {"text", "alt", "src", "credit", "caption", "title", "by", "source", "slug", "scenario", "language"}
# Prefixes that mean what a bare name means.
BARE = ("device:", "installation:")


class CaseRecords(Known):
    """The records of a file of cases. `device:slug.field` is what `slug.field` is."""

    def find(self, kind: Any, key: str) -> Record | None:
        if kind == "quantity":
            for prefix in BARE:
                key = key.removeprefix(prefix)
        return super().find(kind, key)


def read_cases(path: Path) -> Iterator[tuple[dict[str, Any], CaseRecords]]:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    for case in content["cases"]:
        yield case, CaseRecords(**content["records"] | case.get("records", {}))


def input_of(case: dict[str, Any]) -> str:
    if "repeat" in case:
        repeat = case["repeat"]
        return repeat["before"] + repeat["text"] * repeat["times"] + repeat["after"]
    return case["input"]


def check_case(case: dict[str, Any], records: CaseRecords) -> None:
    unknown = case.keys() - CHECKS.keys() - {"id", "why", "input", "repeat", "records", "within_s"}
    assert not unknown, f"the case says {unknown}, which no test looks at"
    source = input_of(case)
    begun = time.perf_counter()
    document = parse(source, records)
    took_s = time.perf_counter() - begun
    for key, check in CHECKS.items():
        if key in case:
            check(document, case[key])
    assert took_s <= case.get("within_s", 5)


def _check_blocks(document: Document, expected: list[dict[str, Any]]) -> None:
    _compare_blocks(document.to_json()["blocks"], expected)


def _compare_blocks(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert [block["type"] for block in found] == [block["type"] for block in expected]
    for one, other in zip(found, expected, strict=True):
        _compare_block(one, other)


def _compare_block(found: dict[str, Any], expected: dict[str, Any]) -> None:
    for key, value in expected.items():
        if key == "blocks":
            _compare_blocks(found["blocks"], value)
        elif key == "links":
            _compare_links(found["links"], value)
        elif key == "align":
            assert [align or "" for align in found["align"]] == [align or "" for align in value]
        elif key == "items":
            _compare_items(found["items"], value)
        else:
            assert found[key] == value, key
    for key in SEEN - expected.keys():
        assert not found.get(key), f"{key} is not empty"
    for key in ("blocks", "items", "rows"):
        assert key in expected or not found.get(key) or "text" in expected, f"{key} is not named"


def _compare_links(found: list[dict[str, Any]], expected: list[Any]) -> None:
    """A link is expected as its target, as [text, target], or as a mapping."""
    assert len(found) == len(expected)
    for link, wanted in zip(found, expected, strict=True):
        if isinstance(wanted, str):
            assert link["to"] == wanted
        elif isinstance(wanted, list):
            assert [link["text"], link["to"]] == wanted
        else:
            assert {key: link[{"href": "to", "url": "to"}.get(key, key)] for key in wanted} == wanted


def _compare_items(found: list[dict[str, Any]], expected: list[Any]) -> None:
    """An item is expected as the text of its only block, as that block, as its blocks, or as a mapping with them."""
    assert len(found) == len(expected)
    for item, wanted in zip(found, expected, strict=True):
        if isinstance(wanted, str):
            assert [block["text"] for block in item["blocks"]] == [wanted]
        elif isinstance(wanted, dict):
            _compare_blocks(item["blocks"], wanted.get("blocks", [wanted]))
        else:
            _compare_blocks(item["blocks"], wanted)


def _check_errors(document: Document, expected: list[dict[str, Any]]) -> None:
    found = [{"code": error.code, "line": error.line, "column": error.column} for error in document.errors]
    assert _named(found, expected) == expected, f"found {found}"
    assert all(error.message for error in document.errors)


def _check_footnotes(document: Document, expected: list[dict[str, Any]]) -> None:
    found = [{"n": note.n, "text": note.text, "back": note.back} for note in document.footnotes]
    assert _named(found, expected) == expected, f"found {found}"


def _named(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return of each of `found` what the case names of it."""
    if len(found) != len(expected):
        return found
    return [{key: one[key] for key in other} for one, other in zip(found, expected, strict=True)]


def _check_has(found: str, expected: list[str]) -> None:
    for text in expected:
        assert text in found


def _check_hasnt(found: str, refused: list[str]) -> None:
    for text in refused:
        assert text not in found


def _html(document: Document) -> str:
    return document.html.lower()


CHECKS = {
    "blocks": _check_blocks,
    "errors": _check_errors,
    "footnotes": _check_footnotes,
    "toc": lambda document, expected: _equal([[e.level, e.text, e.anchor] for e in document.toc], expected),
    "references": lambda document, expected: _equal([str(each) for each in document.references], expected),
    "citations": lambda document, expected: _equal(list(document.citations), expected),
    "text_has": lambda document, expected: _check_has(document.text, expected),
    "text_hasnt": lambda document, refused: _check_hasnt(document.text, refused),
    "html_has": lambda document, expected: _check_has(_html(document), [text.lower() for text in expected]),
    "html_hasnt": lambda document, refused: _check_hasnt(_html(document), [text.lower() for text in refused]),
}


def _equal(found: Any, expected: Any) -> None:
    assert found == expected, f"found {found}"
