"""Names of fields as people read them: `job_mttf_h` is Job MTTF h."""

_WRITTEN = {
    **{word: word.upper() for word in ("ettr", "it", "mttf", "mtbf", "pue", "ups", "usd", "v", "va", "w", "wue")},
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
