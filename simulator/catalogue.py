"""The catalogue's devices and rack types as the engine knows them."""

from collections.abc import Iterable
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from catalog.models import Device, DeviceComponent, RackType
from simulator import engine
from simulator.engine.numbers import as_decimal

POWER_PATHS = frozenset({"pdu", "power-shelf", "ups", "ats", "sts"})
"""Kinds of devices that pass power on: what they are rated for is a limit, not a load."""

_MM2_PER_M2 = 1_000_000


def devices_named(slugs: Iterable[str]) -> QuerySet[Device]:
    """Return the devices of the catalogue with these slugs, each with whether it has outlets (`has_outlets`)."""
    outlets = DeviceComponent.objects.filter(device=OuterRef("pk"), component_kind="power-outlets")
    named = Device.objects.filter(slug__in=list(slugs)).select_related("manufacturer")
    return named.annotate(has_outlets=Exists(outlets))


def engine_device(device: Device) -> engine.Device:
    """Return a device of `devices_named` for the engine; null stays unknown.

    What has outlets passes power on, whatever it is called. The catalogue does not say whether a device has cold plates
    unless it states how much of the heat they take, and not whether it may be immersed.
    Raises InvalidParameters when the catalogue holds what no device can be.
    """
    return engine.Device(
        slug=device.slug,
        name=str(device),
        height_u=_decimal(device.u_height),
        is_full_depth=device.is_full_depth,
        is_whole_rack=device.is_whole_rack,
        weight_kg=_decimal(device.weight_kg),
        power_nameplate_w=_decimal(device.power_nameplate_w),
        power_typical_w=_decimal(device.power_typical_w),
        power_idle_w=_decimal(device.power_idle_w),
        is_power_path=device.device_kind in POWER_PATHS or device.has_outlets,  # type: ignore[attr-defined]
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
