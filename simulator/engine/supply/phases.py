"""Loads on three phases: the current of each line, of the neutral, and how unequal they are."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from simulator.engine.numbers import Range, greatest, require
from simulator.engine.trace import Quantity

VOLTAGE_V = Range("V", low=1, high=40_000)
LOAD_VA = Range("VA", low=0, high=1_000_000_000)
CURRENT_A = Range("A", low=0, high=1_000_000)

_PHASORS = "Sum of phasors 120° apart, loads of one power factor (IEC 60050-131; Glover, Power System Analysis, ch. 2)"

LINE_CURRENT = Quantity(
    "line_current_max_a",
    "A",
    "the largest of the three: phase_load_kw / power_factor / feeds_left, shared as a_va : b_va : c_va, / voltage; "
    "between lines √(x² + x·y + y²) of the two loads that meet",
    _PHASORS,
    False,
)
NEUTRAL_CURRENT = Quantity(
    "neutral_current_a", "A", "√(a² + b² + c² − ab − bc − ca) of the phase currents", _PHASORS, False
)
IMBALANCE = Quantity(
    "phase_imbalance_fraction",
    "",
    "the largest departure of a line current from their mean / mean",
    "NEMA MG 1, 14.36, by analogy with voltages",
    False,
)


def neutral_current_a(a: Decimal, b: Decimal, c: Decimal) -> Decimal:
    """Return the current of the neutral in A under three phase currents of one power factor.

    √(a² + b² + c² − ab − bc − ca): 0 when balanced, and the whole current when one phase is loaded alone. Valid without
    harmonics; third harmonics add in the neutral instead. Source: sum of phasors 120° apart.
    """
    require(a=(a, CURRENT_A), b=(b, CURRENT_A), c=(c, CURRENT_A))
    return _root(a * a + b * b + c * c - a * b - b * c - c * a)


def delta_line_currents_a(ab_va: Decimal, bc_va: Decimal, ca_va: Decimal, *, line_v: Decimal) -> tuple[Decimal, ...]:
    """Return the currents of lines A, B and C in A under loads between lines, of one power factor.

    I_ab = S_ab / V; a line carries the difference of its two loads' phasors: √(x² + x·y + y²). Balanced that is √3
    times the current of one load; twice the current, as plain addition has it, is wrong. Valid for 1 to 40,000 V
    between lines. Source: Glover, Power System Analysis, ch. 2.
    """
    require(ab_va=(ab_va, LOAD_VA), bc_va=(bc_va, LOAD_VA), ca_va=(ca_va, LOAD_VA), line_v=(line_v, VOLTAGE_V))
    ab, bc, ca = (load / line_v for load in (ab_va, bc_va, ca_va))
    return tuple(_root(x * x + x * y + y * y) for x, y in ((ab, ca), (ab, bc), (bc, ca)))


def wye_line_currents_a(loads_va: Sequence[Decimal], *, phase_v: Decimal) -> tuple[Decimal, ...]:
    """Return the currents of the lines in A under loads from each line to neutral: S / V(phase).

    Valid for 1 to 40,000 V to neutral. Source: definition of apparent power.
    """
    require(phase_v=(phase_v, VOLTAGE_V), **{f"loads_va_{n}": (load, LOAD_VA) for n, load in enumerate(loads_va)})
    return tuple(load / phase_v for load in loads_va)


def imbalance_fraction(currents: Sequence[Decimal]) -> Decimal:
    """Return how unequal line currents are: max |I − mean| / mean, 0 for none at all.

    Valid for at least one line. Source: NEMA MG 1, 14.36, which defines it for voltages.
    """
    mean = sum(currents, Decimal(0)) / len(currents)
    return greatest([abs(each - mean) for each in currents]) / mean if mean else Decimal(0)


def least_unequal_va(b_va: Decimal, c_va: Decimal) -> tuple[Decimal, ...]:
    """Return the third loads in VA, beside two, at which what their ratios decide is least; shares of one whole.

    The fullest line has its least share at the larger of the two, the imbalance is least at their mean, the neutral at
    (b² + c²) / (b + c); either of the two makes a pair. Valid for loads from lines to neutral. Source: derivatives of
    the formulas above divided by a + b + c.
    """
    both = b_va + c_va
    least = () if both == 0 else ((b_va * b_va + c_va * c_va) / both,)
    return (b_va, c_va, both / 2, *least)


def _root(square: Decimal) -> Decimal:
    # Of balanced loads the last of fifty digits may be below zero.
    return max(square, Decimal(0)).sqrt()
