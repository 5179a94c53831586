"""Mutants that change nothing which can be observed, each with the reason: no test can notice them.

By file, the line as it is written, and the change. A line that changes drops out of the list, and `test_mutation` says
so; one that the tests notice all the same is not equivalent, and the runner says that.
"""

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "numbers.py",
        "if isinstance(exponent, int) and 0 < exponent <= PRECISION - digits:",
        "0 < exponent <= PRECISION - digits -> 0 <= exponent <= PRECISION - digits",
    ): "A number with the exponent 0 is quantized to the exponent 0: it stays what it is.",
    (
        "hall/filling.py",
        "if count < group.count and binding is None:",
        "count < group.count -> count <= group.count",
    ): "Where all of a group were placed the hall let all in, so that no cap of it is named: binding stays None.",
}
