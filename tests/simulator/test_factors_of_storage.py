"""Checkpoints, rates and waiting, computed by hand, on both sides of where an answer turns."""

from decimal import Decimal

import pytest

from simulator.engine import InvalidParameters
from simulator.engine.storage.checkpoints import subset_gb, time_fraction
from simulator.engine.storage.feed import guidance, line_rate_gb_s, starved_fraction
from tests.simulator.test_layers import codes, report


def d(value):
    return Decimal(str(value))


def told(**given):
    """Return the report of 100 billion parameters: 1,400 GB at 14 bytes each."""
    return report("storage", {"parameters_billion": 100, **given})


def test_a_process_holds_its_part_of_a_checkpoint():
    """8 billion parameters of 14 bytes are 112 GB."""
    assert subset_gb(d(8), d(14), subset_ranks=2, ranks=16) == 14
    # Of a copy of 4 ranks each holds a quarter: 2 billion parameters of 2 + 12 / 4 = 5 bytes.
    assert subset_gb(d(8), d(14), subset_ranks=1, ranks=16, data_parallel=4) == 10
    assert subset_gb(d(8), d(14), subset_ranks=3, ranks=16, data_parallel=4) == 30
    # 4 + 10 / 4 = 6.5 bytes.
    assert subset_gb(d(8), d(14), subset_ranks=1, ranks=16, data_parallel=4, weight_bytes=d(4)) == 13
    # All 16 would hold 160 GB, with weights that are the same: never more than the whole.
    assert subset_gb(d(8), d(14), subset_ranks=16, ranks=16, data_parallel=4) == 112


# NVIDIA DGX SuperPOD, RA-11333-001: GB/s of reading and writing for a node, a scalable unit, and four of them.
GUIDANCE = {
    "good": [(4, 2), (15, 7), (60, 30)],
    "better": [(8, 4), (40, 20), (160, 80)],
    "best": [(40, 20), (125, 62), (500, 250)],
}


@pytest.mark.parametrize("level", GUIDANCE)
def test_guidance_is_that_of_the_reference_and_scales_from_four_units(level):
    node, unit, four = GUIDANCE[level]

    def rates(units):
        found = guidance(level, units)
        return found.read_gb_s, found.write_gb_s

    assert (rates(None), rates(1), rates(4)) == (node, unit, four)
    assert rates(2) == (four[0] / 2, four[1] / 2)
    assert rates(32) == (four[0] * 8, four[1] * 8)


def test_a_level_that_there_is_not_is_refused():
    with pytest.raises(InvalidParameters) as refused:
        guidance("worst", 1)

    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("level", "not_a_choice")
    assert problem.message == "level is worst; choose one of good, better, best."


def test_rates_that_are_given_stand_before_those_of_a_level():
    assert told(level="good")["checkpoint_write_s"] == 200  # 1,400 / 7
    both = told(level="good", write_gb_s=10)
    assert (both["checkpoint_write_s"], both["checkpoint_read_s"]) == (140, 93.3333)  # 1,400 / 10 and 1,400 / 15
    assert told(read_gb_s=20)["checkpoint_read_s"] == 70
    assert told(read_gb_s=20)["checkpoint_write_s"] is None
    assert told(level="good", scalable_units=8)["checkpoint_read_s"] == 11.6667  # 1,400 / 120


def test_a_write_and_its_stop_are_parts_of_the_time_between_checkpoints():
    """1,400 GB at 10 GB/s take 140 s, of which 70 stop training; with 130 s of work a cycle is 200 s."""
    found = told(write_gb_s=10, blocking_fraction=0.5, interval_s=130)

    assert (found["checkpoint_write_s"], found["checkpoint_blocked_s"]) == (140, 70)
    assert (found["checkpoint_time_fraction"], found["checkpoint_write_duty_fraction"]) == (0.35, 0.7)
    assert time_fraction(d(70), d(130)) == d("0.35")


@pytest.mark.parametrize(("interval_s", "warned"), [(70, []), (69, ["write_longer_than_interval"])])
def test_a_write_may_end_just_when_the_next_is_due(interval_s, warned):
    """70 s of stop and 70 of work are the 140 s of a write."""
    assert codes(told(write_gb_s=10, blocking_fraction=0.5, interval_s=interval_s)) == warned


FEED = {"gpus": 1000, "samples_per_gpu_s": 200, "sample_mb": 0.5}  # 100 GB/s


@pytest.mark.parametrize(
    ("read_gb_s", "nodes", "supplied", "starved", "warned"),
    [
        (200, None, 200, 0, []),
        (100, None, 100, 0, []),
        (80, None, 80, 0.2, ["starved"]),
        # 10 nodes of 9 GB/s.
        (200, 10, 90, 0.1, ["nodes_limit_reading", "starved"]),
        (90, 10, 90, 0.1, ["starved"]),
        (80, 10, 80, 0.2, ["starved"]),
        # What storage gives is not known, so neither is what arrives.
        (None, 10, None, None, []),
    ],
)
def test_reading_ends_at_the_lesser_of_storage_and_nodes(read_gb_s, nodes, supplied, starved, warned):
    feed = FEED if nodes is None else FEED | {"nodes": nodes, "node_read_gb_s": 9}

    found = told(read_gb_s=read_gb_s, feed=feed) if read_gb_s else told(feed=feed)

    assert (found["needed_read_gb_s"], found["supplied_read_gb_s"]) == (100, supplied)
    assert found["starved_fraction"] == starved
    assert codes(found) == warned


def test_waiting_is_the_rest_of_a_step_or_a_part_of_the_sum():
    assert starved_fraction(d(100), d(80), is_overlapped=True) == d("0.2")
    assert starved_fraction(d(80), d(100), is_overlapped=True) == 0
    assert starved_fraction(d(100), d(300), is_overlapped=False) == d("0.25")
    assert line_rate_gb_s(d(400)) == 50


def test_memory_is_told_only_where_it_is_known():
    """48 lines of 64 bytes in 96 ns are 32 GB/s. 600 GB and 3 · 100 for one; for nine 600 + 3 · 100 / 3."""
    pool = {"mean_gb": 600, "deviation_gb": 100, "servers": 9, "deviations": 3}

    def memory(**more):
        found = told(memory={**pool, **more})
        return found["pooled_memory_gb_per_server"], found["pooling_saving_fraction"], found["core_read_gb_s"]

    assert memory() == (700, 0.222222, None)  # 1 − 700 / 900
    assert memory(latency_ns=96, lines_in_flight=48)[2] == 32
    assert memory(latency_ns=96)[2] is None
    assert memory(lines_in_flight=48)[2] is None
    # Who needs nothing saves no part of it.
    assert memory(mean_gb=0, deviation_gb=0)[:2] == (0, None)
