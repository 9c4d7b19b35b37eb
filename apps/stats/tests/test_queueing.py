"""The knee of a sweep, and the depth that is of use."""

from __future__ import annotations

import pytest

from apps.stats.queueing import in_flight, knee, useful_depth


def test_the_knee_is_where_depth_stops_to_help() -> None:
    rising = [(1, 1000.0), (4, 3900.0), (8, 7000.0), (16, 9600.0), (32, 9900.0), (64, 9800.0)]
    assert knee(rising) == 16


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(1, 5.0), (2, 5.0)],
        [(1, 1.0), (2, 2.0), (4, 4.0)],
        [(1, 0.0), (2, 0.0), (4, 0.0)],
    ],
)
def test_no_knee_without_an_end_of_the_rise(points: list[tuple[float, float]]) -> None:
    assert knee(points) is None


def test_a_flat_curve_has_its_knee_at_the_start() -> None:
    assert knee([(1, 100.0), (2, 99.0), (4, 101.0)]) == 1


def test_littles_law_both_ways() -> None:
    # 200 µs alone and 100,000 operations/s at most: 20 in flight are of use.
    assert useful_depth(100_000, 200_000) == pytest.approx(20)
    assert in_flight(32_000, 1_000_000) == pytest.approx(32)
