"""Rates of several hosts on one time axis: amounts per interval, and sums.

Value i of a series applies from `start + i * interval` for `interval` seconds. Amounts are
integrals, so axes with different intervals lose and add nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.tools.parse_result import Series

Floats = NDArray[np.floating[Any]]
# A last cell below this share of the interval is dropped: hosts end at different times.
MIN_LAST_CELL = 0.5
# Gaps up to this many seconds are rounding errors.
ROUNDING_SECONDS = 1e-6


def moved(series: Series, seconds: float) -> Series:
    """Shift a series: its axis started `seconds` earlier."""
    return Series(series.metric, series.values, series.start + seconds, series.interval)


def share(series: Series, begin: float, end: float) -> float | None:
    """Return the share of a rate series' total between two timestamps.

    None if a value is missing or the total is 0.
    """
    edges = np.array([begin, end])
    whole = _edges(series)[[0, -1]]
    if _missing(series, whole)[0] > ROUNDING_SECONDS:
        return None
    total = _amounts(series, whole)[0]
    return float(_amounts(series, edges)[0] / total) if total > 0 else None


def rates_added(series: Sequence[Series]) -> Series:
    """Add the rates (1/s, bytes/s) of one metric; a value is missing if one of them is missing."""
    interval = max(each.interval for each in series)
    edges = _grid(series, interval)
    total = sum((_amounts(each, edges) for each in series), np.zeros(edges.size - 1))
    gaps = sum((_missing(each, edges) for each in series), np.zeros(edges.size - 1))
    return _series(series[0].metric, total / interval, gaps > ROUNDING_SECONDS, edges)


def largest(series: Sequence[Series]) -> Series:
    """Return the maximum over all series in each interval."""
    interval = max(each.interval for each in series)
    edges = _grid(series, interval)
    values = np.full(edges.size - 1, np.nan)
    for each in series:
        begins = _edges(each)[:-1]
        for offset in (0.0, each.interval * (1 - ROUNDING_SECONDS)):
            cells = np.floor((begins + offset - edges[0]) / interval + ROUNDING_SECONDS).astype(int)
            inside = (cells >= 0) & (cells < values.size)
            np.fmax.at(values, cells[inside], _floats(each)[inside])
    return _series(series[0].metric, values, np.isnan(values), edges)


def means_pooled(means: Sequence[Series], rates: Sequence[Series]) -> Series | None:
    """Return the mean of all operations: each host's means weighted by its operations.

    `rates` are the operations per second on the same axes; None if the axes differ.
    """
    pairs = list(zip(means, rates, strict=True))
    if any(_shape(mean) != _shape(rate) for mean, rate in pairs):
        return None
    weighted = rates_added([_product(mean, rate) for mean, rate in pairs])
    counted = rates_added([_rate_where_known(rate, mean) for mean, rate in pairs])
    above, below = _floats(weighted), _floats(counted)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = above / below
    edges = _edges(weighted)
    return _series(means[0].metric, values, ~np.isfinite(values), edges)


def _shape(series: Series) -> tuple[float, float, int]:
    return series.start, series.interval, len(series.values)


def _product(mean: Series, rate: Series) -> Series:
    values = np.nan_to_num(_floats(mean)) * np.nan_to_num(_floats(rate))
    return Series(mean.metric, tuple(values.tolist()), rate.start, rate.interval)


def _rate_where_known(rate: Series, mean: Series) -> Series:
    """Return the rate of operations with a known latency; without any, the mean is missing."""
    values = np.where(np.isnan(_floats(mean)), 0.0, np.nan_to_num(_floats(rate)))
    return Series(rate.metric, tuple(values.tolist()), rate.start, rate.interval)


def _floats(series: Series) -> Floats:
    return np.array([np.nan if v is None else v for v in series.values], np.float64)


def _edges(series: Series) -> Floats:
    return series.start + np.arange(len(series.values) + 1) * series.interval


def _grid(series: Sequence[Series], interval: float) -> Floats:
    """Return edges from the first start to the last end, without a short last cell."""
    begin = min(each.start for each in series)
    end = max(each.start + len(each.values) * each.interval for each in series)
    cells = max(1, int((end - begin) / interval + 1 - MIN_LAST_CELL))
    return begin + np.arange(cells + 1) * interval


def _amounts(series: Series, edges: Floats) -> Floats:
    """Integrate the series between neighbouring edges; a missing value counts as 0."""
    steps = np.nan_to_num(_floats(series)) * series.interval
    return _between(series, steps, edges)


def _missing(series: Series, edges: Floats) -> Floats:
    """Return the seconds between neighbouring edges for which the series has no value."""
    steps = np.isnan(_floats(series)) * series.interval
    return _between(series, steps, edges)


def _between(series: Series, steps: Floats, edges: Floats) -> Floats:
    sums = np.concatenate(([0.0], np.cumsum(steps)))
    return np.diff(np.interp(edges, _edges(series), sums))


def _series(metric: str, values: Floats, gaps: NDArray[np.bool_], edges: Floats) -> Series:
    known = [None if gap else value for value, gap in zip(values.tolist(), gaps, strict=True)]
    return Series(metric, tuple(known), float(edges[0]), float(edges[1] - edges[0]))
