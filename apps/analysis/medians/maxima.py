"""The most of IOPS and bandwidth over the windows of a test, beside the medians of its repeats."""

from __future__ import annotations

from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.result import Value
from apps.stats.spread import spread
from apps.tools.metrics import METRICS, WINDOWED_SERIES

MAX_METRICS = ("iops_max_over_time", "bandwidth_max_over_time")


def maxima_cells(repeats: Repeats, rows: Ints) -> tuple[Value, ...]:
    """The median of each of MOST, none where the windows of these repeats differ; then the length
    of the windows.
    """
    lengths = {metric: _lengths(repeats, rows, metric) for metric in MAX_METRICS}
    medians = (
        spread(repeats.metric(metric)[rows]).median if len(lengths[metric]) == 1 else None
        for metric in MAX_METRICS
    )
    every = sorted({length for own in lengths.values() for length in own})
    return (*medians, " / ".join(f"{length:g} s" for length in every))


def _lengths(repeats: Repeats, rows: Ints, metric: str) -> list[float]:
    column = repeats.windows[rows, WINDOWED_SERIES.index(METRICS[metric].series)]
    known = column[column == column].tolist()
    return sorted(set(known))
