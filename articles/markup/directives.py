"""The opening line of a directive: its name and attributes, and what they may be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .errors import Report
from .records import Kind, Records
from .urls import is_secure, read_target


@dataclass(frozen=True, slots=True)
class Shape:
    """What a directive takes. `record` names the attribute that refers to a record, and the kind of that record."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    record: tuple[str, Kind] | None = None
    has_body: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.required + self.optional


SHAPES = {
    "figure": Shape(("src", "alt"), ("credit",), ("src", "image"), has_body=True),
    "callout": Shape((), ("kind", "title"), has_body=True),
    "quote": Shape((), ("by", "source"), has_body=True),
    "device": Shape(("slug",), (), ("slug", "device")),
    "vendor": Shape(("slug",), (), ("slug", "vendor")),
    "installation": Shape(("slug",), (), ("slug", "installation")),
    "rack": Shape(("scenario",), (), ("scenario", "scenario")),
    "ladder": Shape(("scenario",), (), ("scenario", "scenario")),
}
CALLOUT_KINDS = ("note", "tip", "info", "warning", "danger")
DEFAULT_CALLOUT_KIND = "note"

NAME = re.compile(r"[^\s{}=]+")
WORD = re.compile(r"\S+")
# key=value, or key="two words" with \" and \\ inside the quotes; then a space or the end.
ATTRIBUTE = re.compile(r'([A-Za-z][\w-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"\'][^\s"]*))(?=\s|$)')
QUOTED = re.compile(r"\\([\"\\])")


@dataclass(frozen=True, slots=True)
class Attribute:
    value: str
    at: int


@dataclass(frozen=True, slots=True)
class Directive:
    """An opening line that was read. `name` is "" where it is none that is known. `found` is the record that exists."""

    name: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    found: bool = False

    def value(self, name: str) -> str:
        attribute = self.attributes.get(name)
        return attribute.value if attribute else ""


def read_directive(line: str, at: int, line_at: int, records: Records, report: Report) -> Directive:
    """Read `line`, what follows the colons at the offset `line_at`. The fence itself begins at `at`."""
    if not line.startswith(" ") or line[1:2].isspace():
        report.add(
            at, "bad_directive", "Write the colons, one space, the name of the directive: “::: callout kind=note”."
        )
        return Directive("")
    name = WORD.match(line, 1)
    assert name is not None, "a fence without a name is a closing one"
    shape = SHAPES.get(name.group())
    if shape is None:
        report.add(line_at + 1, "unknown_directive", name.group(), known=", ".join(SHAPES))
        return Directive("")
    attributes, sound = _read_attributes(line, name.end(), line_at, shape, report)
    if sound:
        _report_missing(attributes, at, shape, report)
    _report_values(name.group(), attributes, report)
    found = False
    if shape.record and shape.record[0] in attributes:
        attribute, kind = attributes[shape.record[0]], shape.record[1]
        found = records.find(kind, attribute.value) is not None
        if not found and attribute.value.strip():
            report.add(attribute.at, f"dangling_{kind}", attribute.value)
    return Directive(name.group(), attributes, found)


def _read_attributes(
    line: str, begin: int, line_at: int, shape: Shape, report: Report
) -> tuple[dict[str, Attribute], bool]:
    """Return the attributes, and whether each could be read: what cannot be read is not missing as well."""
    attributes: dict[str, Attribute] = {}
    for start, name, value in _pairs(line, begin):
        if name is None:
            report.add(
                line_at + start,
                "bad_directive",
                'This is no attribute. Write key=value, or key="two words" in straight double quotes.',
            )
            return attributes, False
        if name not in shape.attributes:
            report.add(line_at + start, "unknown_attribute", name, known=", ".join(shape.attributes))
        elif name in attributes:
            report.add(line_at + start, "duplicate_attribute", name)
        else:
            attributes[name] = Attribute(value, line_at + start)
    return attributes, True


def _pairs(line: str, begin: int) -> Iterator[tuple[int, str | None, str]]:
    """Yield place, name and value of each attribute; the name is None, and the end reached, where there is none."""
    while word := WORD.search(line, begin):
        found = ATTRIBUTE.match(line, word.start())
        if not found:
            yield word.start(), None, ""
            return
        quoted, plain = found[2], found[3]
        yield word.start(), found[1], plain if quoted is None else QUOTED.sub(r"\1", quoted)
        begin = found.end()


def _report_missing(attributes: dict[str, Attribute], at: int, shape: Shape, report: Report) -> None:
    for name in shape.required:
        if name not in attributes or not attributes[name].value.strip():
            report.add(at, "missing_alt" if name == "alt" else "missing_attribute", name)


def _report_values(directive: str, attributes: dict[str, Attribute], report: Report) -> None:
    """Report values that cannot be, and empty those that must not reach a reader."""
    for name, attribute in list(attributes.items()):
        mistake: tuple[str, str] | None = None
        if "{{" in attribute.value:
            report.add(attribute.at, "malformed_quantity")
        if name == "kind" and attribute.value not in CALLOUT_KINDS:
            mistake = ("bad_value", f"kind is one of: {', '.join(CALLOUT_KINDS)}.")
        elif directive == "quote" and name == "source" and attribute.value:
            target = read_target(attribute.value)
            if target == "unsafe_url":
                mistake = ("unsafe_url", attribute.value)
            elif isinstance(target, str) or not is_secure(target):
                mistake = ("bad_value", "source is a whole address that begins with https://.")
        elif directive == "figure" and name == "src" and read_target(attribute.value) == "unsafe_url":
            mistake = ("unsafe_url", attribute.value)
        if mistake:
            report.add(attribute.at, *mistake)
            attributes[name] = Attribute("", attribute.at)
