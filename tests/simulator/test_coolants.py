"""The look-up of coolants against what others publish: water against two tables, the mixture against its own curve."""

from decimal import Decimal
from itertools import pairwise

import pytest

from simulator.engine import RACK, InvalidParameters, Line, RackInput
from simulator.engine.coolant import BEST_PG25_C, COOLANTS, coolant_at
from simulator.engine.layers import Span
from tests.simulator.builders import make_device

# CRC Handbook of Chemistry and Physics, section 6, properties of water at 100 kPa: heat capacity in J/(kg·K) by °C.
WATER_HEAT_CAPACITY = {
    10: "4192.1",
    20: "4181.8",
    30: "4178.4",
    40: "4178.5",
    50: "4180.6",
    60: "4184.3",
    70: "4189.5",
    80: "4196.3",
}


def kell_kg_m3(t):
    """Return the density of water at 101,325 Pa in kg/m³ (Kell, J. Chem. Eng. Data 20(1), 1975, equation 16)."""
    above = (
        999.83952
        + 16.945176 * t
        - 7.9870401e-3 * t**2
        - 46.170461e-6 * t**3
        + 105.56302e-9 * t**4
        - 280.54253e-12 * t**5
    )
    return above / (1 + 16.879850e-3 * t)


@pytest.mark.parametrize("celsius", [5, 10, 20, 30, 40, 50, 60, 70, 80])
def test_water_has_the_density_of_kells_equation(celsius):
    assert float(coolant_at("water", Decimal(celsius)).density_kg_m3) == pytest.approx(kell_kg_m3(celsius), rel=2e-5)


@pytest.mark.parametrize("celsius", WATER_HEAT_CAPACITY)
def test_water_has_the_heat_capacity_of_the_handbook(celsius):
    """Two formulations (IAPWS-95 and the older one of the handbook) differ by less than 0.1 %."""
    found = coolant_at("water", Decimal(celsius)).heat_capacity_j_kg_k

    assert found == pytest.approx(Decimal(WATER_HEAT_CAPACITY[celsius]), rel=Decimal("0.001"))


@pytest.mark.parametrize("name", ["water", "pg25"])
@pytest.mark.parametrize(("field", "most"), [("density_kg_m3", 2), ("heat_capacity_j_kg_k", 10)])
def test_properties_bend_evenly(name, field, most):
    """Between 10 and 80 °C a step of 10 K differs from the one before by a little: no row is off by a digit."""
    values = [getattr(coolant_at(name, Decimal(celsius)), field) for celsius in range(10, 90, 10)]

    steps = [after - before for before, after in pairwise(values)]
    assert all(abs(after - before) < most for before, after in pairwise(steps))


def test_a_mixture_of_propylene_glycol_bends_one_way():
    """Its density falls ever faster and its heat capacity rises: by 0.2 to 1 more in each 10 K, and by 0 to 1 less."""
    rows = [coolant_at("pg25", Decimal(celsius)) for celsius in (0 + 5, 10, 20, 30, 40, 50, 60, 70, 80)]
    densities, capacities = [row.density_kg_m3 for row in rows], [row.heat_capacity_j_kg_k for row in rows]

    for values, least, most in ((densities, Decimal("-1"), Decimal("-0.2")), (capacities, Decimal(-1), Decimal(0))):
        # The first step is of 5 K.
        steps = [(values[1] - values[0]) * 2, *(after - before for before, after in pairwise(values[1:]))]
        assert all(least <= after - before <= most for before, after in pairwise(steps))


def test_the_reference_of_the_mixture_is_the_look_up_at_40_degrees():
    reference, found = COOLANTS["pg25"], coolant_at("pg25", Decimal(40))

    assert reference.density_kg_m3 == found.density_kg_m3 == Decimal("1009.91")
    assert reference.heat_capacity_j_kg_k == found.heat_capacity_j_kg_k == Decimal("3968.6")


def test_the_reference_of_water_is_at_25_degrees():
    """NIST: 997.05 kg/m³ and 4,181.3 J/(kg·K) at 25 °C and 101,325 Pa; the reference has whole numbers of them."""
    water = COOLANTS["water"]

    assert (water.density_kg_m3, water.heat_capacity_j_kg_k) == (997, 4181)


def test_between_two_rows_it_is_straight():
    """At 43 °C: 1009.91 − 0.3 · 5.53 = 1008.251 kg/m³; 3968.6 + 0.3 · 23.8 = 3975.74 J/(kg·K)."""
    found = coolant_at("pg25", Decimal(43))

    assert (found.density_kg_m3, found.heat_capacity_j_kg_k) == (Decimal("1008.251"), Decimal("3975.74"))


def test_a_coolant_that_is_not_in_it_is_refused():
    with pytest.raises(InvalidParameters, match="coolant is oil; choose one of pg25, water"):
        coolant_at("oil", Decimal(40))


def test_the_mixture_carries_most_where_it_says():
    """Density · heat capacity at 50 °C is above that at 40 and at 60: 4.0099 against 4.0079 and 4.0093 MJ/(m³·K)."""

    def carried(celsius):
        found = coolant_at("pg25", Decimal(celsius))
        return found.density_kg_m3 * found.heat_capacity_j_kg_k

    assert BEST_PG25_C == 50
    assert all(carried(50) > carried(celsius) for celsius in (40, 45, 49, 51, 55, 60))


def test_flow_turns_where_the_mean_of_supply_and_return_is_best():
    """With a rise of 10 K the mean is 50 °C where 45 go in; over a range of rises, at both of its ends."""
    given = RackInput(items=(Line(make_device(), 1),), coolant_rise_k=Decimal(10))
    rises = Span(Decimal(8), Decimal(10), Decimal(16))

    assert RACK.turns(given, {}) == {"coolant_supply_c": [45]}
    assert RACK.turns(given, {"coolant_rise_k": rises}) == {"coolant_supply_c": [46, 42]}
