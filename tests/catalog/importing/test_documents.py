"""YAML into nodes: text stays what was written, and what cannot be trusted is refused with its line."""

import pytest

from catalog.importing.documents import UnreadableFileError, decode, read_documents


def texts(data: bytes) -> list[tuple[str, int]]:
    """Return the values of the first document, a flat mapping, with their lines."""
    root = next(read_documents(decode(data))).root
    return [(node.text, node.line) for node in root.entries.values()]


def fault(data: bytes) -> tuple[int, str]:
    with pytest.raises(UnreadableFileError) as caught:
        list(read_documents(decode(data)))
    return caught.value.fault.line, caught.value.fault.code


@pytest.mark.parametrize(
    "text",
    ["NO", "on", "off", "yes", "070001949", "0x1F", "1_000", "12:30:45", "1.10", "2024-01-01", "~", "null", "1e3"],
)
def test_a_scalar_keeps_its_text(text):
    assert texts(f"a: {text}\nb: '{text}'\n".encode()) == [(text, 1), (text, 2)]


def test_byte_order_mark_and_windows_line_ends_leave_no_trace():
    assert texts(b"\xef\xbb\xbf---\r\na: one\r\nb: |\r\n  two\r\n  three\r\n") == [("one", 2), ("two\nthree\n", 3)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_when_its_mark_says_so(encoding):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    assert texts(mark + "a: Größe\n".encode(encoding)) == [("Größe", 1)]


def test_another_encoding_is_refused_and_never_guessed():
    assert fault("a: b\nc: Größe\n".encode("latin-1")) == (2, "not_utf8")


def test_a_joined_file_may_carry_a_mark_before_each_part():
    joined = b"\xef\xbb\xbf---\na: 1\n" + b"\xef\xbb\xbf---\na: 2\n"
    assert len(list(read_documents(decode(joined)))) == 2


def test_keys_that_stand_twice_are_a_fault_of_their_document_alone():
    first, second = read_documents("a: 1\nb: 2\na: 3\n---\na: 4\n")

    assert [(found.line, found.field, found.code) for found in first.faults] == [(3, "a", "duplicate_key")]
    assert "line 1" in first.faults[0].message
    assert second.faults == []


def test_a_key_that_stands_twice_with_a_list_is_a_fault_too():
    (document,) = read_documents("a:\n  - x: 1\nb: 2\na:\n  - y: [1, 2]\n    z: {w: 3}\nc: 4\n")

    assert [(found.line, found.code) for found in document.faults] == [(4, "duplicate_key")]
    assert list(document.root.entries) == ["a", "b", "c"]


def test_a_tag_is_a_fault_and_makes_no_object():
    (document,) = read_documents('a: !!python/object/apply:os.system ["true"]\nb: !!str 1\n')

    assert [(found.line, found.code) for found in document.faults] == [(1, "tag"), (2, "tag")]


BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
)


@pytest.mark.parametrize(
    ("text", "line"),
    [(BOMB, 1), ("a: 1\nb: *a\n", 2), ("a: &x\n  b: 1\nc:\n  <<: *x\n", 1), ("a: &a\n  b: *a\n", 1)],
    ids=["bomb", "alias", "merge key", "recursion"],
)
def test_anchors_and_aliases_are_refused(text, line):
    assert fault(text.encode()) == (line, "anchor")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "- " * 100_000 + "a",
        "\n".join(" " * n + "a:" for n in range(3000)),
        "{a: " * 500 + "1" + "}" * 500,
    ],
)
def test_deep_nesting_ends_in_a_refusal(text):
    line, code = fault(text.encode())
    assert code in ("too_deep", "bad_yaml")
    assert line < 20


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [1, 2\n", 3),
        ("a: 'one\n", 2),
        ("a:\n\tb: 1\n", 2),
        ("a: b: c\n", 1),
        ("%YAML 3.0\n---\na: 1\n", 1),
        ("a: 1\nb: \x07\n", 2),
        ("a: 1\n\nb: \x00\n", 3),
    ],
)
def test_what_is_not_yaml_is_refused_with_its_line(text, line):
    assert fault(text.encode()) == (line, "bad_yaml")


def test_keys_have_to_be_text():
    assert fault(b"a: 1\n? [b, c]\n: 2\n") == (2, "bad_key")


def test_an_empty_document_has_no_root():
    assert [document.root for document in read_documents("---\n---\na: 1\n---\n")][0::2] == [None, None]
