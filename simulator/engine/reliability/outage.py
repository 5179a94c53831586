"""What a short loss of power costs, with and without something that rides through it."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

SECONDS = Range("s", low=0, high=10_000_000)
LOST_S = Range("s", low=0)
"""Of a restart, and of work between checkpoints, as the job has them."""
COUNT = Range("", above=0)
USD = Range("USD", low=0, high=1_000_000)

RIDE_THROUGH = Quantity(
    "survives_outage", "", "storage_s ≥ outage_s, or storage_s ≥ generator_start_s with a generator", "Definition"
)
OUTAGE_LOSS = Quantity(
    "outage_lost_gpu_h", "GPU·h", "gpus · (outage_s + restart_s + interval_s / 2) / 3600", "Definition", False
)
OUTAGE_COST = Quantity("outage_cost_usd", "USD", "outage_lost_gpu_h · usd_per_gpu_h", "Definition", False)


def survives(outage_s: Decimal, *, storage_s: Decimal, generator_start_s: Decimal | None) -> bool:
    """Return whether the load is carried through an outage.

    Storage must last for the outage, or until a generator takes the load (`generator_start_s`, None where there is
    none or it fails to start). Valid for storage that carries the whole load. Source: definition; NEC 700.12
    asks emergency systems to take the load within 10 s, which NFPA 110 calls type 10.
    """
    require(outage_s=(outage_s, SECONDS), storage_s=(storage_s, SECONDS))
    if storage_s >= outage_s:
        return True
    return generator_start_s is not None and storage_s >= generator_start_s


def lost_gpu_hours(gpus: Decimal, *, outage_s: Decimal, restart_s: Decimal, interval_s: Decimal) -> Decimal:
    """Return the accelerator hours that an outage costs a job: gpus · (outage + restart + interval / 2) / 3600.

    On average half an interval since the last checkpoint is done again. Valid for an outage that ends the job.
    Source: arithmetic.
    """
    require(
        gpus=(gpus, COUNT),
        outage_s=(outage_s, SECONDS),
        restart_s=(restart_s, LOST_S),
        interval_s=(interval_s, LOST_S),
    )
    return gpus * (outage_s + restart_s + interval_s / 2) / 3600
