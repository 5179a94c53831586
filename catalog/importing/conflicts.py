"""The remark `conflict` of the systems file: what another source says, as values where it holds any."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

# “introl.com gives about 120 kW”, “supercluster.blog (part 4) gives 4U …; part 6 also says 10.2 kW”
STATEMENT = re.compile(r"^(?P<source>.+?)\s+(?:also\s+)?(?:gives?|says?|states?|lists?|quotes?)\s+(?P<values>.+)$")
# “part 6” alone goes on with the source of the statement before: its domain stays.
PART = re.compile(r"^part\s+\S+$")
DOMAIN = re.compile(r"\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b", re.IGNORECASE)
NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
SUPPLIES = re.compile(
    rf"\b(?P<count>[a-z]+|\d+)\s+{NUMBER}\s*(?P<unit>k?W)\s+(?:power\s+)?suppl(?:y|ies)\b", re.IGNORECASE
)
VALUE = re.compile(rf"(?<![\w.,]){NUMBER}\s*(?P<unit>U|kg|lb|MW|kW|W)\b")
COUNT_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
WATTS = {"W": Decimal(1), "kW": Decimal(1000), "MW": Decimal(1000000)}


class Statement(NamedTuple):
    """One value that another source gives. `source` is its name in the remark, `note` the words around the value."""

    field: str
    value: Decimal
    unit: str
    source: str
    note: str


def statements_of(remark: str) -> Iterator[Statement]:
    """Yield the values that `remark` attributes to a named source: height, weight, power, supplies.

    A remark without such a value (“the file names both MI300X and MI325X”) yields nothing. A power is nameplate unless
    it is that of the supplies, which is kept apart: their sum is never what a device draws.
    """
    previous = ""
    for part in remark.split(";"):
        found = STATEMENT.match(part.strip())
        if found is None:
            continue
        source = found["source"]
        if PART.match(source) and (domain := DOMAIN.search(previous)):
            source = f"{domain[0]} ({source})"
        previous = source
        text, note = found["values"], part.strip()
        for supplies in SUPPLIES.finditer(text):
            count = supplies["count"]
            if count.isdigit() or count in COUNT_WORDS:
                number = int(count) if count.isdigit() else COUNT_WORDS.index(count)
                yield Statement("psu_count", Decimal(number), "", source, note)
            yield Statement("psu_w", _number(supplies) * WATTS[supplies["unit"]], "W", source, note)
        for value in VALUE.finditer(SUPPLIES.sub("", text)):
            unit = value["unit"]
            if unit in WATTS:
                yield Statement("power_nameplate_w", _number(value) * WATTS[unit], "W", source, note)
            elif unit == "U":
                yield Statement("u_height", _number(value), "U", source, note)
            else:
                yield Statement("weight_kg", _number(value), unit, source, note)


def _number(found: re.Match[str]) -> Decimal:
    return Decimal(found["number"].replace(",", ""))
