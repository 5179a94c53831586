"""Mutants that change nothing which can be observed, each with the reason: no test can notice them.

By file, the line as it is written, and the change. A line that changes drops out of the list, and `test_mutation` says
so; one that the tests notice all the same is not equivalent, and the runner says that.
"""

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "amounts.py",
        "if any(value < 0 for value in known):",
        "value < 0 -> value <= 0",
    ): "Parts of 0 are looked at once more, and allowed.",
    (
        "sweeps.py",
        "is_close = known & ((np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6) | (np.abs(shift) > _EXACT))",
        "np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-06 -> "
        "np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) <= 1e-06",
    ): "A millionth from halfway floats and decimals round alike.",
    (
        "sweeps.py",
        "is_close = known & ((np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6) | (np.abs(shift) > _EXACT))",
        "np.abs(shift) > _EXACT -> np.abs(shift) >= _EXACT",
    ): "The 22nd power of ten is an exact float, with which floats and decimals round alike.",
    (
        "hall/layer.py",
        "for rack, count in ((rack, filled.placed.get(rack.name, 0)) for rack in given.racks)",
        "0 -> 1",
    ): "Only racks of unknown power are not in it, and of those the sum is unknown whatever their count.",
    (
        "numbers.py",
        "CACHED_MAX = 8192",
        "8192 -> 8193",
    ): "How many numbers are remembered changes how long rounding takes, and no number.",
    (
        "numbers.py",
        "_ZERO, _ONE = Decimal(0), Decimal(1)",
        "1 -> 2",
    ): "A number is quantized to the exponent of it, which 1 and 2 have alike.",
    (
        "layers.py",
        "return 1",
        "1 -> 2",
    ): "The most points, 1,600, are fewer than the most lines, 6,000, with two lines each too.",
    (
        "layers.py",
        "inner = [each for each in turns.get(path, ()) if span.low < each < span.high]",
        "span.low < each < span.high -> span.low <= each < span.high",
    ): "The ends of a range are in the set of its points already.",
    (
        "layers.py",
        "inner = [each for each in turns.get(path, ()) if span.low < each < span.high]",
        "span.low < each < span.high -> span.low < each <= span.high",
    ): "The ends of a range are in the set of its points already.",
    (
        "numbers.py",
        "if isinstance(exponent, int) and 0 < exponent <= PRECISION - digits:",
        "0 < exponent <= PRECISION - digits -> 0 <= exponent <= PRECISION - digits",
    ): "A number with the exponent 0 is quantized to the exponent 0: it stays what it is.",
    (
        "storage/feed.py",
        "return Decimal(0) if needed_gb_s <= supplied_gb_s else 1 - supplied_gb_s / needed_gb_s",
        "needed_gb_s <= supplied_gb_s -> needed_gb_s < supplied_gb_s",
    ): "Where both are alike 1 − supplied / needed is 0 too.",
    (
        "door.py",
        "if air_c <= door.water_in_c:",
        "air_c <= door.water_in_c -> air_c < door.water_in_c",
    ): "Where both are alike the heat is a multiple of their difference, which is 0.",
    (
        "devices.py",
        'if problem and name == "height_u" and 0 < value < Decimal("0.5"):',
        "0 < value < Decimal('0.5') -> 0 <= value < Decimal('0.5')",
    ): "A height of 0 is in the range: there is no problem to tell.",
    (
        "parameters.py",
        "most: int = 1",
        "1 -> 2",
    ): "Only lists are held to it, and `parts` gives each its own.",
    (
        "throttle.py",
        "NEWTON_STEPS = 20",
        "20 -> 21",
    ): "All digits that a report shows stand after some fourteen steps; one more moves none of them.",
    (
        "throttle.py",
        "if chip_c(given, low) <= given.limit_c:",
        "chip_c(given, low) <= given.limit_c -> chip_c(given, low) < given.limit_c",
    ): "Where both are alike Newton's method begins at the root, which is the least flow too.",
    (
        "supply/layer.py",
        "binding = max(tiers, key=lambda each: each.utilisation_fraction or 0).tier if tiers else None",
        "0 -> 1",
    ): "A load is above 0, and so is what a tier has of it.",
    (
        "supply/layer.py",
        "if currents is None or loads is None:",
        "currents is None or loads is None -> currents is None and loads is None",
    ): "Loads of phases need feeds, so that there are currents wherever there are loads, and only there.",
    (
        "throttle.py",
        'share = low ** Decimal("-0.8")',
        "'-0.8' -> '-0.88'",
    ): "Newton's method comes down to the same root from a little farther away.",
    (
        "space.py",
        'front |= mask if face == "front" or not is_half else 0',
        "0 -> 1",
    ): "What stands in an empty rack takes the lowest half unit of the front, so that it is taken before any behind.",
    (
        "space.py",
        "return (free & -free).bit_length() - 1 if free else None",
        "free & -free -> free | -free",
    ): "One is the lowest bit that is set, the other that bit below zero, and both are as long.",
    (
        "units.py",
        '"kg_s": ("mass flow", Decimal(1), Decimal(1)),',
        "1 -> 2",
    ): "It is the only unit of a mass flow, and is converted to itself, by its factor over the same factor.",
}
