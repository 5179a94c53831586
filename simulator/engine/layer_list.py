"""Every layer but the rack by name, and what each may warn of."""

from __future__ import annotations

from simulator.engine.campus.layer import CAMPUS, CAMPUS_WARNINGS
from simulator.engine.fabric.layer import FABRIC, FABRIC_WARNINGS
from simulator.engine.hall.layer import HALL, HALL_WARNINGS
from simulator.engine.ladder.layer import LADDER, LADDER_WARNINGS
from simulator.engine.layers import Layer
from simulator.engine.reliability.layer import RELIABILITY, RELIABILITY_WARNINGS
from simulator.engine.storage.layer import STORAGE, STORAGE_WARNINGS
from simulator.engine.supply.layer import SUPPLY, SUPPLY_WARNINGS
from simulator.engine.throttle import THROTTLE, THROTTLE_WARNINGS

LAYERS: dict[str, Layer] = {
    layer.name: layer for layer in (SUPPLY, HALL, FABRIC, STORAGE, RELIABILITY, CAMPUS, LADDER, THROTTLE)
}

LAYER_WARNINGS: dict[str, str] = {
    **SUPPLY_WARNINGS,
    **HALL_WARNINGS,
    **FABRIC_WARNINGS,
    **STORAGE_WARNINGS,
    **RELIABILITY_WARNINGS,
    **CAMPUS_WARNINGS,
    **LADDER_WARNINGS,
    **THROTTLE_WARNINGS,
}
