"""Placement in half units: nothing overlaps, nothing is left out for the order alone."""

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import InvalidParameters, Line, Rack
from simulator.engine.space import needed_u, place, racks_needed
from tests.simulator.builders import DGX_H100, make_device, report_of, warnings_of


def positions(report):
    return [(each.device, each.position_u, each.face) for each in report.space.elevation]


def test_the_heaviest_stands_at_the_bottom_then_by_slug():
    light, b, a = make_device("light", weight_kg=5), make_device("b"), make_device("a")
    unknown = make_device("unknown", weight_kg=None)

    report = report_of((unknown, 1), (light, 1), (b, 1), (a, 1))

    assert positions(report) == [("a", 1, "front"), ("b", 2, "front"), ("light", 3, "front"), ("unknown", 4, "front")]


def test_a_weight_of_zero_is_known():
    report = report_of((make_device("a-unknown", weight_kg=None), 1), (make_device("zero", weight_kg=0), 1))

    assert [name for name, _, _ in positions(report)] == ["zero", "a-unknown"]


def test_what_weighs_nothing_stands_above_what_weighs_half_a_kilogram():
    report = report_of((make_device("a-nothing", weight_kg=0), 1), (make_device("b-half", weight_kg="0.5"), 1))

    assert [name for name, _, _ in positions(report)] == ["b-half", "a-nothing"]


def test_half_units_are_placed_on_half_units():
    report = report_of((make_device("high", height_u="1.5"), 2), (make_device("low", height_u="0.5", weight_kg=1), 1))

    assert positions(report) == [("high", 1, "front"), ("high", Decimal("2.5"), "front"), ("low", 4, "front")]
    assert report.space.used_u == Decimal("3.5")
    assert report.space.free_u == Decimal("38.5")


def test_half_depth_devices_stand_back_to_back():
    """netbox#660: two half-depth devices at one unit use it once, and a rack is never used above 100 %."""
    switch = make_device("switch", is_full_depth=False)

    report = report_of((switch, 2))

    assert positions(report) == [("switch", 1, "front"), ("switch", 1, "rear")]
    assert report.space.used_u == 1

    report = report_of((switch, 84))

    assert report.space.fits is True
    assert (report.space.used_u, report.space.free_u) == (42, 0)


def test_two_columns_are_split_by_what_their_heights_sum_to():
    """2, 3, 3 and 4 U in 6: first fit has 2 + 3 in front and 3 behind, with no place for 4; 3 + 3 and 2 + 4 fit."""
    heights = {"a": 2, "b": 3, "c": 4}
    two, three, four = (
        make_device(slug, height_u=height, weight_kg=10 - height, is_full_depth=False)
        for slug, height in heights.items()
    )

    report = report_of((two, 1), (three, 2), (four, 1), rack=Rack(6))

    assert positions(report) == [("a", 1, "rear"), ("b", 1, "front"), ("b", 4, "front"), ("c", 3, "rear")]
    assert (report.space.used_u, report.space.fits) == (6, True)


def test_a_full_depth_device_takes_both_faces():
    report = report_of(
        (make_device("switch", is_full_depth=False), 2), (make_device("deep", weight_kg=99), 1), rack=Rack(1)
    )

    assert report.space.fits is False
    assert positions(report) == [("deep", 1, "front")]
    assert warnings_of(report)["does_not_fit"] == ("switch",)


def test_unknown_depth_counts_as_full_depth():
    report = report_of((make_device(is_full_depth=None), 2), rack=Rack(1))

    assert report.space.fits is False


def test_what_hangs_beside_the_rails_takes_no_unit():
    report = report_of((make_device("pdu", height_u=0, is_full_depth=None), 2))

    assert positions(report) == [("pdu", None, None), ("pdu", None, None)]
    assert (report.space.used_u, report.space.fits) == (0, True)


def test_what_does_not_fit_is_named_and_all_the_same_counted():
    report = report_of((DGX_H100, 6))

    assert report.space.fits is False
    assert report.space.used_u == 40
    assert len(report.space.elevation) == 5
    assert report.power.nameplate_kw == Decimal("61.2")
    assert report.weight.equipment_kg == Decimal("782.7")
    warning = next(each for each in report.warnings if each.code == "does_not_fit")
    assert warning.devices == ("nvidia-dgx-h100",)
    assert warning.message == "No place for 1 of 6 nvidia-dgx-h100: by themselves they take 2 racks of 42 U."
    assert next(each.value for each in report.trace if each.quantity == "needed_u") == 48


def test_a_device_taller_than_the_rack_is_named():
    report = report_of((make_device("tall", height_u=47), 1))

    assert report.space.fits is False
    assert "taller than a rack of 42 U" in next(each.message for each in report.warnings if each.code == "does_not_fit")


def test_a_whole_rack_stands_alone():
    nvl72 = make_device("nvl72", is_whole_rack=True, height_u=None, weight_kg=1360)

    alone = report_of((nvl72, 1))
    assert positions(alone) == [("nvl72", 1, "front")]
    assert (alone.space.used_u, alone.space.free_u, alone.space.fits) == (42, 0, True)

    with_others = report_of((nvl72, 1), (make_device("switch"), 2))
    assert with_others.space.fits is False
    assert warnings_of(with_others)["whole_rack_not_alone"] == ("nvl72",)
    assert [name for name, _, _ in positions(with_others)] == ["switch", "switch"]

    two = report_of((nvl72, 2))
    assert two.space.fits is False
    assert warnings_of(two)["does_not_fit"] == ("nvl72",)
    message = next(each.message for each in two.warnings if each.code == "does_not_fit")
    assert message == "No place for 1 of 2 nvl72: by themselves they take 2 racks of 42 U."


def test_neither_an_unknown_height_nor_a_whole_rack_beside_others_is_in_the_elevation():
    whole = make_device("whole", is_whole_rack=True, height_u=10)

    told = report_of((make_device("unknown", height_u=None), 1), (whole, 1), (make_device("switch"), 1))

    assert positions(told) == [("switch", 1, "front")]


@pytest.mark.parametrize(("count", "switches", "needed"), [(1, 0, 42), (2, 0, 84), (1, 3, 45), (2, 3, 87)])
def test_whole_racks_need_all_units_of_a_rack_each(count, switches, needed):
    lines = [(make_device("whole", is_whole_rack=True, height_u=None), count), (make_device("switch"), switches)]

    told = report_of(*(line for line in lines if line[1]))

    assert [each.value for each in told.trace if each.quantity == "needed_u"] == [needed]


def test_an_unknown_height_leaves_it_open_whether_all_fit():
    report = report_of((make_device("known"), 1), (make_device("unknown", height_u=None), 1))

    assert report.space.fits is None
    assert report.space.free_u is None
    assert report.space.at_least.used_u == 1
    assert warnings_of(report)["height_unknown"] == ("unknown",)

    report = report_of((make_device("known", height_u=2), 1), (make_device("unknown", height_u=None), 1), rack=Rack(1))

    assert report.space.fits is False


def test_nothing_is_left_out_for_the_order_alone():
    """Heaviest first, the low one stands at the bottom and the high one finds only three units above the deep one."""
    low = make_device("low", height_u=1, is_full_depth=False, weight_kg=9)
    deep = make_device("deep", height_u=1, weight_kg=5)
    high = make_device("high", height_u=4, is_full_depth=False, weight_kg=4)

    report = report_of((low, 1), (deep, 1), (high, 1), rack=Rack(5))

    assert report.space.fits is True
    assert sorted(positions(report)) == [("deep", 1, "front"), ("high", 2, "front"), ("low", 2, "rear")]
    assert report.space.used_u == 5


def test_a_gap_of_just_its_height_is_filled():
    """Behind the first half-depth device and under the deep one is one unit: the second one goes there, at the rear."""
    first = make_device("first", is_full_depth=False, weight_kg=9)
    deep = make_device("deep", weight_kg=5)
    second = make_device("second", is_full_depth=False, weight_kg=4)

    report = report_of((first, 1), (deep, 1), (second, 1))

    assert positions(report) == [("first", 1, "front"), ("deep", 2, "front"), ("second", 1, "rear")]
    assert report.space.used_u == 2


heights = st.sampled_from(["0.5", "1", "1.5", "2", "3"])
devices = st.lists(
    st.tuples(heights, st.booleans(), st.integers(1, 60), st.integers(1, 3)), min_size=1, max_size=5
).map(
    lambda rows: [
        Line(make_device(f"d{n}", height_u=height, is_full_depth=full, weight_kg=weight), quantity)
        for n, (height, full, weight, quantity) in enumerate(rows)
    ]
)


def halves(line):
    return int(line.device.height_u * 2)


def fits_somehow(lines, units):
    """Return whether any split of the half-depth devices over front and rear fits: every one is tried."""
    full = sum(halves(line) * line.quantity for line in lines if line.device.is_full_depth)
    half = [halves(line) for line in lines if not line.device.is_full_depth for _ in range(line.quantity)]
    return any(
        full + max(sum(h for h, f in zip(half, faces, strict=True) if f == face) for face in (0, 1)) <= units * 2
        for faces in product((0, 1), repeat=len(half))
    )


@settings(max_examples=200, deadline=None)
@given(lines=devices, units=st.integers(1, 12))
def test_no_two_devices_share_a_place_and_what_fits_is_placed(lines, units):
    layout = place(lines, units)

    by_slug = {line.device.slug: line for line in lines}
    taken = set()
    for each in layout.placements:
        line = by_slug[each.device]
        at = int((each.position_u - 1) * 2)
        faces = ("front", "rear") if line.device.is_full_depth else (each.face,)
        cells = {(face, at + n) for face in faces for n in range(halves(line))}
        assert not cells & taken
        assert all(0 <= cell < units * 2 for _, cell in cells)
        taken |= cells
    placed = {slug: sum(each.device == slug for each in layout.placements) for slug in by_slug}
    assert {
        slug: line.quantity - placed[slug] for slug, line in by_slug.items() if line.quantity > placed[slug]
    } == dict(layout.left)
    assert layout.used_u == Decimal(len({cell for _, cell in taken})) / 2 <= units
    assert (not layout.left) == fits_somehow(lines, units) == (needed_u(lines) <= units)


def test_racks_needed():
    assert [racks_needed(count, 4) for count in (0, 1, 4, 5, 127)] == [0, 1, 1, 2, 32]
    with pytest.raises(InvalidParameters, match="per_rack is 0"):
        racks_needed(4, 0)
