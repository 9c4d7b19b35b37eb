"""Downsample the points of a chart and keep its spikes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
MAX_POINTS = 2_000
"""Maximum points of a trace, so that SVG charts zoom quickly."""


@dataclass(frozen=True)
class DownsampledSeries:
    """Points to draw, and the number of points before downsampling."""

    x: Floats
    y: Floats
    shown: int
    total: int

    @property
    def complete(self) -> bool:
        """Return True if every point is drawn."""
        return self.shown == self.total


def downsample(
    x: npt.ArrayLike, y: npt.ArrayLike | Sequence[float | None], most: int = MAX_POINTS
) -> DownsampledSeries:
    """Return at most `most` points of y over ascending x.

    MinMaxLTTB (Van Der Donckt et al. 2023): the extremes of every interval are candidates, so a
    stall of one sample stays. Missing values (NaN) stay as gaps. Raises: ValueError for unequal
    lengths.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.shape != ys.shape:
        raise ValueError("x and y differ in length")
    total = len(xs)
    if total <= most:
        return DownsampledSeries(xs, ys, total, total)
    indexes = _lttb_indexes(xs, ys, most)
    return DownsampledSeries(xs[indexes], ys[indexes], len(indexes), total)


def _lttb_indexes(xs: Floats, ys: Floats, most: int) -> Indices:
    missing = np.isnan(ys)
    if not missing.any():
        return _select(xs, ys, most)
    known = np.flatnonzero(~missing)
    if not len(known):
        return np.array([0, len(xs) - 1], dtype=np.intp)
    chosen = known[_select(xs[known], ys[known], max(3, most // 2))]
    return np.sort(np.concatenate([chosen, _gaps(chosen, missing, most - len(chosen))]))


def _gaps(chosen: Indices, missing: npt.NDArray[np.bool_], most: int) -> Indices:
    """Return one missing point per gap between drawn points, the widest gaps first."""
    before = np.concatenate([[0], np.cumsum(missing)])
    holes = before[chosen[1:]] - before[chosen[:-1] + 1]
    widest = np.argsort(-holes, kind="stable")[: max(0, most)]
    indices = np.flatnonzero(missing)
    picked = widest[holes[widest] > 0]
    gaps: Indices = indices[before[chosen[picked] + 1]]
    return gaps


def _select(xs: Floats, ys: Floats, most: int) -> Indices:
    if len(xs) <= most:
        return np.arange(len(xs), dtype=np.intp)
    from tsdownsample import MinMaxLTTBDownsampler

    sampler: Any = MinMaxLTTBDownsampler  # the package is typed, but its constructor is not
    picked = sampler().downsample(xs, np.ascontiguousarray(ys), n_out=most)
    return np.asarray(picked, dtype=np.intp)
