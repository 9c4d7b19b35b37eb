"""Differences of cumulative documents."""

from pathlib import Path

import numpy as np
import pytest

from apps.tools.fio.parser.bins.bins import Bins
from apps.tools.fio.parser.documents.intervals import Interval, Snapshot, Track, as_series
from apps.tools.fio.parser.documents.result import parse_json

SAMPLES = Path(__file__).parent / "samples"


def snap(clock: float, runtime: float, operations: int, mean: float = 100.0) -> Snapshot:
    return Snapshot(
        clock=clock,
        runtime=runtime,
        operations=operations,
        transferred=operations * 4096,
        latency_sum=mean * operations,
        timed=operations,
        shortest=10,
        longest=1000,
        bins=Bins(np.array([100]), np.array([operations])),
    )


def test_an_interval_is_the_difference_of_two_documents() -> None:
    track = Track()
    track.add(snap(1, 1.0, 100, mean=100))
    interval = track.add(snap(2, 2.0, 300, mean=200))
    assert interval.figures == {
        "bandwidth": 200 * 4096,
        "iops": 200,
        # (300 * 200 - 100 * 100) / 200
        "latency_mean": 250,
        "latency_p50": 100,
        "latency_p99": 100,
        "latency_p999": 100,
        "latency_max": 100,
    }


def test_the_longest_of_an_interval_is_exact_where_it_is_the_longest_so_far() -> None:
    track = Track()
    first = Snapshot(1, 1.0, 10, 0, 0, 10, 10, 130_000, Bins(np.array([129_536]), np.array([10])))
    # 20 more operations: the longest, 130,000 ns, was in the first second; bin 119,296 ends at
    # 119,807 ns (steps of 1,024 ns from 65,536 on).
    more = Bins(np.array([119_296, 129_536]), np.array([20, 10]))
    second = Snapshot(2, 2.0, 30, 0, 0, 30, 10, 130_000, more)
    assert track.add(first).figures["latency_max"] == 130_000
    assert track.add(second).figures["latency_max"] == 119_807


def test_a_stall_is_a_zero_without_a_latency() -> None:
    track = Track()
    track.add(snap(1, 1.0, 100))
    assert track.add(snap(2, 2.0, 100)).figures == {"bandwidth": 0, "iops": 0}


@pytest.mark.parametrize(
    "again",
    [snap(3, 1.0, 90), snap(3, 0.9, 300), Snapshot(3, 2.1, 300, shortest=20, longest=1000)],
)
def test_counting_anew_drops_what_was_before(again: Snapshot) -> None:
    track = Track()
    track.add(snap(1, 1.0, 100))
    track.add(snap(2, 2.0, 200))
    interval = track.add(again)
    assert track.intervals == [interval]
    assert interval.figures["iops"] == pytest.approx(again.operations / again.runtime)


def test_a_missed_tick_leaves_a_hole() -> None:
    ends = [1.01, 2.0, 4.02]
    intervals = [Interval(end, 1.0, {"iops": end}) for end in ends]
    (series,) = as_series(intervals, 0.0, 1.0)
    assert series.values == (1.01, 2.0, None, 4.02)
    assert (series.start, series.interval) == (0.0, 1.0)


def test_a_short_last_piece_is_left_out() -> None:
    intervals = [Interval(e, s, {"iops": 1.0}) for e, s in [(1, 1.0), (2, 1.0), (2.1, 0.1)]]
    (series,) = as_series(intervals, 0.0, 1.0)
    assert series.values == (1.0, 1.0)


def test_absurd_clocks_make_no_endless_series() -> None:
    intervals = [Interval(e, 1.0, {"iops": 1.0}) for e in (1.0, 1e9)]
    assert as_series(intervals, 0.0, 1.0) == []


def test_latencies_of_an_interval_are_counted_in_coarse_buckets() -> None:
    data = (SAMPLES / "3.33--json+-ramp-every-second" / "result.json").read_bytes()
    (found,) = parse_json(data).measurements
    told = found.over_time
    assert told is not None
    assert found.histogram is not None
    # The ramp takes two seconds; the three after it have all that was measured.
    assert (told.start, told.interval, len(told.counts)) == (2.0, 1.0, 3)
    assert sum(map(sum, told.counts)) == sum(found.histogram.counts)
    rates = next(series for series in found.series if series.metric == "iops")
    seconds = [sum(row) for row in told.counts]
    assert seconds == pytest.approx([rate or 0 for rate in rates.values], rel=0.05)
