"""Laws that hold for any rack: conservation, monotony, scaling, no order, no chance."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import Line, RackInput, as_data, rack_report
from simulator.engine.air import air_density_kg_m3, air_pressure_pa, airflow_m3_h
from simulator.engine.coolant import COOLANTS, coolant_flow_l_min
from simulator.engine.numbers import as_decimal, precise, rounded
from simulator.engine.units import convert
from tests.simulator.builders import make_device

watts = st.decimals(0, 60_000, places=3)
kilograms = st.decimals(0, 500, places=2)
fractions = st.decimals(0, 1, places=4)
heights = st.sampled_from([Decimal(n) / 2 for n in range(21)])
altitudes = st.decimals(-500, 11_000, places=1)
temperatures = st.decimals(-20, 60, places=1)
rises = st.decimals("0.5", 60, places=1)
kilowatts = st.decimals(0, 5000, places=3)


def maybe(values):
    return st.none() | values


known_devices = st.builds(
    make_device,
    st.sampled_from(["a", "b", "c", "d"]),
    height_u=heights,
    is_full_depth=st.booleans(),
    weight_kg=kilograms,
    power_nameplate_w=watts,
    power_typical_w=watts,
    power_idle_w=watts,
    heat_to_liquid_fraction=fractions,
)
any_devices = st.builds(
    make_device,
    st.sampled_from(["a", "b", "c", "d"]),
    height_u=maybe(heights),
    is_full_depth=maybe(st.booleans()),
    weight_kg=maybe(kilograms),
    power_nameplate_w=maybe(watts),
    power_typical_w=maybe(watts),
    power_idle_w=maybe(watts),
    heat_to_liquid_fraction=maybe(fractions),
    is_immersible=maybe(st.booleans()),
    is_whole_rack=st.booleans(),
)


def lines_of(devices):
    """Return lists of lines in which one slug is one device."""
    return st.lists(
        st.tuples(devices, st.integers(1, 6)), min_size=1, max_size=4, unique_by=lambda row: row[0].slug
    ).map(lambda rows: tuple(Line(device, quantity) for device, quantity in rows))


def conditions(lines):
    return st.builds(
        RackInput,
        items=lines,
        basis=st.sampled_from(["nameplate", "typical", "idle"]),
        inlet_c=temperatures,
        altitude_m=altitudes,
        air_rise_k=rises,
        airflow_available_m3_h=maybe(st.decimals(1, 50_000, places=1)),
        coolant=st.sampled_from(["pg25", "water"]),
        coolant_rise_k=rises,
    )


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(known_devices)))
def test_energy_in_is_heat_out(asked):
    report = rack_report(asked)

    assert report.cooling.air_heat_kw + report.cooling.liquid_heat_kw == report.power.density_kw


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(any_devices)))
def test_what_is_not_known_to_go_to_liquid_is_left_to_the_air(asked):
    report = rack_report(asked)

    if report.power.density_kw is not None and report.cooling.air_heat_kw is not None:
        known = report.cooling.liquid_heat_kw
        if known is None:
            known = report.cooling.at_least.liquid_heat_kw or Decimal(0)
        assert report.cooling.air_heat_kw + known == report.power.density_kw


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(any_devices)), st.randoms(use_true_random=False))
def test_order_and_splitting_of_items_change_nothing(asked, random):
    units = [Line(line.device, 1) for line in asked.items for _ in range(line.quantity)]
    random.shuffle(units)

    assert rack_report(replace(asked, items=tuple(units))) == rack_report(asked)


@settings(max_examples=50, deadline=None)
@given(conditions(lines_of(any_devices)))
def test_the_same_input_gives_the_same_report(asked):
    assert as_data(rack_report(asked)) == as_data(rack_report(replace(asked)))


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(any_devices)))
def test_a_total_is_unknown_exactly_where_it_names_what_is(asked):
    report = rack_report(asked)

    totals = {
        "space": ["used_u"],
        "power": ["nameplate_kw", "typical_kw", "idle_kw", "density_kw"],
        "weight": ["equipment_kg", "total_kg"],
        "cooling": ["air_heat_kw", "liquid_heat_kw", "airflow_m3_h", "airflow_cfm", "coolant_l_min"],
    }
    for name, fields in totals.items():
        section = getattr(report, name)
        unknown = [field for field in fields if getattr(section, field) is None]
        assert bool(unknown) == bool(section.unknown) == (section.at_least is not None)
        for field in set(fields) - set(unknown):
            assert section.at_least is None or getattr(section.at_least, field) is None


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(any_devices)))
def test_filling_in_what_is_unknown_never_goes_below_at_least(asked):
    filled = tuple(
        Line(
            replace(
                line.device,
                power_nameplate_w=line.device.power_nameplate_w or Decimal(700),
                power_typical_w=line.device.power_typical_w or Decimal(400),
                power_idle_w=line.device.power_idle_w or Decimal(100),
                weight_kg=line.device.weight_kg or Decimal(9),
            ),
            line.quantity,
        )
        for line in asked.items
    )

    before, after = rack_report(asked), rack_report(replace(asked, items=filled))

    for section, field in (
        ("power", "nameplate_kw"),
        ("power", "density_kw"),
        ("weight", "equipment_kg"),
        ("cooling", "air_heat_kw"),
        ("cooling", "airflow_m3_h"),
    ):
        at_least = getattr(before, section).at_least
        low = getattr(at_least, field) if at_least is not None else None
        high = getattr(getattr(after, section), field)
        assert low is None or high is None or low <= high


@settings(max_examples=100, deadline=None)
@given(kilowatts, kilowatts, altitudes, temperatures, rises)
def test_more_heat_never_needs_less_air_or_coolant(one, other, altitude, temperature, rise):
    low, high = sorted((one, other))
    density = air_density_kg_m3(air_pressure_pa(altitude), temperature)

    assert airflow_m3_h(low, density_kg_m3=density, rise_k=rise) <= airflow_m3_h(
        high, density_kg_m3=density, rise_k=rise
    )
    for coolant in COOLANTS.values():
        assert coolant_flow_l_min(low, coolant=coolant, rise_k=rise) <= coolant_flow_l_min(
            high, coolant=coolant, rise_k=rise
        )


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(known_devices)), watts)
def test_one_more_device_never_needs_less(asked, power_w):
    more = (
        *asked.items,
        Line(make_device("z", power_nameplate_w=power_w, power_typical_w=power_w, power_idle_w=power_w), 1),
    )

    before, after = rack_report(asked), rack_report(replace(asked, items=more))

    assert before.power.density_kw <= after.power.density_kw
    assert before.cooling.airflow_m3_h <= after.cooling.airflow_m3_h
    assert before.cooling.coolant_l_min <= after.cooling.coolant_l_min
    assert before.weight.equipment_kg <= after.weight.equipment_kg


@settings(max_examples=100, deadline=None)
@given(altitudes, altitudes, temperatures)
def test_air_never_gets_denser_on_the_way_up(one, other, temperature):
    low, high = sorted((one, other))

    assert air_pressure_pa(low) >= air_pressure_pa(high)
    assert air_density_kg_m3(air_pressure_pa(low), temperature) >= air_density_kg_m3(air_pressure_pa(high), temperature)


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(known_devices)), altitudes)
def test_the_higher_the_site_the_more_air(asked, altitude):
    low, high = sorted((asked.altitude_m, altitude))

    below, above = (rack_report(replace(asked, altitude_m=at)) for at in (low, high))

    assert below.cooling.airflow_m3_h <= above.cooling.airflow_m3_h
    assert below.cooling.coolant_l_min == above.cooling.coolant_l_min


@settings(max_examples=100, deadline=None)
@given(conditions(lines_of(known_devices)), st.integers(2, 20))
def test_n_times_the_devices_are_n_times_the_sums(asked, n):
    scaled = replace(asked, items=tuple(Line(line.device, line.quantity * n) for line in asked.items))

    one, many = rack_report(asked), rack_report(scaled)

    for section, field in (
        ("power", "nameplate_kw"),
        ("power", "typical_kw"),
        ("power", "idle_kw"),
        ("weight", "equipment_kg"),
        ("cooling", "air_heat_kw"),
        ("cooling", "liquid_heat_kw"),
    ):
        assert getattr(getattr(many, section), field) == n * getattr(getattr(one, section), field)
    for field in ("airflow_m3_h", "airflow_cfm", "coolant_l_min"):
        # Reported with six digits, so equal to half of the last one.
        few, lot = n * getattr(one.cooling, field), getattr(many.cooling, field)
        assert abs(few - lot) <= lot * Decimal("1.1e-5")


@settings(max_examples=100, deadline=None)
@given(
    st.decimals("0.001", 1_000_000, places=3),
    st.sampled_from(
        [("w", "btu_h"), ("kg", "lb"), ("m3_h", "cfm"), ("l_min", "m3_s"), ("k", "delta_f"), ("kva", "va")]
    ),
)
def test_units_convert_there_and_back(value, pair):
    one, other = pair

    with precise():
        assert rounded(convert(convert(value, one, other), other, one), 30) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_keeps_fifteen_digits(value):
    kept = as_decimal(value)

    written = Decimal(repr(value))
    assert abs(kept - written) <= abs(written) * Decimal("1e-14")
    assert len(kept.normalize().as_tuple().digits) <= 15
