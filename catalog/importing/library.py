"""A document of the device-type library's layout into a record: its schema first, then what the schema cannot say."""

from decimal import Decimal
from typing import Any

from django.utils.text import slugify

from catalog.importing.checking import kind_of, refuse_faults, suggestion, value_of
from catalog.importing.documents import Document, Mapping, Node, Sequence
from catalog.importing.problems import Problems
from catalog.importing.records import (
    Claim,
    Component,
    DeviceType,
    ModuleType,
    Place,
    RackType,
    Source,
    TypeRecord,
    Weight,
)
from catalog.importing.rules import check_device, check_draws, check_slug, check_weight_units
from catalog.importing.schema import Rule, Shape, shape_of

# NetBox has a description on every component; the library's schema of components names none, and does not forbid it.
DESCRIPTION = Rule("string")
IDENTIFYING = ("manufacturer", "model", "slug", "name")

# What a value may be at most: far above any real one, and within the columns of the catalogue. Watts, the units of the
# file for weights and lengths, rack units.
MAXIMA = {
    "u_height": 1000,
    "starting_unit": 1000,
    "weight": 10_000_000,
    "max_weight": 10_000_000,
    "outer_width": 1_000_000,
    "outer_height": 1_000_000,
    "outer_depth": 1_000_000,
    "mounting_depth": 1_000_000,
    "maximum_draw": 1_000_000_000,
    "allocated_draw": 1_000_000_000,
}
MAX_COUNT = 2**31 - 1
# Columns of the catalogue. The schema of the library sets no length for these.
MAX_LENGTHS = {"manufacturer": 200, "model": 200, "part_number": 120, "slug": 120}

RACK_ONLY = frozenset(
    {
        "form_factor",
        "width",
        "starting_unit",
        "outer_width",
        "outer_depth",
        "mounting_depth",
        "max_weight",
        "desc_units",
    }
)
DEVICE_ONLY = frozenset(
    {"slug", "u_height", "is_full_depth", "airflow", "subdevice_role", "is_powered", "front_image", "rear_image"}
    | {"device-bays", "inventory-items"}
)


def kind_by_shape(root: Mapping) -> str:
    """Return the kind of a document that no folder tells: its keys do."""
    if RACK_ONLY & root.entries.keys():
        return "rack-types"
    return "device-types" if DEVICE_ONLY & root.entries.keys() else "module-types"


def read_type(
    document: Document, kind: str | None, source: Source, cited: str, problems: Problems
) -> TypeRecord | None:
    """Return the record of `document`, or None where `problems` now hold why it is refused.

    `kind` is device-types, module-types or rack-types, None where the keys have to tell it. The claims cite the place
    `cited` of `source`.
    """
    refuse_faults(document, problems)
    root = document.root
    if type(root) is not Mapping:
        line = root.line if root else 1
        what = f"a {kind_of(root)}" if root else "empty"
        problems.refuse(line, "", "not_a_mapping", f"A type has to be keys and values; this is {what}.")
        return None
    kind = kind or kind_by_shape(root)
    shape = shape_of(kind)
    values = _scalars(root, shape, problems)
    components = _components(root, shape, problems)
    check_weight_units(root, values, kind, problems)
    check_slug(root, values, problems)
    if kind == "device-types":
        check_device(root, values, components, problems)
    if problems.refusals:
        return None
    place = Place(problems.file, root.line)
    if kind == "rack-types":
        return _rack(place, values)
    if kind == "module-types":
        return _module(place, values, components)
    return _device(place, root, values, components, source, cited)


def _scalars(root: Mapping, shape: Shape, problems: Problems) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, node in root.entries.items():
        rule = shape.scalars.get(name)
        if rule is not None:
            value = value_of(rule, name, node, name, problems)
            if value is None:
                continue
            if name in IDENTIFYING and not value.strip():
                problems.refuse(node.line, name, "blank", "This has to be filled in.")
                continue
            if _is_too_much(name, value, node, name, problems):
                continue
            values[name] = value
        elif name not in shape.lists and shape.is_closed:
            hint = suggestion(name, [*shape.scalars, *shape.lists])
            message = f"The library's schema knows no {name} here{hint}."
            problems.refuse(root.lines[name], name, "unknown_key", message)
    for name in shape.required:
        if name not in root.entries:
            problems.refuse(root.line, name, "required", f"{name} is missing.")
    return values


def _components(root: Mapping, shape: Shape, problems: Problems) -> tuple[Component, ...]:
    found: list[Component] = []
    for name, inner in shape.lists.items():
        node = root.entries.get(name)
        if node is None:
            continue
        if type(node) is not Sequence:
            problems.refuse(node.line, name, "wrong_type", f"This has to be a list, not a {kind_of(node)}.")
            continue
        lines: dict[str, int] = {}
        for number, item in enumerate(node.items):
            field = f"{name}[{number}]"
            if type(item) is not Mapping:
                message = f"An entry has to be keys and values, not a {kind_of(item)}."
                problems.refuse(item.line, field, "wrong_type", message)
                continue
            component = _component(name, item, field, inner, problems)
            if component is None:
                continue
            if (first := lines.get(component.name)) is not None:
                message = (
                    f"Two entries are named “{component.name}”, the first in line {first}. Give each its own name."
                )
                problems.refuse(component.line, f"{field}.name", "duplicate_name", message)
            lines.setdefault(component.name, component.line)
            found.append(component)
    return tuple(found)


def _component(kind: str, item: Mapping, field: str, shape: Shape, problems: Problems) -> Component | None:
    values: dict[str, Any] = {}
    for name, node in item.entries.items():
        rule = shape.scalars.get(name)
        if rule is None:
            if name != "description":
                hint = suggestion(name, list(shape.scalars))
                message = f"{name} is no key of {kind}{hint}. Its value is left out."
                problems.notice(item.lines[name], f"{field}.{name}", "unknown_key", message, group=f"{kind}.{name}")
                continue
            rule = DESCRIPTION
        value = value_of(rule, name, node, f"{field}.{name}", problems, group=f"{kind}.{name}")
        if value is not None and not _is_too_much(name, value, node, f"{field}.{name}", problems):
            values[name] = value
    for name in shape.required:
        if name not in item.entries:
            problems.refuse(item.line, f"{field}.{name}", "required", f"{name} is missing.")
    name = values.pop("name", None)
    if name is None:
        return None
    if not name.strip():
        problems.refuse(item.line, f"{field}.name", "blank", "This has to be filled in.")
        return None
    if kind == "power-ports":
        check_draws(item, name, values, field, problems)
    return Component(kind, name, values.pop("type", ""), values.pop("label", ""), values, item.line)


def _is_too_much(name: str, value: Any, node: Node, field: str, problems: Problems) -> bool:
    if isinstance(value, str):
        limit = MAX_LENGTHS.get(name)
        if limit is None or len(value) <= limit:
            return False
        problems.refuse(node.line, field, "too_long", f"{len(value)} characters; {limit} are allowed.")
        return True
    if isinstance(value, bool) or value <= MAXIMA.get(name, MAX_COUNT):
        return False
    problems.refuse(node.line, field, "too_large", f"{value} is more than {MAXIMA.get(name, MAX_COUNT)}.")
    return True


def _weight(values: dict[str, Any], name: str) -> Weight | None:
    return Weight(Decimal(values[name]), values["weight_unit"]) if name in values else None


def _common(place: Place, values: dict[str, Any]) -> dict[str, Any]:
    manufacturer, model = values["manufacturer"], values["model"]
    return {
        "place": place,
        "manufacturer": manufacturer,
        "model": model,
        "slug": values.get("slug") or slugify(f"{manufacturer} {model}"),
        "description": values.get("description", ""),
        "comments": values.get("comments", ""),
        "weight": _weight(values, "weight"),
    }


def _module(place: Place, values: dict[str, Any], components: tuple[Component, ...]) -> ModuleType:
    return ModuleType(**_common(place, values), part_number=values.get("part_number", ""), components=components)


def _rack(place: Place, values: dict[str, Any]) -> RackType:
    return RackType(
        **_common(place, values),
        form_factor=values["form_factor"],
        width_inch=int(values["width"]),
        u_height=int(values["u_height"]),
        starting_unit=int(values["starting_unit"]),
        outer_width=values.get("outer_width"),
        outer_height=values.get("outer_height"),
        outer_depth=values.get("outer_depth"),
        outer_unit=values.get("outer_unit", ""),
        mounting_depth_mm=values.get("mounting_depth"),
        max_weight=_weight(values, "max_weight"),
        is_numbered_down=values.get("desc_units", False),
    )


def _device(
    place: Place, root: Mapping, values: dict[str, Any], components: tuple[Component, ...], source: Source, cited: str
) -> DeviceType:
    common = _common(place, values)

    def claim(field: str, value: Decimal, unit: str, line: int) -> Claim:
        kind = "nameplate" if unit == "W" else "stated"
        return Claim(field, value, unit, kind, "reported", source, cited, line)

    claims = [claim("u_height", values["u_height"], "U", root.lines["u_height"])]
    if (weight := common["weight"]) and weight.value > 0:
        claims.append(claim("weight_kg", weight.value, weight.unit, root.lines["weight"]))
    if (draw := device_draw(components)) is not None:
        watts, line = draw
        claims.append(claim("power_nameplate_w", Decimal(watts), "W", line))
    return DeviceType(
        **common,
        origin="library",
        part_number=values.get("part_number", ""),
        u_height=values["u_height"],
        is_full_depth=values["is_full_depth"],
        airflow=values.get("airflow", ""),
        subdevice_role=values.get("subdevice_role", ""),
        is_powered=values.get("is_powered"),
        images=tuple(name for name in ("front_image", "rear_image") if values.get(name)),
        components=components,
        claims=tuple(claims),
    )


def device_draw(components: tuple[Component, ...]) -> tuple[int, int] | None:
    """Return the nameplate draw of a device in W and its line, None where the library does not tell it.

    It tells only where the device has exactly one power port, with a maximum draw above 0: several ports may be
    redundant (two of 3,000 W on a device of 3,000 W), so neither their sum nor one of them is the draw of the device.
    What has outlets passes power on: the maximum of its port is a limit, not what it draws itself.
    """
    ports = [component for component in components if component.kind == "power-ports"]
    if len(ports) != 1 or any(component.kind == "power-outlets" for component in components):
        return None
    draw = ports[0].attributes.get("maximum_draw")
    return (int(draw), ports[0].line) if draw else None
