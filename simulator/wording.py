"""Names of fields as people read them: `job_mttf_h` is Job MTTF, in h."""

_CAPITALS = ("cdu", "cue", "ettr", "it", "mttf", "mtbf", "pue", "u", "ups", "usd", "v", "va", "w", "wue")
_WRITTEN = {
    **{word: word.upper() for word in _CAPITALS},
    "cdus": "CDUs",
    "gpu": "GPU",
    "gpus": "GPUs",
    "daly": "Daly",
    "young": "Young",
    "kva": "kVA",
    "kw": "kW",
    "kwh": "kWh",
    "mw": "MW",
    "mwh": "MWh",
    "kj": "kJ",
    "gco2e": "gCO₂e",
    "tco2e": "tCO₂e",
    "gb": "GB",
    "gib": "GiB",
    "mb": "MB",
    "tb": "TB",
    "gbps": "Gbit/s",
    "tbps": "Tbit/s",
}
"""What is not written in small letters: abbreviations, units, and those whom a formula is named after."""


def in_words(name: str) -> str:
    """Return what a field is called: `hall_gpus_count` is Hall GPUs count."""
    words = [_WRITTEN.get(word, word) for word in name.split("_")]
    first = words[0]
    if name.partition("_")[0] not in _WRITTEN:
        first = first[:1].upper() + first[1:]
    return " ".join([first, *words[1:]])


_SUFFIXES = {
    "_l_per_kwh": "l/kWh",
    "_g_per_kwh": "g/kWh",
    "_usd_per_mwh": "USD/MWh",
    "_gpu_h": "GPU·h",
    "_m3_h": "m³/h",
    "_l_min": "l/min",
    "_kg_m3": "kg/m³",
    "_kg_m2": "kg/m²",
    "_kn_m2": "kN/m²",
    "_gb_s": "GB/s",
    "_tb_s": "TB/s",
    "_l_h": "l/h",
    "_gbps": "Gb/s",
    "_tbps": "Tb/s",
    "_hours": "h",
    "_days": "days",
    "_cfm": "ft³/min",
    "_mwh": "MWh",
    "_kj": "kJ",
    "_gib": "GiB",
    "_gb": "GB",
    "_tco2e": "t",
    "_m3": "m³",
    "_usd": "USD",
    "_kwh": "kWh",
    "_kva": "kVA",
    "_kw": "kW",
    "_mw": "MW",
    "_kg": "kg",
    "_pa": "Pa",
    "_fraction": "",
    "_count": "",
    "_w": "W",
    "_c": "°C",
    "_k": "K",
    "_s": "s",
    "_h": "h",
    "_m": "m",
    "_u": "U",
    "_v": "V",
    "_a": "A",
}
"""What a name ends in, and the unit that it says; the longer first."""


def words(name: str) -> str:
    """Return the name of a quantity or a parameter as words, without its unit: `racks[0].node_kw` is Node."""
    name = name.rpartition(".")[2]
    return in_words(name.removesuffix(_suffix(name)))


def unit_of(name: str) -> str:
    """Return the unit that the name of a parameter ends in; empty for a number without one."""
    return _SUFFIXES.get(_suffix(name), "")


def _suffix(name: str) -> str:
    """Return what of a name is its unit; of one per another (`gco2e_per_gpu_h`) there is no end to take off."""
    end = next((each for each in _SUFFIXES if name.endswith(each) and len(name) > len(each)), "")
    return "" if name.removesuffix(end).endswith("_per") else end
