"""A document of the device-type library's layout into a record: its schema first, then what the schema cannot say."""

import re
from decimal import Decimal
from typing import Any

from django.utils.text import slugify

from catalog.importing.checking import kind_of, refuse_faults, suggestion, value_of
from catalog.importing.documents import Document, Mapping, Sequence
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
from catalog.importing.schema import Rule, Shape, shape_of

# NetBox has a description on every component; the library's schema of components names none, and does not forbid it.
DESCRIPTION = Rule("string")
UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
IDENTIFYING = ("manufacturer", "model", "slug", "name")
# How bays for power supplies are called in the library: PSU 1, PS0, PEM1, PSM 0, PM0, PWR-1, Power Supply 1, rectifier.
FEEDING_BAY = re.compile(r"\b(?:psu|ps|pem|psm|pm|pwr|power|rectifier)(?:\b|[\d_-])", re.IGNORECASE)

RACK_ONLY = frozenset(
    {"form_factor", "width", "starting_unit", "outer_width", "outer_depth", "mounting_depth", "desc_units"}
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


def read_type(document: Document, kind: str | None, source: Source, problems: Problems) -> TypeRecord | None:
    """Return the record of `document`, or None where `problems` now hold why it is refused.

    `kind` is device-types, module-types or rack-types, None where the keys have to tell it. The claims cite `source`.
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
    _check_weight_units(root, values, kind, problems)
    _check_slug(root, values, problems)
    if kind == "device-types":
        _check_device(root, values, components, problems)
    if problems.refusals:
        return None
    place = Place(problems.file, root.line)
    if kind == "rack-types":
        return _rack(place, values)
    if kind == "module-types":
        return _module(place, values, components)
    return _device(place, root, values, components, source)


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
        kind = name.removesuffix("s")
        for number, item in enumerate(node.items):
            field = f"{name}[{number}]"
            if type(item) is not Mapping:
                message = f"An entry has to be keys and values, not a {kind_of(item)}."
                problems.refuse(item.line, field, "wrong_type", message)
                continue
            component = _component(kind, item, name, field, inner, problems)
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


def _component(
    kind: str, item: Mapping, list_name: str, field: str, shape: Shape, problems: Problems
) -> Component | None:
    values: dict[str, Any] = {}
    for name, node in item.entries.items():
        rule = shape.scalars.get(name)
        if rule is None:
            if name != "description":
                hint = suggestion(name, list(shape.scalars))
                message = f"{name} is no key of {list_name}{hint}. Its value is left out."
                problems.notice(
                    item.lines[name], f"{field}.{name}", "unknown_key", message, group=f"{list_name}.{name}"
                )
                continue
            rule = DESCRIPTION
        value = value_of(rule, name, node, f"{field}.{name}", problems, group=f"{list_name}.{name}")
        if value is not None:
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
    if kind == "power-port":
        _check_draws(item, name, values, field, problems)
    return Component(kind, name, values.pop("type", ""), values.pop("label", ""), values, item.line)


def _check_draws(item: Mapping, name: str, values: dict[str, Any], field: str, problems: Problems) -> None:
    maximum, allocated = values.get("maximum_draw"), values.get("allocated_draw")
    for key, draw in (("maximum_draw", maximum), ("allocated_draw", allocated)):
        if draw is not None and draw < 0:
            problems.refuse(item.lines[key], f"{field}.{key}", "negative", f"{draw} W is less than nothing.")
    if allocated is None:
        return
    line = item.lines["allocated_draw"]
    if maximum is None:
        if "maximum_draw" not in item.entries:
            message = f"“{name}” has an allocated draw and no maximum draw."
            problems.notice(line, f"{field}.allocated_draw", "allocated_without_maximum", message)
    elif allocated > maximum:
        message = (
            f"“{name}”: allocated_draw is {allocated} W, more than maximum_draw, {maximum} W "
            f"(line {item.lines['maximum_draw']})."
        )
        problems.refuse(line, f"{field}.allocated_draw", "allocated_over_maximum", message)


def _check_weight_units(root: Mapping, values: dict[str, Any], kind: str, problems: Problems) -> None:
    units: dict[str, tuple[str, ...]] = {"weight_unit": ("weight", "max_weight")}
    if kind == "rack-types":
        units["outer_unit"] = ("outer_width", "outer_height", "outer_depth")
    for unit, names in units.items():
        for name in names:
            if name in root.entries and unit not in root.entries:
                code = "weight_without_unit" if unit == "weight_unit" else "length_without_unit"
                message = f"{name} has no {unit}. A unit is never assumed: add {unit}."
                problems.refuse(root.lines[name], name, code, message)
    if values.get("weight") == 0:
        message = "A weight of 0 is kept as entered, and not used: the weight counts as unknown."
        problems.notice(root.lines["weight"], "weight", "weight_zero", message)
    if values.get("outer_unit") == "in" and "mounting_depth" in values:
        message = f"The depth between the rails is in mm whatever outer_unit says: {values['mounting_depth']} mm."
        problems.notice(root.lines["mounting_depth"], "mounting_depth", "depth_in_mm", message)


def _check_slug(root: Mapping, values: dict[str, Any], problems: Problems) -> None:
    for name in ("manufacturer", "model"):
        if name in values and not slugify(values[name]):
            message = f"{name} has no letter or digit of the Latin alphabet, which an address is made of."
            problems.refuse(root.entries[name].line, name, "no_slug", message)
    if "slug" in values and UUID.fullmatch(values["slug"]):
        problems.refuse(root.entries["slug"].line, "slug", "slug_like_id", "A slug must not look like an id (UUID).")


def _check_device(root: Mapping, values: dict[str, Any], components: tuple[Component, ...], problems: Problems) -> None:
    kinds = {component.kind for component in components}
    role = values.get("subdevice_role")
    if role == "parent" and "device-bay" not in kinds:
        message = "A parent without device bays: nothing can be put into it."
        problems.notice(root.lines["subdevice_role"], "subdevice_role", "parent_without_bays", message)
    if not (values.get("is_powered") is False or role == "child" or _has_power_source(components)):
        message = (
            "Nothing says where its power comes from. Add power-ports or bays for power supplies, or is_powered: false."
        )
        problems.notice(root.line, "power-ports", "no_power_source", message)
    for kind, key, target in (("power-outlet", "power_port", "power-port"), ("front-port", "rear_port", "rear-port")):
        if kind not in kinds:
            continue
        known = {component.name for component in components if component.kind == target}
        for component in components:
            if component.kind == kind and component.attributes.get(key) and component.attributes[key] not in known:
                message = f"“{component.name}” names a {target} that is not there: “{component.attributes[key]}”."
                problems.notice(component.line, f"{kind}s.{key}", f"unknown_{key}", message)


def _has_power_source(components: tuple[Component, ...]) -> bool:
    for component in components:
        if component.kind == "power-port" or component.attributes.get("poe_mode") == "pd":
            return True
        if component.kind in ("module-bay", "device-bay"):
            described = (component.attributes.get(key, "") for key in ("position", "description"))
            if any(FEEDING_BAY.search(str(words)) for words in (component.name, component.label, *described)):
                return True
    return False


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
    place: Place, root: Mapping, values: dict[str, Any], components: tuple[Component, ...], source: Source
) -> DeviceType:
    common = _common(place, values)

    def claim(field: str, value: Decimal, unit: str, line: int) -> Claim:
        return Claim(field, value, unit, "nameplate", "reported", source, place.file, line)

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
        components=components,
        claims=tuple(claims),
    )


def device_draw(components: tuple[Component, ...]) -> tuple[int, int] | None:
    """Return the nameplate draw of a device in W and its line, None where the library does not tell it.

    It tells only where the device has exactly one power port, with a maximum draw above 0: several ports may be
    redundant (two of 3,000 W on a device of 3,000 W), so neither their sum nor one of them is the draw of the device.
    What has outlets passes power on: the maximum of its port is a limit, not what it draws itself.
    """
    ports = [component for component in components if component.kind == "power-port"]
    if len(ports) != 1 or any(component.kind == "power-outlet" for component in components):
        return None
    draw = ports[0].attributes.get("maximum_draw")
    return (int(draw), ports[0].line) if draw else None
