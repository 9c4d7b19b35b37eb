"""The slowest window of a test: an average over a run, or over a window, hides a stall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from apps.tools.base import Measurement, Series
from apps.tools.values import Values

NAME = "slowest_window"
# Of what a series of largest latencies may be the largest (`Measurement.values`): BOUNDS are the
# upper ends of bins, MEANS those of jobs in a window. Nothing is said of single operations.
LARGEST_OF = "latency_max_of"
BOUNDS, MEANS = "bins", "window means"


class SlowestWindow(TypedDict):
    """Of a measurement's `values`: the largest latency over time, in ns, of the window that starts
    `start` s after the tool and is `interval` s long; `of`: what it is the largest of.
    """

    latency: float
    start: float
    interval: float
    of: str


def slowest_window(found: Measurement) -> Values:
    """{"slowest_window": {"latency": ns, "start": s after the tool's start, "interval": s, "of":
    what it is the largest of}}, empty without a latency over time.

    "of" is "operations", "bins" (at most this) or "window means". The largest latency of the whole
    run is exact wherever it stands.
    """
    for metric in ("latency_max", "latency_mean"):
        series = next((each for each in found.series if each.metric == metric), None)
        if series is not None and len(series.values) > 1:
            return _slowest(found, series)
    return {}


def _slowest(found: Measurement, series: Series) -> Values:
    values = _array(series.values)
    if np.isnan(values).all():
        return {}
    place = int(np.nanargmax(values))
    largest = float(values[place])
    return {
        NAME: {
            "latency": largest,
            "start": round(series.start + place * series.interval, 6),
            "interval": series.interval,
            "of": _largest_of(found, series, largest),
        }
    }


def _array(values: Sequence[float | None]) -> NDArray[np.float64]:
    """NaN for what is unknown; a log's millions of values are an array already."""
    if hasattr(values, "__array__"):
        return np.asarray(values, np.float64)
    return np.array([np.nan if v is None else v for v in values], np.float64)


def _largest_of(found: Measurement, series: Series, largest: float) -> str:
    if series.metric == "latency_mean":
        return MEANS
    said = found.values.get(LARGEST_OF)
    if said == BOUNDS and found.latency.max is not None and largest >= found.latency.max:
        return "operations"
    return str(said or "operations")
