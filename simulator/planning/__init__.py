"""The planner: which devices in how many racks give the accelerators wanted, within limits of rack, row and site.

It stands beside the engine, not in it: a solver searches (`solver.py`), the engine judges what was found. `plan` reads
its input, makes candidates (`candidates.py`), builds fillings of one rack (`fillings.py`), and chooses among them
(`search.py`): totals of devices and racks first (`totals.py`), then how they go into racks (`packing.py`). `ties.py`
says which of equals is taken. `rows.py` puts the racks into rows, and `row_search.py` chooses whole rows where those
racks do not go in. `racks.py` runs each, `used.py` and `shortfalls.py` say what limits do, and `report.py` what
came of it.
"""

from simulator.planning.inputs import Candidate, PlanInput, RowLimits
from simulator.planning.plan import plan
from simulator.planning.report import PlanReport

__all__ = ["Candidate", "PlanInput", "PlanReport", "RowLimits", "plan"]
