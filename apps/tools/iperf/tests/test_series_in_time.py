"""A value of a series stands at the time at which it was measured."""

from __future__ import annotations

from apps.tools.iperf.parser.intervals import parallel_sums, series
from apps.tools.iperf.parser.text_rows import IntervalRow


def row(start: float, rate: float, name: str = "1") -> IntervalRow:
    return IntervalRow(id=name, start=start, end=start + 1.0, bytes=rate, rate=rate)


def test_an_interval_that_is_missing_is_a_gap() -> None:
    (bandwidth,) = series([row(0, 1.0), row(1, 2.0), row(4, 5.0), row(5, 6.0)])
    assert (bandwidth.start, bandwidth.interval) == (0.0, 1.0)
    assert list(bandwidth.values) == [1.0, 2.0, None, None, 5.0, 6.0]


def test_what_one_of_two_streams_lacks_moves_nothing_up() -> None:
    one = [row(second, 1.0, "1") for second in range(4)]
    two = [row(second, 2.0, "2") for second in (0, 2, 3)]
    (bandwidth,) = series(parallel_sums([*one, *two], 2))
    assert list(bandwidth.values) == [3.0, None, 3.0, 3.0]


def test_intervals_that_are_a_little_early_or_late_stay_in_their_order() -> None:
    rows = [row(0.0, 1.0), row(1.02, 2.0), row(1.97, 3.0), row(3.0, 4.0)]
    assert list(series(rows)[0].values) == [1.0, 2.0, 3.0, 4.0]


def test_times_that_are_none_are_taken_as_an_order() -> None:
    rows = [row(0, 1.0), row(900_000_000, 2.0), row(1, 3.0)]
    assert list(series(rows)[0].values) == [1.0, 2.0, 3.0]
