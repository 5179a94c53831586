"""The file of accelerated systems into device records whose numbers are claims, each with its source and confidence.

The file is known by its shape: one mapping with the list `systems`. Its own head says what its keys mean.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from django.utils.text import slugify

from catalog.importing.checking import kind_of, number_of, refuse_faults, suggestion, value_of
from catalog.importing.conflicts import statements_of
from catalog.importing.documents import Document, Mapping, Node, Sequence, Text
from catalog.importing.problems import Problems
from catalog.importing.records import MAX_SLUG, Claim, DeviceType, Place, Source
from catalog.importing.schema import Rule


class Quantity(NamedTuple):
    """How a number of the file is called in the catalogue, its unit, which power it is, and what it may be at most."""

    field: str
    unit: str
    kind: str = "stated"
    maximum: int = 10_000_000


MAX_WATTS = 10_000_000_000
# `power_max_w` is what the whole device may draw, so its nameplate power; `psu_count` times `psu_w` never is.
QUANTITIES = {
    "u_height": Quantity("u_height", "U", maximum=1000),
    "height_openu": Quantity("height_openu", "OpenU", maximum=1000),
    "weight_kg": Quantity("weight_kg", "kg"),
    "max_payload_kg": Quantity("max_payload_kg", "kg"),
    "power_max_w": Quantity("power_nameplate_w", "W", "nameplate", MAX_WATTS),
    "power_typical_w": Quantity("power_typical_w", "W", "typical", MAX_WATTS),
    "power_idle_w": Quantity("power_idle_w", "W", "idle", MAX_WATTS),
    "power_output_max_w": Quantity("power_output_max_w", "W", "nameplate", MAX_WATTS),
    "cooling_capacity_w": Quantity("cooling_capacity_w", "W", "nameplate", MAX_WATTS),
    "heat_to_liquid_fraction": Quantity("heat_to_liquid_fraction", "", maximum=1),
    "airflow_cfm": Quantity("airflow_m3_h", "cfm"),
    "gpu_count": Quantity("gpu_count", ""),
    "gpu_tdp_w": Quantity("gpu_tdp_w", "W", "nameplate", 1_000_000),
    "psu_count": Quantity("psu_count", ""),
    "psu_w": Quantity("psu_w", "W", "nameplate", 1_000_000),
}
COUNTS = frozenset({"gpu_count", "psu_count"})
# A vertical power strip takes no height, a switch has no accelerator, a server need not give heat to liquid.
MAY_BE_ZERO = frozenset({"u_height", "gpu_count", "heat_to_liquid_fraction"})
TEXT = Rule("string", max_length=200)
# A claim carries its remark.
REMARK = Rule("string", max_length=400)
TRUTH = Rule("boolean")
SEEN = Rule("string", choices=("page", "memory"))
TEXTS = {
    "manufacturer": TEXT,
    "model": TEXT,
    "kind": Rule("string", pattern=re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$"), max_length=40),
    "part_number": Rule("string", max_length=120),
    "psu_redundancy": TEXT,
    "note": REMARK,
    "conflict": REMARK,
    "seen": SEEN,
    "is_powered": TRUTH,
}
REQUIRED = ("manufacturer", "model", "kind", "source", "seen")
OTHERS = ("source", "from_memory", "contains")
SOURCE_RULES = {
    "title": Rule("string", max_length=400),
    "publisher": TEXT,
    "date": Rule("string", max_length=60),
    "url": Rule("string", pattern=re.compile(r"^https?://\S+$"), max_length=500),
}
UNDATED = "undated"


def is_systems_file(document: Document) -> bool:
    return type(document.root) is Mapping and "systems" in document.root.entries


def read_systems(document: Document, file: str) -> tuple[list[DeviceType], list[Problems]]:
    """Return the devices of the file, and the problems of each entry: a refused entry leaves the others alone."""
    whole = Problems(file)
    refuse_faults(document, whole)
    assert type(document.root) is Mapping  # is_systems_file() has looked.
    entries = document.root.entries["systems"]
    if type(entries) is not Sequence:
        whole.refuse(entries.line, "systems", "wrong_type", f"This has to be a list, not a {kind_of(entries)}.")
    for name, line in document.root.lines.items():
        if name != "systems":
            whole.notice(line, name, "unknown_key", f"{name} is not a key of a file of systems. It is left out.")
    if whole.refusals or type(entries) is not Sequence:
        return [], [whole]
    devices, all_problems = [], [whole]
    for number, entry in enumerate(entries.items):
        problems = Problems(file)
        device = _read_system(entry, f"systems[{number}]", problems)
        all_problems.append(problems)
        if device is not None:
            devices.append(device)
    return devices, all_problems


def _read_system(entry: Node, path: str, problems: Problems) -> DeviceType | None:
    if type(entry) is not Mapping:
        problems.refuse(entry.line, path, "wrong_type", f"An entry has to be keys and values, not a {kind_of(entry)}.")
        return None
    texts: dict[str, str] = {}
    is_powered: bool | None = None
    numbers: dict[str, tuple[Decimal, int]] = {}
    for name, node in entry.entries.items():
        if name == "is_powered":
            is_powered = value_of(TRUTH, name, node, f"{path}.{name}", problems)
        elif name in TEXTS:
            value = value_of(TEXTS[name], name, node, f"{path}.{name}", problems)
            if value is not None:
                texts[name] = value
        elif name in QUANTITIES:
            if (number := _positive(name, node, f"{path}.{name}", problems)) is not None:
                numbers[name] = (number, node.line)
        elif name not in OTHERS:
            hint = suggestion(name, [*TEXTS, *QUANTITIES, *OTHERS])
            message = f"{name} is not a key of a system{hint}. Its value is left out."
            problems.notice(entry.lines[name], f"{path}.{name}", "unknown_key", message)
    for name in REQUIRED:
        if name not in entry.entries:
            problems.refuse(entry.line, f"{path}.{name}", "required", f"{name} is missing.")
    source = _source(entry.entries.get("source"), f"{path}.source", problems)
    from_memory = _from_memory(entry, numbers, path, problems)
    contains = _contains(entry.entries.get("contains"), f"{path}.contains", problems)
    slug = slugify(f"{texts.get('manufacturer', '')} {texts.get('model', '')}")
    for name in ("manufacturer", "model"):
        if name in texts and not slugify(texts[name]):
            message = f"{name} has no letter or digit of the Latin alphabet, which an address is made of."
            problems.refuse(entry.entries[name].line, f"{path}.{name}", "no_slug", message)
    if len(slug) > MAX_SLUG:
        message = f"The address that manufacturer and model make has {len(slug)} characters; {MAX_SLUG} are allowed."
        problems.refuse(entry.line, f"{path}.model", "too_long", message)
    if problems.refusals or source is None:
        return None

    is_read = texts["seen"] == "page"
    note = texts.get("note", "")
    claims = [
        Claim(
            field=QUANTITIES[name].field,
            value=value,
            unit=QUANTITIES[name].unit,
            kind=QUANTITIES[name].kind,
            confidence="reported" if is_read and name not in from_memory else "unverified",
            source=source,
            note=note,
            line=line,
        )
        for name, (value, line) in numbers.items()
    ]
    if "conflict" in texts:
        line = entry.lines["conflict"]
        claims += _conflicting(texts["conflict"], line, path, problems)
    return DeviceType(
        place=Place(problems.file, entry.line),
        origin="systems",
        manufacturer=texts["manufacturer"],
        model=texts["model"],
        slug=slug,
        part_number=texts.get("part_number", ""),
        remark="\n".join(text for text in (note, texts.get("conflict", "")) if text),
        device_kind=texts["kind"],
        u_height=numbers["u_height"][0] if "u_height" in numbers else None,
        is_powered=is_powered,
        psu_redundancy=texts.get("psu_redundancy", ""),
        contains=contains,
        claims=tuple(claims),
    )


def _positive(name: str, node: Node, field: str, problems: Problems) -> Decimal | None:
    if type(node) is not Text:
        problems.refuse(node.line, field, "wrong_type", f"This has to be a number, not a {kind_of(node)}.")
        return None
    value = number_of(node, field, problems)
    if value is None:
        return None
    if value < 0:
        problems.refuse(node.line, field, "negative", f"{value} is less than 0.")
    elif value == 0 and name not in MAY_BE_ZERO:
        problems.notice(node.line, field, "zero", "A value of 0 counts as unknown. Leave the key out.")
    elif name == "u_height" and value % Decimal("0.5"):
        problems.refuse(node.line, field, "not_half_u", f"{value} is not in steps of half a rack unit.")
    elif value > QUANTITIES[name].maximum:
        problems.refuse(node.line, field, "too_large", f"{value} is more than {QUANTITIES[name].maximum}.")
    elif name in COUNTS and value % 1:
        problems.refuse(node.line, field, "wrong_type", f"{value} is not a whole number.")
    else:
        return value
    return None


def _source(node: Node | None, field: str, problems: Problems) -> Source | None:
    if node is None:
        return None
    if type(node) is not Mapping:
        problems.refuse(node.line, field, "wrong_type", f"A source has to be keys and values, not a {kind_of(node)}.")
        return None
    texts: dict[str, str] = {}
    last = ""
    for name, inner in node.entries.items():
        if name not in SOURCE_RULES and last in texts and inner == ("", inner.line, True):
            # In {title: Manual 11, chapter 4, publisher: …} YAML makes “chapter 4” a key of its own, without a value.
            texts[last] += f", {name}"
            message = f"A comma in text without quotes: “{name}” is read as the rest of the {last}. Quote the {last}."
            problems.notice(node.lines[name], f"{field}.{last}", "comma_without_quotes", message)
            continue
        last = name
        if name not in SOURCE_RULES:
            message = f"{name} is not a key of a source{suggestion(name, list(SOURCE_RULES))}. It is left out."
            problems.notice(node.lines[name], f"{field}.{name}", "unknown_key", message)
        elif type(inner) is Text and name == "date":
            # A date without quotes is the rule here; it stays the text that it is.
            texts[name] = "" if inner.text == UNDATED else inner.text
        elif value := value_of(SOURCE_RULES[name], name, inner, f"{field}.{name}", problems):
            texts[name] = value
    for name in ("title", "publisher"):
        if not texts.get(name, "").strip():
            problems.refuse(
                node.line, f"{field}.{name}", "required", f"{name} is missing: a claim cites its source by it."
            )
            return None
    return Source(texts["title"], texts["publisher"], texts.get("date", ""), texts.get("url", ""))


def _from_memory(entry: Mapping, numbers: dict[str, tuple[Decimal, int]], path: str, problems: Problems) -> set[str]:
    node = entry.entries.get("from_memory")
    if node is None:
        return set()
    field = f"{path}.from_memory"
    if type(node) is not Sequence or not all(type(item) is Text for item in node.items):
        problems.refuse(node.line, field, "wrong_type", "This has to be a list of keys of the entry.")
        return set()
    names = {item.text for item in node.items if type(item) is Text}
    for name in sorted(names - entry.entries.keys()):
        hint = suggestion(name, list(entry.entries))
        # A number that was meant to be marked as remembered would be published as read.
        problems.refuse(node.line, field, "unknown_field", f"The entry has no {name}{hint}.")
    return names


def _contains(node: Node | None, field: str, problems: Problems) -> dict[str, int]:
    if node is None:
        return {}
    if type(node) is not Mapping:
        problems.refuse(node.line, field, "wrong_type", f"This has to be names and counts, not a {kind_of(node)}.")
        return {}
    counts = {}
    for name, inner in node.entries.items():
        value = _positive("gpu_count", inner, f"{field}.{name}", problems)
        if value is not None:
            counts[name] = int(value)
    return counts


def _conflicting(remark: str, line: int, path: str, problems: Problems) -> list[Claim]:
    kinds = {quantity.field: quantity.kind for quantity in QUANTITIES.values()}
    claims = [
        Claim(
            field=found.field,
            value=found.value,
            unit=found.unit,
            kind=kinds[found.field],
            confidence="unverified",  # `seen` speaks of the entry's own source only.
            source=_named(found.source),
            note=found.note,
            line=line,
        )
        for found in statements_of(remark)
    ]
    if not claims:
        message = "The conflict holds no value of a named source; it is kept as a remark."
        problems.notice(line, f"{path}.conflict", "conflict_without_value", message)
    return claims


def _named(name: str) -> Source:
    """Return the source that a remark names: “supercluster.blog (part 4)” is published by supercluster.blog."""
    return Source(title=name, publisher=name.partition(" (")[0])
