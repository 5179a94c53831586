"""Checks a plan without the planner: the engine runs each rack again, and each limit is added up from the input."""

from collections import Counter
from decimal import Decimal

from simulator.engine import Line, as_data, rack_report
from simulator.engine.devices import merged
from simulator.engine.reading import read_rack_input
from simulator.planning import PlanInput, PlanReport
from simulator.planning.report import PlannedRack

OVER = {"over_weight", "over_floor", "does_not_fit"}


def faults_of(given: PlanInput, report: PlanReport) -> list[str]:
    """Return what is wrong with a plan: limits that it breaks, sums that are not those of its racks."""
    if report.status in ("infeasible", "not_found"):
        found = [f"{report.status} with racks"] if report.racks or report.rows or report.racks_count else []
        return found if report.objective_value is None else [*found, f"{report.status} with a value"]
    found = [fault for rack in report.racks for fault in _faults_of_rack(given, rack)]
    return found + _faults_of_site(given, report) + _faults_of_rows(given, report) + _faults_of_proof(report)


def _lines(given: PlanInput, rack: PlannedRack) -> tuple[Line, ...]:
    known = {each.device.slug: each.device for each in given.devices}
    known |= {line.device.slug: line.device for line in given.each_rack}
    return tuple(Line(known[item.device], item.quantity) for item in rack.items)


def _is_whole(given: PlanInput, rack: PlannedRack) -> bool:
    return any(line.device.is_whole_rack for line in _lines(given, rack))


def _faults_of_rack(given: PlanInput, rack: PlannedRack) -> list[str]:
    lines, name = _lines(given, rack), str({item.device: item.quantity for item in rack.items})
    known = {line.device.slug: line.device for line in lines}
    asked = read_rack_input(as_data(rack.input), devices=known)
    again = rack_report(asked)
    same = ("basis", "inlet_c", "altitude_m", "air_rise_k")
    unlike = [each for each in same if getattr(asked, each) != getattr(given, each)]
    unlike += [] if asked.items == merged(lines) else ["items"]
    unlike += [] if (asked.rack.units, asked.rack.tare_kg) == (given.rack.units, given.rack.tare_kg) else ["rack"]
    if unlike:
        return [f"{name}: asked with other {', '.join(unlike)}"]
    found = [] if again == rack.report else [f"{name}: the report is that of another rack"]
    if again.space.fits is not True and not _is_whole(given, rack):
        found.append(f"{name}: fits is {again.space.fits}")
    found += [f"{name}: {warning.code}" for warning in again.warnings if warning.code in OVER]
    for limit, value in (
        (given.rack_power_max_kw, again.power.density_kw),
        (given.rows.power_max_kw, again.power.density_kw),
        (given.site_power_max_kw, again.power.density_kw),
        (given.rack_airflow_max_m3_h, again.cooling.airflow_m3_h),
    ):
        if limit is not None and (value is None or value > limit * (1 + Decimal("1e-5"))):  # Six digits are told.
            found.append(f"{name}: {value} of {limit}")
    frame = Decimal(0) if _is_whole(given, rack) else given.rack.tare_kg or Decimal(0)
    for use in rack.limits:
        if use.left < 0 or use.used + use.left != use.given:
            found.append(f"{name}: {use}")
    # A whole rack stands on its own frame.
    for limit in (None if _is_whole(given, rack) else given.rack.max_kg, given.rack_weight_max_kg):
        if limit is not None and (again.weight.equipment_kg is None or again.weight.equipment_kg + frame > limit):
            found.append(f"{name}: weighs {again.weight.equipment_kg} and {frame} of {limit}")
    each = Counter({line.device.slug: line.quantity for line in given.each_rack})
    if not _is_whole(given, rack) and each - Counter({item.device: item.quantity for item in rack.items}):
        found.append(f"{name}: lacks what stands in each rack")
    if _is_whole(given, rack) and sum(line.quantity for line in lines) != 1:
        found.append(f"{name}: a whole rack is not alone")
    held = sum((line.device.accelerators_count or 0) * line.quantity for line in _chosen(given, rack))
    return found if held == rack.accelerators else [*found, f"{name}: {rack.accelerators} accelerators, not {held}"]


def _chosen(given: PlanInput, rack: PlannedRack) -> list[Line]:
    """Return what stands in a rack beside what stands in each."""
    each = {} if _is_whole(given, rack) else {line.device.slug: line.quantity for line in given.each_rack}
    lines = [(line.device, line.quantity - each.get(line.device.slug, 0)) for line in _lines(given, rack)]
    return [Line(device, n) for device, n in lines if n]


def _faults_of_site(given: PlanInput, report: PlanReport) -> list[str]:
    prices = {each.device.slug: each.price for each in given.devices}
    used: Counter[str] = Counter()
    racks, accelerators, cost, power = 0, 0, Decimal(0), Decimal(0)
    is_known = True
    for rack in report.racks:
        racks += rack.count
        accelerators += rack.accelerators * rack.count
        cost += rack.count * (Decimal(0) if _is_whole(given, rack) else given.rack_price)
        kw = rack.report.power.density_kw
        is_known = is_known and kw is not None
        power += rack.count * (kw or Decimal(0))
        for line in _chosen(given, rack):
            used[line.device.slug] += line.quantity * rack.count
            cost += line.quantity * rack.count * (prices[line.device.slug] or Decimal(0))
    found = []
    if accelerators < given.accelerators or report.accelerators != accelerators:
        found.append(f"{accelerators} accelerators of {given.accelerators}, {report.accelerators} told")
    if racks != report.racks_count or (given.racks_max is not None and racks > given.racks_max):
        found.append(f"{racks} racks of {given.racks_max}, {report.racks_count} told")
    if report.cost is not None and report.cost != cost:
        found.append(f"costs {cost}, {report.cost} told")
    if given.budget is not None and cost > given.budget:
        found.append(f"costs {cost} of {given.budget}")
    if is_known and report.power_kw != power:
        found.append(f"draws {power}, {report.power_kw} told")
    if given.site_power_max_kw is not None and (not is_known or power > given.site_power_max_kw):
        found.append(f"draws {power} of {given.site_power_max_kw}")
    for each in given.devices:
        if each.available is not None and used[each.device.slug] > each.available:
            found.append(f"{used[each.device.slug]} {each.device.slug} of {each.available}")
    found += [str(use) for use in report.limits if use.left < 0 or use.used + use.left != use.given]
    value = cost if given.objective == "lowest_cost" else Decimal(racks)
    return found if report.objective_value == value else [*found, f"value {value}, {report.objective_value} told"]


def _faults_of_rows(given: PlanInput, report: PlanReport) -> list[str]:
    limits = given.rows
    if limits == type(limits)():
        return [] if not report.rows and report.rows_count is None else ["rows that nobody asked for"]
    found = []
    placed: Counter[int] = Counter()
    for row in report.rows:
        for kind, count in enumerate(row.racks):
            placed[kind] += count * row.count
        kw = [rack.report.power.density_kw for rack in report.racks]
        drawn = sum((n * (one or Decimal(0)) for n, one in zip(row.racks, kw, strict=True)), Decimal(0))
        if limits.racks_max is not None and sum(row.racks) > limits.racks_max:
            found.append(f"a row of {sum(row.racks)} racks")
        if limits.power_max_kw is not None and drawn > limits.power_max_kw:
            found.append(f"a row of {drawn} kW")
    count = sum(row.count for row in report.rows)
    if count != report.rows_count or (limits.count is not None and count > limits.count):
        found.append(f"{count} rows of {limits.count}, {report.rows_count} told")
    if +placed != Counter({kind: rack.count for kind, rack in enumerate(report.racks)}):
        found.append(f"rows hold {placed}")
    return found


def _faults_of_proof(report: PlanReport) -> list[str]:
    value, bound, gap = report.objective_value, report.bound, report.gap_fraction
    if value is None or bound is None or gap is None or not 0 <= gap <= 1 or bound > value:
        return [f"value {value}, bound {bound}, gap {gap}"]
    return ["optimal with a gap"] if report.status == "optimal" and (gap or value != bound) else []
