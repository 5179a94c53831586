"""The time of a parse grows with the length of the text and with nothing else, whatever stands in it."""

import gc
import time
from collections.abc import Callable

import pytest

from articles.markup import Known, parse

RECORDS = Known(
    quantities={"a.b": "1 W"}, articles=["x"], images=["p.png"], devices=["d"], scenarios=["s"], sources=["s"]
)

REPEATED = [
    # Brackets, links and images.
    "[", "]", "a[", "[a][", "![", "[a](x", "[a](<b", '[a](b "', "[a](x[", "[a](article:x) ", "![a](p.png) ", "[a](#x) ",
    "[a](javascript:b) ", "[a]: b\n", '[a]: b "x\n', "[a\n", "[a](\\(",
    # Emphasis, code, escapes, entities, angles.
    "*", "*a ", "a**b", "*_", "*a_ ", "_a*", "**a *b ", "`", "` ", "\\*", "\\`", "&amp;", "&", "<", "<a ",
    '<a b="', "<http:a",
    "<http://a.b> ", "<a@b", "<!-- ", "<!--\n", "<!--\n\n", "- <!--\n", "> <!--\n\n", "<?", "<![CDATA[", "<!A",
    "x <script> ", "<script>\n", "<script>\n\n<style>\n\n", "<div>\n", "<sub>", "</sub>",
    # What is ours.
    "{{a.b}} ", "{{ ", "{{a", "{", "}}", "[@s] ", "[@gone] ", "[@", "[^n] ", "[^n", "[^a]: b\n", "[^a]: b\n\n",
    "::: callout kind=note\n", "::: callout kind=note\n:::\n", ":::\n", ":::: callout\n:::\n", "::: callout\n~~~ x\n",
    "```sh\n::: callout\n", ":::x\n", "::: device slug=gone\n:::\n\n",
    # Blocks.
    "# a\n", "## a\n\n", "a\n=\n", "a\n", "a\n\n", "> ", "> a\n", ">" * 30 + " a\n", "- ", "- a\n", "1. ", "- - -\n",
    "| a | b |\n", "|a|\n|-|\n", "|-|-|\n", "```\n", "```x\n", "~~~ x\n", "    a\n\n", "a  \n", "\n", " ", "\t", "a\r",
    # Characters.
    "\u202e", "a\u200b", "\u200f", "\U0001f468\u200d", "\0",
]  # fmt: skip

SHAPED: dict[str, Callable[[int], str]] = {
    "nested brackets": lambda n: "[" * (n // 2) + "a" + "]" * (n // 2),
    "nested emphasis": lambda n: "*a " * (n // 6) + "b* " * (n // 6),
    "runs of backticks": lambda n: "".join("`" * i + " " for i in range(int((2 * n) ** 0.5))),
    "spaces in braces": lambda n: "{{" + " " * n,
    "blanks in a heading": lambda n: "## a" + " " * n + "b {#x",
    "many notes": lambda n: (
        "".join(f"[^{i}]" for i in range(n // 22)) + "\n\n" + "".join(f"[^{i}]: x\n" for i in range(n // 22))
    ),
    "a note many times": lambda n: "[^a]" * (n // 4) + "\n\n[^a]: x\n",
    "numbered headings": lambda n: "".join(f"## a {i}\n" for i in range(n // 10)),
    "a stair of lists": lambda n: "".join("  " * i + "- a\n" for i in range(int(n**0.5))),
    "a long table": lambda n: "|a|b|\n|-|-|\n" + "| c | d |\n" * (n // 10),
    "a wide table": lambda n: "|" + "a|" * (n // 8) + "\n|" + "-|" * (n // 8) + "\n|" + "b|" * (n // 8) + "\n",
    "bars in a cell": lambda n: "|a|\n|-|\n|" + "\\|" * (n // 2) + "|\n",
    "attributes": lambda n: "::: callout " + "a=b " * (n // 4) + "\n:::\n",
    "quotes in an attribute": lambda n: '::: callout title="' + 'a\\" ' * (n // 4) + "\n:::\n",
    "fences of all lengths": lambda n: "".join(":" * (i + 3) + " callout\n" for i in range(int((2 * n) ** 0.5)))[::-1],
    "comments in an item": lambda n: "- a\n" + "  <!--\n\n" * (n // 8) + "\n-->\n",
}


def seconds(make: Callable[[int], str], size: int) -> float:
    """Return the seconds of the processor that a parse of `make(size)` takes."""
    text = make(size)
    # The collector looks at all objects of the process, and so would measure the tests before.
    gc.disable()
    try:
        begun = time.process_time()
        parse(text, RECORDS)
        return time.process_time() - begun
    finally:
        gc.enable()


def grows_less_than(factor: float, make: Callable[[int], str], small: int, large: int) -> bool:
    """Whether the time for `large` is below `factor` times that for `small`, in the best of three tries."""
    # Below some milliseconds the clock says nothing.
    return any(seconds(make, large) < factor * max(seconds(make, small), 0.002) for _ in range(3))


def repeat(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


SHAPES = {repr(unit): repeat(unit) for unit in REPEATED} | SHAPED


@pytest.mark.parametrize("name", SHAPES)
def test_four_times_the_text_takes_about_four_times_as_long(name):
    # What is quadratic takes sixteen times as long.
    assert grows_less_than(9, SHAPES[name], 4_000, 16_000)


# One of each kind: what costs most for its length.
WORST = [
    "nested brackets", repr("![a](p.png) "), "nested emphasis", repr("*_"), "runs of backticks", "a long table",
    "many notes", repr("[^a]: b\n\n"), repr(":::: callout\n:::\n"), repr("[@s] "), repr("{{ "), repr("## a\n\n"),
    repr("x <script> "), repr("> <!--\n\n"), repr("- a\n"), repr("\u202e"),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", WORST)
def test_a_megabyte_takes_about_sixteen_times_a_sixteenth(name):
    # What is quadratic takes 256 times as long.
    assert grows_less_than(40, SHAPES[name], 62_500, 1_000_000)
