"""What a record says, in the columns of the catalogue. Only what is known is named: no import empties a column."""

from decimal import Decimal
from typing import Any

from catalog.importing.plan import ComponentRow
from catalog.importing.records import Component, DeviceType, ModuleType, RackType, Source, Weight
from catalog.models import Device
from catalog.models import ModuleType as ModuleRow
from catalog.models import RackType as RackRow
from core.facts.units import as_decimal, convert

# Which section a kind of the systems file belongs to. A kind that is not here stays without one.
SECTIONS = {
    "server": "compute",
    "rack": "compute",
    "gpu-baseboard": "compute",
    "accelerator": "compute",
    "switch": "network",
    "storage": "storage",
    "jbof": "storage",
    "pdu": "power",
    "ups": "power",
    "power-shelf": "power",
    "cdu-in-rack": "cooling",
    "cdu-floor": "cooling",
    "rear-door": "cooling",
    "in-row": "cooling",
}


def device_columns(record: DeviceType, source: Source) -> dict[str, Any]:
    """Return the columns of a device without its quantities, which come from its claims."""
    known = {
        "model": record.model,
        "part_number": record.part_number,
        "device_kind": record.device_kind,
        "is_full_depth": record.is_full_depth,
        "is_whole_rack": record.device_kind == "rack" or None,
        "is_powered": record.is_powered,
        "airflow": record.airflow,
        "subdevice_role": record.subdevice_role,
        "licence": source.licence if record.origin == "library" else "",
        **_prose(record.description, record.comments, Device),
    }
    extra = {
        "images": list(record.images),
        "psu_redundancy": record.psu_redundancy,
        "contains": dict(record.contains),
        "remark": record.remark,
        **_zero_weight(record.weight),
    }
    return _known(known, extra)


def module_columns(record: ModuleType, source: Source) -> dict[str, Any]:
    """Return the columns of a module type."""
    known = {
        "model": record.model,
        "part_number": record.part_number,
        "licence": source.licence,
        **_prose(record.description, record.comments, ModuleRow),
        **_weight(record.weight),
    }
    return _known(known, _zero_weight(record.weight))


def rack_columns(record: RackType, source: Source) -> dict[str, Any]:
    """Return the columns of a rack type: lengths in mm, weights also in kg."""
    maximum = record.max_weight
    outer = {
        f"outer_{side}_mm": as_decimal(convert(value, record.outer_unit, "mm"), places=3)
        for side, value in (
            ("width", record.outer_width),
            ("height", record.outer_height),
            ("depth", record.outer_depth),
        )
        if value is not None
    }
    known = {
        "model": record.model,
        "form_factor": record.form_factor,
        "width_in": record.width_inch,
        "u_height": Decimal(record.u_height),
        "max_weight_kg": maximum.kg if maximum is not None and maximum.value else None,
        "licence": source.licence,
        **outer,
        **_prose(record.description, record.comments, RackRow),
        **_weight(record.weight),
    }
    extra = {
        "starting_unit": record.starting_unit,
        "is_numbered_down": record.is_numbered_down,
        "mounting_depth_mm": record.mounting_depth_mm,
        "outer_unit": record.outer_unit,
        "max_weight_as_entered": _as_entered(maximum) if maximum is not None else "",
        **_zero_weight(record.weight),
    }
    return _known(known, extra)


def component_row(component: Component, position: int) -> ComponentRow:
    """Return the row of a component; what has no column goes into the last place. Draws are in W."""
    rest = dict(component.attributes)
    draws = [rest.pop(name, None) for name in ("maximum_draw", "allocated_draw")]
    maximum, allocated = (None if draw is None else Decimal(draw) for draw in draws)
    return (component.kind, component.name, position, component.label, component.type, maximum, allocated, rest)


def component_rows(components: tuple[Component, ...]) -> list[ComponentRow]:
    """Return the rows of all components of a type, each numbered within its list from 1."""
    numbers: dict[str, int] = {}
    rows = []
    for component in components:
        numbers[component.kind] = numbers.get(component.kind, 0) + 1
        rows.append(component_row(component, numbers[component.kind]))
    return rows


def _known(columns: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in columns.items() if value is not None and value != ""}
    for name, value in extra.items():
        if value not in (None, "", [], {}):
            known[f"extra.{name}"] = value
    return known


def _prose(description: str, comments: str, model: type[Any]) -> dict[str, str]:
    """Return description and comments; a description that is longer than its column begins the comments instead."""
    limit = model._meta.get_field("description").max_length
    if len(description) <= limit:
        return {"description": description, "comments": comments}
    return {"comments": f"{description}\n\n{comments}" if comments else description}


def _weight(weight: Weight | None) -> dict[str, Any]:
    if weight is None or not weight.value:
        return {}
    return {"weight": weight.value, "weight_unit": weight.unit, "weight_kg": weight.kg}


def _zero_weight(weight: Weight | None) -> dict[str, str]:
    """Keep what was entered for a weight of 0, which is not used."""
    return {"weight_as_entered": _as_entered(weight)} if weight is not None and not weight.value else {}


def _as_entered(weight: Weight) -> str:
    return f"{weight.value} {weight.unit}"
