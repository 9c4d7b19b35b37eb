"""Maxima of IOPS and bandwidth over the windows of a test."""

from __future__ import annotations

from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.result import Value
from apps.common.domain.bursts import burst_meaning
from apps.stats.spread import spread
from apps.tools.metrics import METRICS, WINDOWED_SERIES

MAX_METRICS = ("iops_max_over_time", "bandwidth_max_over_time")
WINDOW_METRICS = tuple(
    f"{series}_{name}_over_time" for series in WINDOWED_SERIES for name in ("max", "mean", "stddev")
)
"""Metrics that the columns and notes on maxima need."""


def maxima_cells(repeats: Repeats, rows: Ints) -> tuple[Value, ...]:
    """Return the median of each of MAX_METRICS, None if window lengths differ; then the lengths."""
    lengths = {metric: _lengths(repeats, rows, metric) for metric in MAX_METRICS}
    medians = (
        spread(repeats.metric(metric)[rows]).median if len(lengths[metric]) == 1 else None
        for metric in MAX_METRICS
    )
    all_lengths = sorted({length for own in lengths.values() for length in own})
    return (*medians, " / ".join(f"{length:g} s" for length in all_lengths))


def _lengths(repeats: Repeats, rows: Ints, metric: str) -> list[float]:
    column = repeats.windows[rows, WINDOWED_SERIES.index(METRICS[metric].series)]
    lengths = column[column == column].tolist()
    return sorted(set(lengths))


def burst_of(repeats: Repeats, rows: Ints) -> str:
    """Return what the maximum of IOPS, else of bandwidth, means; empty unless it is a burst."""
    for series in WINDOWED_SERIES:
        maximum, mean, stddev = (
            spread(repeats.metric(f"{series}_{name}_over_time")[rows]).median
            for name in ("max", "mean", "stddev")
        )
        if maximum is not None and len(_lengths(repeats, rows, f"{series}_max_over_time")) == 1:
            return burst_meaning(maximum, mean, stddev)
    return ""
