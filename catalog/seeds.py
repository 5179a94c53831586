"""The six sections and the five rungs: what every publication on Plenum begins with, and may then rename."""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as installed

SECTIONS = [
    ("compute", "Compute", "Accelerators, processors, and the machines that are built around them."),
    ("power", "Power", "From the substation to the die: conversion, distribution, storage, supply."),
    ("cooling", "Cooling", "Taking the heat away again, by air and by liquid."),
    ("network", "Network", "Fabrics inside the rack, across the hall and between sites."),
    ("storage", "Storage", "What feeds the accelerators, and what keeps their work."),
    ("facilities", "Facilities", "Floors, halls, campuses, and the ground that they stand on."),
]
# The power that is usual on each, in watts. Where two meet, the larger one begins.
RUNGS = [
    ("chip", "Chip", "One package with its memory.", 100, 2_000),
    ("rack", "Rack", "One frame with its feeds and its manifold.", 2_000, 500_000),
    ("hall", "Hall", "Rows that share cooling, power and a fabric.", 500_000, 50_000_000),
    ("campus", "Campus", "Buildings behind one fence and one substation.", 50_000_000, 5_000_000_000),
    ("grid", "Grid", "What lies on the other side of the meter.", 5_000_000_000, 1_000_000_000_000),
]


def plant(app_config: AppConfig | None = None, *, using: str = "default", apps: Any = installed, **signal: Any) -> None:
    """Make the sections and the rungs where there are none (a receiver of post_migrate, and of a flush with it)."""
    try:
        section, rung = apps.get_model("catalog", "Section"), apps.get_model("catalog", "Rung")
    except LookupError:
        return  # Migrated back to before they existed.
    if not section.objects.using(using).exists():
        section.objects.using(using).bulk_create(
            section(slug=slug, name=name, description=description, position=position)
            for position, (slug, name, description) in enumerate(SECTIONS, start=1)
        )
    if not rung.objects.using(using).exists():
        rung.objects.using(using).bulk_create(
            rung(slug=slug, name=name, description=description, position=position, min_w=min_w, max_w=max_w)
            for position, (slug, name, description, min_w, max_w) in enumerate(RUNGS, start=1)
        )
