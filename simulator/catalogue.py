"""The catalogue's devices and rack types as the engine knows them."""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef

from catalog.models import Device, DeviceComponent, RackType
from core.api.compiled import AnyOf, Parameter, Statement, statement
from simulator import engine
from simulator.engine.numbers import as_decimal

POWER_PATHS = frozenset({"pdu", "power-shelf", "ups", "ats", "sts"})
"""Kinds of devices that pass power on: what they are rated for is a limit, not a load."""

_MM2_PER_M2 = 1_000_000


class NamedDevice(NamedTuple):
    """What the engine wants to know of a device of the catalogue."""

    pk: UUID
    slug: str
    manufacturer__name: str
    model: str
    device_kind: str
    u_height: Decimal | None
    is_full_depth: bool | None
    is_whole_rack: bool
    weight_kg: Decimal | None
    power_nameplate_w: int | None
    power_typical_w: int | None
    power_idle_w: int | None
    heat_to_liquid_fraction: Decimal | None
    gpu_count: int | None
    gpu_tdp_w: int | None
    has_outlets: bool


def devices_named(slugs: Iterable[str]) -> list[NamedDevice]:
    """Return the devices of the catalogue with these slugs, in no order, each with whether it has outlets."""
    return [NamedDevice(*row) for row in _named().rows({"slugs": list(slugs)})]


@cache
def _named() -> Statement:
    slugs = Parameter("slugs", ArrayField(models.TextField()))
    outlets = DeviceComponent.objects.filter(device=OuterRef("pk"), component_kind="power-outlets")
    rows = Device.objects.filter(AnyOf("slug", slugs)).annotate(has_outlets=Exists(outlets)).order_by()
    return statement(rows.values_list(*NamedDevice._fields))


@lru_cache(maxsize=4096)
def engine_device(device: NamedDevice) -> engine.Device:
    """Return a device of `devices_named` for the engine; null stays unknown.

    What has outlets passes power on, whatever it is called. The catalogue does not say whether a device has cold plates
    unless it states how much of the heat they take, and not whether it may be immersed. The same record gives the same
    device, which is remembered: it is asked for far more often than it changes.
    Raises InvalidParameters when the catalogue holds what no device can be.
    """
    return engine.Device(
        slug=device.slug,
        name=f"{device.manufacturer__name} {device.model}",
        height_u=_decimal(device.u_height),
        is_full_depth=device.is_full_depth,
        is_whole_rack=device.is_whole_rack,
        weight_kg=_decimal(device.weight_kg),
        power_nameplate_w=_decimal(device.power_nameplate_w),
        power_typical_w=_decimal(device.power_typical_w),
        power_idle_w=_decimal(device.power_idle_w),
        is_power_path=device.device_kind in POWER_PATHS or device.has_outlets,
        heat_to_liquid_fraction=_decimal(device.heat_to_liquid_fraction),
        accelerators_count=_decimal(device.gpu_count),
        accelerator_tdp_w=_decimal(device.gpu_tdp_w),
    )


def engine_rack(rack_type: RackType) -> engine.Rack:
    """Return a rack type for the engine: whole units, the footprint of its outer width and depth, its own weight.

    Where the height is unknown the usual 42 units stand. Raises InvalidParameters when no rack can be like that.
    """
    width, depth = rack_type.outer_width_mm, rack_type.outer_depth_mm
    return engine.Rack(
        units=engine.Rack().units if rack_type.u_height is None else int(rack_type.u_height),
        type=rack_type.slug,
        footprint_m2=None if not width or not depth else as_decimal(width * depth / _MM2_PER_M2),
        tare_kg=_decimal(rack_type.weight_kg),
        max_kg=_decimal(rack_type.max_weight_kg),
    )


def _decimal(value: Decimal | int | None) -> Decimal | None:
    return None if value is None else as_decimal(value)
