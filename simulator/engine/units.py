"""Units the trade mixes: one table of exact factors, one function."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.errors import InvalidParameters, Problem

_FOOT_M = Decimal("0.3048")
_POUND_KG = Decimal("0.45359237")
_GIB = Decimal(2**30)
_GRAVITY_M_S2 = Decimal("9.80665")

# unit -> (dimension, numerator, denominator): value · numerator / denominator is in the dimension's base unit. A pair
# keeps what has no finite decimal (1/3600, 5/9) exact until the last division.
_UNITS: dict[str, tuple[str, Decimal, Decimal]] = {
    "w": ("power", Decimal(1), Decimal(1)),
    "kw": ("power", Decimal(1000), Decimal(1)),
    "mw": ("power", Decimal(1_000_000), Decimal(1)),
    "gw": ("power", Decimal(10**9), Decimal(1)),
    # The international table Btu is 1,055.05585262 J exactly.
    "btu_h": ("power", Decimal("1055.05585262"), Decimal(3600)),
    "va": ("apparent power", Decimal(1), Decimal(1)),
    "kva": ("apparent power", Decimal(1000), Decimal(1)),
    "mva": ("apparent power", Decimal(1_000_000), Decimal(1)),
    # The ton of refrigeration is 12,000 Btu an hour.
    "ton_r": ("power", Decimal("12660670.23144"), Decimal(3600)),
    "j": ("energy", Decimal(1), Decimal(1)),
    "kj": ("energy", Decimal(1000), Decimal(1)),
    "wh": ("energy", Decimal(3600), Decimal(1)),
    "mj": ("energy", Decimal(1_000_000), Decimal(1)),
    "kwh": ("energy", Decimal(3_600_000), Decimal(1)),
    "mwh": ("energy", Decimal(3_600_000_000), Decimal(1)),
    "gwh": ("energy", Decimal(3_600_000_000_000), Decimal(1)),
    "twh": ("energy", Decimal(3_600_000_000_000_000), Decimal(1)),
    "us": ("time", Decimal(1), Decimal(10**6)),
    "ms": ("time", Decimal(1), Decimal(1000)),
    "s": ("time", Decimal(1), Decimal(1)),
    "min": ("time", Decimal(60), Decimal(1)),
    "h": ("time", Decimal(3600), Decimal(1)),
    "days": ("time", Decimal(86_400), Decimal(1)),
    # A year of 365 days, as bills and energies of a year are reckoned.
    "years": ("time", Decimal(31_536_000), Decimal(1)),
    "g": ("mass", Decimal(1), Decimal(1000)),
    "kg": ("mass", Decimal(1), Decimal(1)),
    "t": ("mass", Decimal(1000), Decimal(1)),
    "kt": ("mass", Decimal(1_000_000), Decimal(1)),
    "mt": ("mass", Decimal(10**9), Decimal(1)),
    "lb": ("mass", _POUND_KG, Decimal(1)),
    "g_kwh": ("carbon intensity", Decimal(1), Decimal(1)),
    "kg_mwh": ("carbon intensity", Decimal(1), Decimal(1)),
    "kg_kwh": ("carbon intensity", Decimal(1000), Decimal(1)),
    "lb_mwh": ("carbon intensity", _POUND_KG, Decimal(1)),
    "l": ("volume", Decimal(1), Decimal(1)),
    "m3": ("volume", Decimal(1000), Decimal(1)),
    # The US gallon is 231 cubic inches.
    "gal": ("volume", Decimal("3.785411784"), Decimal(1)),
    "kb": ("data", Decimal(1000), Decimal(1)),
    "mb": ("data", Decimal(10**6), Decimal(1)),
    "mib": ("data", Decimal(2**20), Decimal(1)),
    "gb": ("data", Decimal(10**9), Decimal(1)),
    "gib": ("data", _GIB, Decimal(1)),
    "tb": ("data", Decimal(10**12), Decimal(1)),
    "tib": ("data", _GIB * 1024, Decimal(1)),
    "pb": ("data", Decimal(10**15), Decimal(1)),
    "bytes": ("data", Decimal(1), Decimal(1)),
    # Line rates of networks are bits, transfers of storage are bytes.
    "gbps": ("data rate", Decimal(10**9), Decimal(8)),
    "tbps": ("data rate", Decimal(10**12), Decimal(8)),
    "mb_s": ("data rate", Decimal(10**6), Decimal(1)),
    "gb_s": ("data rate", Decimal(10**9), Decimal(1)),
    "gib_s": ("data rate", _GIB, Decimal(1)),
    "tb_s": ("data rate", Decimal(10**12), Decimal(1)),
    "m3_s": ("volume flow", Decimal(1), Decimal(1)),
    "l_h": ("volume flow", Decimal(1), Decimal(3_600_000)),
    "m3_h": ("volume flow", Decimal(1), Decimal(3600)),
    "l_min": ("volume flow", Decimal(1), Decimal(60_000)),
    "l_s": ("volume flow", Decimal(1), Decimal(1000)),
    "gpm": ("volume flow", Decimal("3.785411784"), Decimal(60_000)),
    "cfm": ("volume flow", _FOOT_M * _FOOT_M * _FOOT_M, Decimal(60)),
    "k": ("temperature difference", Decimal(1), Decimal(1)),
    "delta_f": ("temperature difference", Decimal(5), Decimal(9)),
    "c": ("temperature", Decimal(1), Decimal(1)),
    "f": ("temperature", Decimal(5), Decimal(9)),
    "mm": ("length", Decimal(1), Decimal(1000)),
    "cm": ("length", Decimal(1), Decimal(100)),
    "m": ("length", Decimal(1), Decimal(1)),
    "in": ("length", Decimal("0.0254"), Decimal(1)),
    "ft": ("length", _FOOT_M, Decimal(1)),
    "m2": ("area", Decimal(1), Decimal(1)),
    "ft2": ("area", _FOOT_M * _FOOT_M, Decimal(1)),
    "j_kg_k": ("heat capacity", Decimal(1), Decimal(1)),
    "kj_kg_k": ("heat capacity", Decimal(1000), Decimal(1)),
    # A load on a floor is a pressure; in kg/m² it is that of a mass under standard gravity.
    "pa": ("pressure", Decimal(1), Decimal(1)),
    "kpa": ("pressure", Decimal(1000), Decimal(1)),
    "bar": ("pressure", Decimal(100_000), Decimal(1)),
    "kn_m2": ("pressure", Decimal(1000), Decimal(1)),
    "kg_m2": ("pressure", _GRAVITY_M_S2, Decimal(1)),
    "lb_ft2": ("pressure", _POUND_KG * _GRAVITY_M_S2, _FOOT_M * _FOOT_M),
    "psi": ("pressure", _POUND_KG * _GRAVITY_M_S2, Decimal("0.0254") * Decimal("0.0254")),
    "n": ("force", Decimal(1), Decimal(1)),
    "kn": ("force", Decimal(1000), Decimal(1)),
    "kg_s": ("mass flow", Decimal(1), Decimal(1)),
    "w_m2": ("power density", Decimal(1), Decimal(1)),
    "kw_m2": ("power density", Decimal(1000), Decimal(1)),
    "w_ft2": ("power density", Decimal(1), _FOOT_M * _FOOT_M),
    "v": ("voltage", Decimal(1), Decimal(1)),
    "kv": ("voltage", Decimal(1000), Decimal(1)),
    "usd": ("money", Decimal(1), Decimal(1)),
    "musd": ("money", Decimal(1_000_000), Decimal(1)),
    "gflops": ("rate of work", Decimal(1), Decimal(1)),
    "tflops": ("rate of work", Decimal(1000), Decimal(1)),
    "pflops": ("rate of work", Decimal(1_000_000), Decimal(1)),
    "eflops": ("rate of work", Decimal(10**9), Decimal(1)),
    "million": ("count", Decimal(10**6), Decimal(1)),
    "billion": ("count", Decimal(10**9), Decimal(1)),
    "trillion": ("count", Decimal(10**12), Decimal(1)),
    "fraction": ("ratio", Decimal(1), Decimal(1)),
    "percent": ("ratio", Decimal(1), Decimal(100)),
}

# What a scale counts from, in its own degrees: 0 °C is 273.15 K, 0 °F is 459.67 degrees above absolute zero.
_ZEROS = {"c": Decimal("273.15"), "f": Decimal("459.67")}


def convert(value: Decimal, unit: str, to: str) -> Decimal:
    """Return `value`, given in `unit`, in the unit `to`.

    value · (factor of `unit`) / (factor of `to`); both of one dimension. `c` and `f` are temperatures, counted from
    their zeros; `k` and `delta_f` are differences. Valid for any finite value.
    Source: NIST Special Publication 811, appendix B (the foot, pound and Btu are exact by definition).
    Raises InvalidParameters for a unit that is not in the table or is of another dimension.
    """
    for name, given in (("unit", unit), ("to", to)):
        if given not in _UNITS:
            raise InvalidParameters([Problem(name, "not_a_choice", f"{given} is not one of {', '.join(_UNITS)}.")])
    dimension, numerator, denominator = _UNITS[unit]
    target, target_numerator, target_denominator = _UNITS[to]
    if dimension != target:
        raise InvalidParameters([Problem("to", "not_a_choice", f"{unit} is {dimension}, {to} is {target}.")])
    if dimension == "temperature":
        value += _ZEROS[unit]
        return value * (numerator * target_denominator) / (denominator * target_numerator) - _ZEROS[to]
    return value * (numerator * target_denominator) / (denominator * target_numerator)


def dimension_of(unit: str) -> str:
    """Return the dimension of a unit of the table: power, mass, data rate. Raises KeyError for others."""
    return _UNITS[unit][0]
