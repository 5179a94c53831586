"""How a sweep tells its numbers: six digits, half to even, as a single question does; and which points it keeps."""

from decimal import Decimal

import numpy as np
import pytest

from simulator.engine import LAYERS, InvalidParameters, read_layer
from simulator.engine.sweeps import AXES_MAX, VALUES_MAX, _told, sweep
from tests.simulator.test_layers import LADDER


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, 0.0),
        (-1.5, -1.5),
        (1234564.0, 1234560.0),
        (123456.4, 123456.0),
        (123456.6, 123457.0),
        (-0.0001234567, -0.000123457),
        # Halfway between two, the even one: IEEE 754's and the decimal library's rule.
        (123456.5, 123456.0),
        (123457.5, 123458.0),
        (1234575.0, 1234580.0),
        # In binary these are not halfway once they are scaled; as they are written they are.
        (7.352475e-15, 7.35248e-15),
        (4.476345e-15, 4.47634e-15),
        # Powers of ten beyond the 22nd are no exact floats.
        (1.00003e-18, 1.00003e-18),
        (1.23456789e-25, 1.23457e-25),
        (9.87654321e40, 9.87654e40),
        (1.23456789e-300, 1.23457e-300),
        (-1.23456789e300, -1.23457e300),
        (1e-320, 1e-320),
    ],
)
def test_a_value_is_told_to_six_digits(value, told):
    with np.errstate(divide="raise", invalid="raise"):
        assert _told(np.array([[value], [2.0]])) == [(told,), (2.0,)]
        # Beside others of its quantity too.
        assert _told(np.array([[2.0, value], [3.0, 3.0]])) == [(2.0, told), (3.0, 3.0)]


def test_what_is_no_number_is_unknown_beside_what_is_known():
    rows = np.array([[np.nan, 2.0, np.nan], [np.nan, np.nan, np.nan], [5.0, 5.0, 5.0], [np.inf, -np.inf, 1.0]])

    assert _told(rows) == [(None, 2.0, None), (None, None, None), (5.0, 5.0, 5.0), (None, None, 1.0)]


def test_no_zero_is_a_negative_one():
    assert [str(value) for value in _told(np.array([[-0.0, 1.0]]))[0]] == ["0.0", "1.0"]


def test_a_sweep_is_of_two_numbers_at_most_with_five_hundred_values_each():
    assert (AXES_MAX, VALUES_MAX) == (2, 500)


def swept(**axes):
    given = read_layer(LAYERS["ladder"], LADDER).input
    return sweep(LAYERS["ladder"], given, {path: [Decimal(str(each)) for each in axes[path]] for path in axes})


def row(found, quantity):
    return next(each for each in found.quantities if each.quantity == quantity)


def test_no_points_are_no_values():
    found = swept(pue=[])

    assert (found.quantities, found.warnings, found.exact_points_count) == ((), (), 0)


def test_points_are_computed_together_and_two_are_computed_one_by_one():
    """A rack is 4 · 10.2 = 40.8 kW, a campus of n racks at a PUE of p is n · 40.8 · p kW."""
    together, alone = swept(pue=[1.2, 1.25, 1.5]), swept(pue=[1.25, 1.5])

    assert (together.exact_points_count, alone.exact_points_count) == (0, 2)
    # 3,125 · 40.8 = 127,500.
    assert row(together, "campus_kw").values == (153000, 159375, 191250)
    assert row(alone, "campus_kw").values == (159375, 191250)
    assert row(together, "campus_kw").unit == "kW"


def test_the_last_number_moves_fastest():
    """1,000 and 2,000 racks of 40.8 kW at 1.1, 1.2 and 1.3."""
    found = swept(racks=[1000, 2000], pue=[1.1, 1.2, 1.3])

    assert row(found, "campus_kw").values == (44880, 48960, 53040, 89760, 97920, 106080)


def test_a_point_that_is_refused_is_named():
    with pytest.raises(InvalidParameters) as refused:
        swept(pue=[1.5, 1.2, 0.9])

    problem = refused.value.problems[0]
    assert (problem.field, problem.code) == ("pue", "out_of_range")
    assert problem.message.endswith("(At pue 0.9, a point of the sweep.)")


def test_warnings_are_counted_over_all_points():
    """One down for one up is line rate; two, three and four for one are not."""
    given = read_layer(LAYERS["fabric"], {"nodes": 64}).input
    found = sweep(LAYERS["fabric"], given, {"oversubscription": [Decimal(n) for n in (1, 2, 3, 4)]})

    counts = {warning.code: warning.points_count for warning in found.warnings}
    assert counts["oversubscribed"] == 3
    said = [each.message for each in found.warnings if each.code == "oversubscribed"]
    assert len(said) == 1
    assert "up: across leaves not all can talk at line rate." in said[0]
