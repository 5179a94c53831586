"""How long something is there: availability, hours of a year without it, and the failures of like parts in a year."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require

HOURS = Range("h", above=0, high=10_000_000_000)
REPAIR_H = Range("h", low=0, high=100_000_000)
FRACTION = Range("", low=0, high=1)
COUNT = Range("", low=0, high=10_000_000_000)
FIT = Range("failures in 10⁹ h", above=0, high=1_000_000_000)

HOURS_A_YEAR = Decimal(8760)

TIER_AVAILABILITY = {
    "I": Decimal("0.99671"),
    "II": Decimal("0.99741"),
    "III": Decimal("0.99982"),
    "IV": Decimal("0.99995"),
}
"""Look-up: what the trade prints for tiers I to IV. ANSI/TIA-942 of 2005, annex, and Turner, Seader & Brill, Tier
Classifications Define Site Infrastructure Performance, Uptime Institute, 2006. Uptime withdrew the figures in 2009: a
tier is a topology and promises no availability."""


def availability_fraction(mttf_h: Decimal, mttr_h: Decimal) -> Decimal:
    """Return the share of time that something is up: MTTF / (MTTF + MTTR).

    Valid in the long run, for one thing that is repaired each time. Source: Rausand & Høyland, System Reliability
    Theory, ch. 9.
    """
    require(mttf_h=(mttf_h, HOURS), mttr_h=(mttr_h, REPAIR_H))
    return mttf_h / (mttf_h + mttr_h)


def downtime_h(availability: Decimal, hours: Decimal = HOURS_A_YEAR) -> Decimal:
    """Return the hours that something is down: (1 − availability) · hours, those of a year by default.

    Valid for a fraction in [0, 1]. Source: definition of availability.
    """
    require(availability=(availability, FRACTION), hours=(hours, HOURS))
    return (1 - availability) * hours


def failures_of_parts(count: Decimal, mtbf_h: Decimal, hours: Decimal = HOURS_A_YEAR) -> Decimal:
    """Return the failures of like parts in some hours, those of a year by default: count · hours / MTBF.

    Valid for a constant rate, and parts that are replaced at once. Source: Rausand & Høyland, ch. 4.
    """
    require(count=(count, COUNT), mtbf_h=(mtbf_h, HOURS), hours=(hours, HOURS))
    return count * hours / mtbf_h


def mtbf_of_fit_h(fit: Decimal) -> Decimal:
    """Return the mean hours between failures of a part: 10⁹ / FIT. Valid for a constant rate.

    Source: JEDEC JESD85, which counts failures in 10⁹ hours.
    """
    require(fit=(fit, FIT))
    return 10**9 / fit


def survival_fraction(mttf_h: Decimal, hours: Decimal) -> Decimal:
    """Return the chance that nothing fails in some hours: e^(−hours / MTTF).

    Valid for a constant rate. Source: Rausand & Høyland, ch. 4.
    """
    require(mttf_h=(mttf_h, HOURS), hours=(hours, REPAIR_H))
    return (-hours / mttf_h).exp()
