"""Slowest window of a test: an average over a run, or over a window, hides a stall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from apps.tools.parse_result import Measurement, Series
from apps.tools.values import Values

NAME = "slowest_window"
# Entry of `Measurement.values`: the values whose largest a series of latencies has. BOUNDS are
# upper ends of bins, MEANS are means of jobs in a window; neither is the latency of one operation.
LARGEST_OF = "latency_max_of"
BOUNDS, MEANS = "bins", "window means"


class SlowestWindow(TypedDict):
    """Window with the largest latency over time, an entry of a measurement's `values`.

    `latency` is in ns. The window starts `start` s after the tool and is `interval` s long. `of`:
    "operations", "bins" or "window means" (see `slowest_window`).
    """

    latency: float
    start: float
    interval: float
    of: str


def slowest_window(measurement: Measurement) -> Values:
    """Return {"slowest_window": SlowestWindow}, empty without a latency over time.

    `of` names the values whose largest is `latency`: "operations" (exact), "bins" (an upper bound)
    or "window means". The largest latency of the whole run is exact in any window.
    """
    for metric in ("latency_max", "latency_mean"):
        series = next((each for each in measurement.series if each.metric == metric), None)
        if series is not None and len(series.values) > 1:
            return _slowest(measurement, series)
    return {}


def _slowest(measurement: Measurement, series: Series) -> Values:
    values = _array(series.values)
    if np.isnan(values).all():
        return {}
    index = int(np.nanargmax(values))
    largest = float(values[index])
    return {
        NAME: {
            "latency": largest,
            "start": round(series.start + index * series.interval, 6),
            "interval": series.interval,
            "of": _largest_of(measurement, series, largest),
        }
    }


def _array(values: Sequence[float | None]) -> NDArray[np.float64]:
    """Return the values with NaN for None, without a copy if they are already an array."""
    if hasattr(values, "__array__"):
        return np.asarray(values, np.float64)
    return np.array([np.nan if v is None else v for v in values], np.float64)


def _largest_of(measurement: Measurement, series: Series, largest: float) -> str:
    if series.metric == "latency_mean":
        return MEANS
    source = measurement.values.get(LARGEST_OF)
    if (
        source == BOUNDS
        and measurement.latency.max is not None
        and largest >= measurement.latency.max
    ):
        return "operations"
    return str(source or "operations")
