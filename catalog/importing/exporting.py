"""The catalogue as documents of the device-type library's layout: an import of them gives the same rows again."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import yaml
import yaml.cyaml

from catalog.importing.plan import ComponentRecord, TypeRow
from catalog.models import Device, ModuleType, RackType
from core.facts.units import as_decimal, convert


class _Dumper(yaml.cyaml.CSafeDumper):
    """Quotes text that YAML 1.1 would take for something else, and writes decimals as they are."""


def _number(dumper: Any, value: Decimal) -> yaml.Node:
    kind = "float" if value % 1 else "int"
    node: yaml.Node = dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", f"{value.normalize():f}")
    return node


_Dumper.add_representer(Decimal, _number)


def documents() -> Iterator[dict[str, Any]]:
    """Yield device, module and rack types in this order, each by address, as the library's schema wants them.

    A device whose height or depth nobody states cannot be written so, and is left out: see `inexpressible`.
    """
    expressible = Device.objects.exclude(u_height=None).exclude(is_full_depth=None)
    related = ("manufacturer",)
    for device in expressible.defer("search").select_related(*related).prefetch_related("components").order_by("slug"):
        yield _device(device)
    for module in ModuleType.objects.select_related(*related).prefetch_related("components").order_by("slug"):
        yield {**_head(module, with_slug=False), **_prose(module), **_weight(module), **_lists(module.components.all())}
    for rack in RackType.objects.select_related(*related).order_by("slug"):
        yield _rack(rack)


def inexpressible() -> list[str]:
    """Return the addresses of the devices that the library's layout cannot hold."""
    every = Device.objects.order_by("slug")
    held = every.exclude(u_height=None).exclude(is_full_depth=None)
    return list(every.exclude(pk__in=held.values("pk")).values_list("slug", flat=True))


def dump(found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield each document as YAML text that begins with `---`."""
    for document in found:
        yield yaml.dump(
            document, Dumper=_Dumper, explicit_start=True, sort_keys=False, allow_unicode=True, width=10_000
        )


def _device(device: Device) -> dict[str, Any]:
    optional = {
        "airflow": device.airflow,
        "subdevice_role": device.subdevice_role,
        "is_powered": device.is_powered,
        **dict.fromkeys(device.extra.get("images", []), True),
    }
    return {
        **_head(device, with_slug=True),
        "u_height": device.u_height,
        "is_full_depth": device.is_full_depth,
        **{name: value for name, value in optional.items() if value not in (None, "")},
        **_prose(device),
        **_weight(device),
        **_lists(device.components.all()),
    }


def _rack(rack: RackType) -> dict[str, Any]:
    unit = rack.extra.get("outer_unit", "mm")
    sizes = {
        f"outer_{side}": as_decimal(convert(value, "mm", unit), places=2)
        for side in ("width", "height", "depth")
        if (value := getattr(rack, f"outer_{side}_mm")) is not None
    }
    document = {
        **_head(rack, with_slug=True),
        "form_factor": rack.form_factor,
        "width": rack.width_in,
        "u_height": rack.u_height,
        "starting_unit": rack.extra.get("starting_unit", 1),
        **sizes,
        **({"outer_unit": unit} if sizes else {}),
        **_prose(rack),
        **_weight(rack),
    }
    if depth := rack.extra.get("mounting_depth_mm"):
        document["mounting_depth"] = depth
    if rack.extra.get("is_numbered_down") is not None:
        document["desc_units"] = rack.extra["is_numbered_down"]
    if entered := rack.extra.get("max_weight_as_entered"):
        maximum, document["weight_unit"] = entered.split()
        document["max_weight"] = Decimal(maximum)
    return document


def _head(row: TypeRow, *, with_slug: bool) -> dict[str, Any]:
    head = {"manufacturer": row.manufacturer.name, "model": row.model}
    if with_slug:
        head["slug"] = row.slug
    if part_number := getattr(row, "part_number", ""):
        head["part_number"] = part_number
    return head


def _prose(row: TypeRow) -> dict[str, Any]:
    prose = {"description": row.description, "comments": row.comments}
    return {name: text for name, text in prose.items() if text}


def _weight(row: TypeRow) -> dict[str, Any]:
    if row.weight is not None:
        return {"weight": row.weight, "weight_unit": row.weight_unit}
    if entered := row.extra.get("weight_as_entered"):
        value, unit = entered.split()
        return {"weight": Decimal(value), "weight_unit": unit}
    return {}


def _lists(components: Iterable[ComponentRecord]) -> dict[str, Any]:
    lists: dict[str, list[dict[str, Any]]] = {}
    for component in components:
        entry: dict[str, Any] = {"name": component.name}
        for name, value in (
            ("label", component.label),
            ("type", component.type),
            ("maximum_draw", component.maximum_draw_w),
            ("allocated_draw", component.allocated_draw_w),
        ):
            if value not in (None, ""):
                entry[name] = value
        lists.setdefault(component.component_kind, []).append(entry | component.extra)
    return lists
