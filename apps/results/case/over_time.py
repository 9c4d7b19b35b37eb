"""Figures over the time of a test: least, mean, most and deviation over its intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.results.chunks import decode
from apps.results.models import Series, SeriesChunk
from apps.tools.metrics import METRICS, Metric


@dataclass(frozen=True)
class Extent:
    """Of the intervals that have a value, `count` of them, each counted alike: the least, the
    mean, the most, and the standard deviation (with count - 1; 0 for one), in the metric's unit.
    """

    count: int
    minimum: float
    mean: float
    maximum: float
    squares: float = 0.0  # the sum of squared distances from the mean

    @property
    def stddev(self) -> float:
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


@dataclass(frozen=True)
class TimeRow:
    """A metric of an operation or a device (`subject`) over time."""

    metric: Metric
    subject: str
    extent: Extent

    @property
    def values(self) -> tuple[float, float, float, float]:
        """Least, mean, most, deviation: the cells of a row."""
        extent = self.extent
        return extent.minimum, extent.mean, extent.maximum, extent.stddev


def time_rows(series: Sequence[Series]) -> list[TimeRow]:
    """A row for each of these series that has a value, by subject, in the order of metrics."""
    found = extents(series)
    order = list(METRICS)
    subjects = list(dict.fromkeys(_subject(each) for each in series))
    rows = [
        TimeRow(METRICS[each.metric], _subject(each), found[each.pk])
        for each in series
        if each.pk in found
    ]
    return sorted(rows, key=lambda r: (subjects.index(r.subject), order.index(r.metric.key)))


def _subject(series: Series) -> str:
    return f"{series.part} {series.subject}".strip()


def extents(series: Sequence[Series]) -> dict[int, Extent]:
    """By series, where it has a value: one chunk after the other, however many there are."""
    rows = SeriesChunk.objects.filter(series__in=series).order_by("series", "index")
    found: dict[int, Extent] = {}
    for pk, values in rows.values_list("series", "values").iterator(chunk_size=50):
        part = _extent(decode([bytes(values)]).astype(np.float64))
        if part is not None:
            found[pk] = _together(found[pk], part) if pk in found else part
    return found


def _extent(values: NDArray[np.float64]) -> Extent | None:
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    mean = float(known.mean())
    squares = float(((known - mean) ** 2).sum())
    return Extent(len(known), float(known.min()), mean, float(known.max()), squares)


def _together(one: Extent, other: Extent) -> Extent:
    """Chan, Golub, LeVeque: Updating Formulae and a Pairwise Algorithm for Computing Sample
    Variances (1979), formula 2.1.
    """
    count = one.count + other.count
    apart = other.mean - one.mean
    return Extent(
        count,
        min(one.minimum, other.minimum),
        one.mean + apart * other.count / count,
        max(one.maximum, other.maximum),
        one.squares + other.squares + apart**2 * one.count * other.count / count,
    )
