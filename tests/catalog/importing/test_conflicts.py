"""What another source says, taken out of a remark only where a value and its source stand there."""

from decimal import Decimal

import pytest

from catalog.importing.conflicts import statements_of


def found(remark):
    return [(each.field, each.value, each.unit, each.source) for each in statements_of(remark)]


def test_height_weight_supplies_and_a_second_part_of_the_same_site():
    remark = "supercluster.blog (part 4) gives 4U and 123.2 kg with four 3,000 W supplies; part 6 also says 10.2 kW"
    assert found(remark) == [
        ("psu_count", 4, "", "supercluster.blog (part 4)"),
        ("psu_w", 3000, "W", "supercluster.blog (part 4)"),
        ("u_height", 4, "U", "supercluster.blog (part 4)"),
        ("weight_kg", Decimal("123.2"), "kg", "supercluster.blog (part 4)"),
        ("power_nameplate_w", 10200, "W", "supercluster.blog (part 6)"),
    ]


def test_a_thousands_comma_is_no_decimal_point():
    assert found("introl.com gives 3,000 kg for the same rack (pounds read as kilograms)") == [
        ("weight_kg", 3000, "kg", "introl.com")
    ]


def test_about_stays_in_the_note():
    (statement,) = statements_of("introl.com gives about 120 kW")
    assert (statement.field, statement.value) == ("power_nameplate_w", 120_000)
    assert statement.note == "introl.com gives about 120 kW"


@pytest.mark.parametrize(
    ("words", "watts"), [("1.2 MW", 1_200_000), ("14.3 kW", 14_300), ("1,720 W", 1_720), ("140000 W", 140_000)]
)
def test_powers_come_in_watts_kilowatts_and_megawatts(words, watts):
    assert found(f"example.org says {words}") == [("power_nameplate_w", watts, "W", "example.org")]


@pytest.mark.parametrize(
    "remark",
    [
        "the file has 6 power ports, 8 power-supply bays and names both MI300X and MI325X",
        "example.org gives another height",
        "4U elsewhere",
        "example.org gives version 4Ux and DDR5 kgf",
        "",
    ],
)
def test_a_remark_without_a_value_gives_nothing(remark):
    assert found(remark) == []
