"""Linear and integer programs, solved by HiGHS.

HiGHS, by its own binding highspy: MIT, one wheel of 8 MB that needs NumPy alone, released every few months. OR-Tools is
ten times its size for what is used here, and SciPy wraps an older HiGHS and hides its bound.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import highspy
import numpy as np

INFINITY = float(highspy.kHighsInf)
# Of what rows are scaled to: a limit of 40 kW is held to a twenty-fifth of a milliwatt.
FEASIBILITY = 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """low ≤ Σ coefficient · variable ≤ high."""

    low: float = -INFINITY
    high: float = INFINITY


@dataclass(frozen=True, slots=True)
class Column:
    """A variable from 0 to `high`: what it costs, and its coefficient in each row that has it, by the row's index.

    In an integer program it is whole, but for one that says otherwise.
    """

    cost: float
    coefficients: Mapping[int, float]
    high: float = INFINITY
    is_integer: bool = True


@dataclass(frozen=True, slots=True)
class Solution:
    """What was found. `values` are None where no solution was; `bound` is what no solution can go below.

    `is_optimal` says that the two met. `duals` are those of a linear program, one a row.
    """

    values: tuple[float, ...] | None
    objective: float
    bound: float
    is_optimal: bool
    is_infeasible: bool
    duals: tuple[float, ...] = ()


def minimise(rows: Sequence[Row], columns: Sequence[Column], *, is_integer: bool, time_limit_s: float) -> Solution:
    """Return the cheapest values of the columns that all rows allow.

    One thread and a fixed seed: the same program gives the same values, unless the time limit ends it.
    """
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(columns), len(rows)
    program.col_cost_ = np.array([column.cost for column in columns], dtype=float)
    program.col_lower_ = np.zeros(len(columns))
    program.col_upper_ = np.array([column.high for column in columns], dtype=float)
    program.row_lower_ = np.array([row.low for row in rows], dtype=float)
    program.row_upper_ = np.array([row.high for row in rows], dtype=float)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    starts, indices, values = [0], [], []
    for column in columns:
        for index, value in sorted(column.coefficients.items()):
            indices.append(index)
            values.append(value)
        starts.append(len(indices))
    program.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    program.a_matrix_.index_ = np.array(indices, dtype=np.int32)
    program.a_matrix_.value_ = np.array(values, dtype=float)
    if is_integer:
        kinds = highspy.HighsVarType
        program.integrality_ = [kinds.kInteger if each.is_integer else kinds.kContinuous for each in columns]
    highs = _solver()
    for name, option in {
        "threads": 1,
        "random_seed": 0,
        "time_limit": max(time_limit_s, 0.01),
        "primal_feasibility_tolerance": FEASIBILITY,
        "mip_feasibility_tolerance": FEASIBILITY,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-6,
    }.items():
        highs.setOptionValue(name, option)
    highs.passModel(program)
    highs.run()
    return _solution(highs, is_integer=is_integer)


def _solver() -> highspy.Highs:
    """Return a solver that says nothing."""
    _greet()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    return highs


@cache
def _greet() -> None:
    """Make the first solver of the process where nobody sees it: it prints two lines of its own as it is made.

    No option reaches it before that, and it writes by C past `sys.stdout`: so for that moment the file descriptor leads
    nowhere. Whoever has standard output as data (`--format json`) reads no line of it.
    """
    try:
        kept = os.dup(1)
    except OSError:
        return  # Standard output is closed: there is nothing to keep clean.
    if sys.stdout is not None:
        sys.stdout.flush()
    libc = ctypes.CDLL(None)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        libc.fflush(None)
        os.dup2(nowhere, 1)
        highspy.Highs()  # type: ignore[no-untyped-call]
        libc.fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _solution(highs: highspy.Highs, *, is_integer: bool) -> Solution:
    status = highs.getModelStatus()
    is_optimal = status == highspy.HighsModelStatus.kOptimal
    is_infeasible = status in (
        highspy.HighsModelStatus.kInfeasible,
        highspy.HighsModelStatus.kUnboundedOrInfeasible,
    )
    info = highs.getInfo()
    has_values = is_optimal or (is_integer and info.primal_solution_status == 2)
    found = highs.getSolution()
    values = tuple(found.col_value) if has_values and not is_infeasible else None
    bound = info.mip_dual_bound if is_integer else info.objective_function_value
    return Solution(
        values=values,
        objective=info.objective_function_value if values is not None else INFINITY,
        bound=bound if is_optimal or is_integer else -INFINITY,
        is_optimal=is_optimal,
        is_infeasible=is_infeasible,
        duals=() if is_integer or not is_optimal else tuple(found.row_dual),
    )
