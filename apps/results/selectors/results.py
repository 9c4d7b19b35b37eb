"""Queries of measurements, result summaries and windows of series."""

from __future__ import annotations

import math

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from apps.results.domain.chunks import CHUNK, FLOAT, TILE, decode
from apps.results.models import Measurement, ResultSummary, Series
from apps.runs.models import Attempt
from apps.runs.selectors.runs import SHARED

Times = NDArray[np.float64]
Values = NDArray[np.float32]

# A window with more values than this is shown by the extremes of its tiles, which keep every spike.
EXACT = 200_000


def measurements_visible() -> QuerySet[Measurement]:
    """Return all measurements with their relations, without shared documents."""
    shared = [f"case__{name}" for name in SHARED if name != "workload"]
    rows = Measurement.objects.select_related("workload", *shared)
    return rows.defer("workload__params", "case__run_tuning__settings").prefetch_related(
        "case__run_target__members"
    )


def comparable_summaries() -> QuerySet[ResultSummary]:
    """Return the comparable results."""
    return ResultSummary.objects.filter(is_comparable=True)


def attempt_series(attempt: Attempt) -> QuerySet[Series]:
    """Return the series of an attempt, the tool's first."""
    return attempt.series.order_by("-source", "component", "subject", "metric")


def series_window(
    series: Series, *, start: float | None = None, end: float | None = None
) -> tuple[Times, Values]:
    """Return the timestamps (seconds after the start, interval ends) and samples of a window.

    A window of more than EXACT samples has the minimum and maximum of each tile, to keep spikes.
    Missing samples are NaN.
    """
    first, last = _range(series, start, end)
    if last - first > EXACT:
        return _tiles(series, first, last)
    rows = series.chunks.filter(index__gte=first // CHUNK, index__lte=max(last - 1, 0) // CHUNK)
    values = decode([bytes(chunk.values) for chunk in rows.only("values")])
    offset = first - (first // CHUNK) * CHUNK
    values = values[offset : offset + last - first]
    return _times(series, np.arange(first, first + len(values))), values


def _range(series: Series, start: float | None, end: float | None) -> tuple[int, int]:
    first = 0 if start is None else math.floor((start - series.start) / series.interval)
    last = series.length if end is None else math.ceil((end - series.start) / series.interval)
    first = min(max(first, 0), series.length)
    return first, min(max(last, first), series.length)


def _times(series: Series, indices: NDArray[np.int64]) -> Times:
    ends: Times = (indices + 1).astype(np.float64)
    return series.start + ends * series.interval


def _tiles(series: Series, first: int, last: int) -> tuple[Times, Values]:
    rows = series.chunks.filter(index__gte=first // CHUNK, index__lte=(last - 1) // CHUNK)
    minima, maxima, indices = [], [], []
    for index, low, high in rows.values_list("index", "tile_minima", "tile_maxima"):
        minima.append(np.frombuffer(bytes(low), dtype=FLOAT))
        maxima.append(np.frombuffer(bytes(high), dtype=FLOAT))
        indices.append(index * CHUNK + np.arange(len(minima[-1])) * TILE)
    where = np.repeat(np.concatenate(indices), 2)
    where[1::2] += TILE // 2
    values = np.empty(len(where), dtype=FLOAT)
    values[0::2], values[1::2] = np.concatenate(minima), np.concatenate(maxima)
    return _times(series, where), values
