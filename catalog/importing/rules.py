"""What has to hold in a type of the library, and what is odd in one, beyond what its schema can say."""

import re
from typing import Any

from django.utils.text import slugify

from catalog.importing.documents import Mapping
from catalog.importing.problems import Problems
from catalog.importing.records import MAX_SLUG, Component
from core.api.ids import as_uuid

# How bays for power supplies are called in the library: PSU 1, PS0, PEM1, PSM 0, PM0, PWR-1, Power Supply 1, rectifier.
FEEDING_BAY = re.compile(r"\b(?:psu|ps|pem|psm|pm|pwr|power|rectifier)(?:\b|[\d_-])", re.IGNORECASE)
REFERENCES = (("power-outlets", "power_port", "power-ports"), ("front-ports", "rear_port", "rear-ports"))


def check_draws(item: Mapping, name: str, values: dict[str, Any], field: str, problems: Problems) -> None:
    """Refuse a power port that is allocated more than its maximum draw, or less than nothing."""
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


def check_weight_units(root: Mapping, values: dict[str, Any], kind: str, problems: Problems) -> None:
    """Refuse a weight or a length without its unit; remark on what is entered and cannot be meant."""
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


def check_slug(root: Mapping, values: dict[str, Any], problems: Problems) -> None:
    """Refuse what cannot be an address: of the file, or made of manufacturer and model."""
    for name in ("manufacturer", "model"):
        if name in values and not slugify(values[name]):
            message = f"{name} has no letter or digit of the Latin alphabet, which an address is made of."
            problems.refuse(root.entries[name].line, name, "no_slug", message)
    if "slug" in values:
        if as_uuid(values["slug"]) is not None:
            problems.refuse(root.entries["slug"].line, "slug", "slug_is_uuid", "A slug must not look like an id.")
    elif "manufacturer" in values and "model" in values:
        length = len(slugify(f"{values['manufacturer']} {values['model']}"))
        if length > MAX_SLUG:
            message = f"The address that manufacturer and model make has {length} characters; {MAX_SLUG} are allowed."
            problems.refuse(root.entries["model"].line, "model", "too_long", message)


def check_device(root: Mapping, values: dict[str, Any], components: tuple[Component, ...], problems: Problems) -> None:
    """Remark on a device type whose parts do not fit together.

    Power comes from ports, bays for supplies, Ethernet or the parent; is_powered: false says that none is needed.
    """
    kinds = {component.kind for component in components}
    role = values.get("subdevice_role")
    if role == "parent" and "device-bays" not in kinds:
        message = "A parent without device bays: nothing can be put into it."
        problems.notice(root.lines["subdevice_role"], "subdevice_role", "parent_without_bays", message)
    if not (values.get("is_powered") is False or role == "child" or _has_power_source(components)):
        message = (
            "Nothing says where its power comes from. Add power-ports or bays for power supplies, or is_powered: false."
        )
        problems.notice(root.line, "power-ports", "no_power_source", message)
    for kind, key, target in REFERENCES:
        if kind not in kinds:
            continue
        known = {component.name for component in components if component.kind == target}
        for component in components:
            if component.kind == kind and component.attributes.get(key) and component.attributes[key] not in known:
                message = f"“{component.name}” names none of the {target}: “{component.attributes[key]}”."
                problems.notice(component.line, f"{kind}.{key}", f"unknown_{key}", message)


def _has_power_source(components: tuple[Component, ...]) -> bool:
    for component in components:
        if component.kind == "power-ports" or component.attributes.get("poe_mode") == "pd":
            return True
        if component.kind in ("module-bays", "device-bays"):
            described = (component.attributes.get(key, "") for key in ("position", "description"))
            if any(FEEDING_BAY.search(str(words)) for words in (component.name, component.label, *described)):
                return True
    return False
