"""Figures over the time of a test: least, mean, most and deviation over its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.results.models import Series
from apps.results.series.extents import Extent
from apps.tools.metrics import METRICS, Metric


@dataclass(frozen=True)
class TimeRow:
    """A metric of an operation or a device (`subject`) over time, in windows of so many seconds."""

    metric: Metric
    subject: str
    extent: Extent
    window: float

    @property
    def window_words(self) -> str:
        return f"{self.window:g} s"

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
        TimeRow(METRICS[each.metric], _subject(each), found[each.pk], each.interval)
        for each in series
        if each.pk in found
    ]
    return sorted(rows, key=lambda r: (subjects.index(r.subject), order.index(r.metric.key)))


def _subject(series: Series) -> str:
    return f"{series.part} {series.subject}".strip()


def extents(series: Sequence[Series]) -> dict[int, Extent]:
    """Return the extents by series, of those that have a value."""
    return {row.pk: _stored(row) for row in series if row.known}


def _stored(row: Series) -> Extent:
    known, deviation = row.known or 0, row.stddev or 0.0
    return Extent(
        known, row.minimum or 0.0, row.mean or 0.0, row.maximum or 0.0, deviation**2 * (known - 1)
    )
