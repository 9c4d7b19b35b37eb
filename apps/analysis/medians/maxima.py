"""Maxima of IOPS and bandwidth over the windows of a test."""

from __future__ import annotations

from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.result import Value
from apps.stats.spread import spread
from apps.tools.metrics import METRICS, WINDOWED_SERIES

MAX_METRICS = ("iops_max_over_time", "bandwidth_max_over_time")


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
