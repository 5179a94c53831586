"""The quantities of a device: each name is a column, a field of facts, and what bodies write ({{dgx.weight_kg}})."""

from typing import NamedTuple


class Quantity(NamedTuple):
    """A quantity: its unit (empty for a count or a share) and what people call it."""

    unit: str
    label: str


DEVICE: dict[str, Quantity] = {
    "u_height": Quantity("U", "Height"),
    "weight_kg": Quantity("kg", "Weight"),
    "power_nameplate_w": Quantity("W", "Nameplate power"),
    "power_typical_w": Quantity("W", "Typical power"),
    "power_idle_w": Quantity("W", "Idle power"),
    "heat_to_liquid_fraction": Quantity("", "Share of heat to liquid"),
    "airflow_m3_h": Quantity("m3/h", "Airflow"),
    "cooling_capacity_w": Quantity("W", "Cooling capacity"),
    "gpu_count": Quantity("", "Accelerators"),
    "gpu_tdp_w": Quantity("W", "Accelerator TDP"),
}

INSTALLATION: dict[str, tuple[str, str]] = {
    "power": ("power", "W"),
    "energy": ("energy", "J"),
    "weight": ("mass", "kg"),
    "airflow": ("volume_flow", "m3/h"),
}
"""By which quantities installations are narrowed: a name, what it measures, and the base unit of that."""
