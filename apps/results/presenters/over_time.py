"""Figures over the time of a test: least, mean, most and deviation over its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.results.models import Series
from apps.tools.metrics import METRICS, Metric


@dataclass(frozen=True)
class TimeRow:
    """A metric of an operation or a device (`subject`) over time."""

    metric: Metric
    subject: str
    series: Series

    @property
    def window_words(self) -> str:
        return f"{self.series.interval:g} s"

    @property
    def values(self) -> tuple[float | None, ...]:
        """Least, mean, most, deviation: the cells of a row."""
        series = self.series
        return series.minimum, series.mean, series.maximum, series.stddev


def time_rows(series: Sequence[Series]) -> list[TimeRow]:
    """A row for each of these series that has a value, by subject, in the order of metrics."""
    order = list(METRICS)
    subjects = list(dict.fromkeys(_subject(each) for each in series))
    rows = [TimeRow(METRICS[each.metric], _subject(each), each) for each in series if each.known]
    return sorted(rows, key=lambda r: (subjects.index(r.subject), order.index(r.metric.key)))


def _subject(series: Series) -> str:
    return f"{series.part} {series.subject}".strip()
