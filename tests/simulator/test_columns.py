"""Many numbers at once: each operation at each point, what is refused, and how points part."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np
import pytest

from simulator.engine.columns import Column, Parted, Whole


def column(*values):
    return Column(np.array([float(each) for each in values]))


def values(found):
    return found.values.tolist()


def test_each_operation_is_that_of_each_point():
    four = column(1, 4)

    assert values(four + 1) == values(1 + four) == [2, 5]
    assert (values(four - 1), values(1 - four)) == ([0, 3], [0, -3])
    assert values(four * Decimal("0.5")) == values(Decimal("0.5") * four) == [0.5, 2]
    assert (values(four / 2), values(2 / four)) == ([0.5, 2], [2, 0.5])
    assert (values(four**2), values(2**four)) == ([1, 16], [2, 16])
    assert values(four + four) == [2, 8]
    assert (values(-four), values(+four), values(abs(-four))) == ([-1, -4], [1, 4], [1, 4])
    assert values(four.larger(3)) == [3, 4]
    assert (values(four.sqrt()), values(column(0, 0).exp()), values(column(1, 1).ln())) == ([1, 2], [1, 1], [0, 0])


def test_what_one_point_cannot_is_refused_for_all():
    with pytest.raises(ZeroDivisionError):
        column(1, 2) / 0
    with pytest.raises(ZeroDivisionError):
        column(1, 2) / column(1, 0)
    with pytest.raises(ZeroDivisionError):
        1 / column(1, 0)
    with np.errstate(all="ignore"), pytest.raises(ArithmeticError, match="no number"):
        column(1, -1).sqrt()
    # One that divides is no zero.
    assert (values(column(1, 2) / 1), values(2 / column(1, 2))) == ([1, 2], [2, 1])


def test_rests_and_quotients_are_of_whole_numbers_only():
    assert column(6, 9) % 3 == 0
    for whole, other in ((column(6, 8), 3), (column(6, 6.5), 1), (column(6, 9), Decimal("1.5"))):
        with pytest.raises(TypeError, match="tells no rest"):
            whole % other
    found = column(7, -7) // 2
    assert (values(found), type(found)) == ([3, -4], Whole)
    for whole, other in ((column(6, 6.5), 2), (column(6, 8), Decimal(2))):
        with pytest.raises(TypeError, match="whole numbers is divided by one"):
            whole // other


def test_whole_numbers_are_those_above_or_below():
    up, down = (column("1.2", "-1.2").to_integral_value(rounding=way) for way in (ROUND_CEILING, ROUND_FLOOR))

    assert (values(up), values(down), type(up)) == ([2, -1], [1, -2], Whole)
    assert (int(column("2.3", "2.9")), int(column("-2.3", "-2.9")), int(column("0.5", "0.7"))) == (2, -2, 0)
    assert (int(Whole(np.array([3.0, 3.0]))), values(-Whole(np.array([3.0])))) == (3, [-3])
    assert (int(column("2.3")), int(column("-2.3")), int(Whole(np.array([4.0])))) == (2, -2, 4)
    assert isinstance(-Whole(np.array([3.0])), Whole)


def parts(action):
    with pytest.raises(Parted) as parted:
        action()
    return parted.value.labels.tolist(), parted.value.near.tolist()


def test_points_part_by_their_whole_numbers():
    assert parts(lambda: int(column("2.3", "3.4", "2.5"))) == ([2, 3, 2], [False, False, False])
    assert parts(lambda: int(Whole(np.array([2.0, 3.0])))) == ([2, 3], [False, False])
    # What is as good as whole is not rounded by floats.
    assert parts(lambda: column("2.5", 3).to_integral_value(rounding=ROUND_FLOOR)) == ([0, 0], [False, True])


@pytest.mark.parametrize(
    ("value", "beside", "is_near"),
    [
        # A billionth of the number, or of one where the number is smaller.
        ("1E-9", 0, True),
        ("1.5E-9", 0, False),
        (1 + Decimal("5E-10"), 1, True),
        (1 + Decimal("1.5E-9"), 1, False),
        (10**6 + Decimal("0.0005"), 10**6, True),
        (10**6 + Decimal("0.002"), 10**6, False),
    ],
)
def test_what_floats_cannot_tell_apart_is_near(value, beside, is_near):
    close = column(value)

    if is_near:
        assert parts(lambda: close > beside) == ([True], [True])
        assert parts(lambda: close == beside) == ([False], [True])
        assert parts(lambda: close.to_integral_value(rounding=ROUND_CEILING)) == ([0], [True])
        assert parts(lambda: (-close) < -beside) == ([True], [True])
    else:
        assert close > beside
        assert -close < -beside
        assert values(close.to_integral_value(rounding=ROUND_CEILING)) == [beside + 1]
        assert values((-close).to_integral_value(rounding=ROUND_FLOOR)) == [-beside - 1]


def test_points_that_agree_answer_and_others_part():
    some = column(2, 5)

    assert (some < 6, some <= 6, some > 6, some >= 6, some == 6, some != 6) == (True, True, False, False, False, True)
    assert (some < 1, some <= 1, some > 1, some >= 1) == (False, False, True, True)
    assert bool(some)
    assert parts(lambda: some < 3) == ([True, False], [False, False])
    assert parts(lambda: some >= 3) == ([False, True], [False, False])
    assert parts(lambda: some <= 5) == ([True, True], [False, True])
    assert parts(lambda: bool(column(0, 5))) == ([False, True], [True, False])
    assert f"{column('1234.5', 2):,.1f} {some}" == "1,234.5 2.0"
