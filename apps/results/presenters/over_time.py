"""Series summaries of a case's page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.common.domain.bursts import burst_meaning
from apps.results.models import Series
from apps.tools.metrics import METRICS, WINDOWED_SERIES, Metric


@dataclass(frozen=True)
class TimeRow:
    """Summary of a metric of an operation or device."""

    metric: Metric
    subject: str
    series: Series

    @property
    def window_words(self) -> str:
        return f"{self.series.interval:.4g} s"

    @property
    def meaning(self) -> str:
        """Return the meaning of the maximum of a rate that is a burst, else an empty text."""
        if self.metric.key not in WINDOWED_SERIES:
            return ""
        return burst_meaning(self.series.maximum, self.series.mean, self.series.stddev)

    @property
    def values(self) -> tuple[float | None, ...]:
        """Return minimum, mean, maximum and standard deviation."""
        series = self.series
        return series.minimum, series.mean, series.maximum, series.stddev


def time_rows(series: Sequence[Series]) -> list[TimeRow]:
    """Return a row per series with values, by subject and metric."""
    order = list(METRICS)
    subjects = list(dict.fromkeys(_subject(each) for each in series))
    rows = [
        TimeRow(METRICS[each.metric], _subject(each), each) for each in series if each.value_count
    ]
    return sorted(rows, key=lambda r: (subjects.index(r.subject), order.index(r.metric.key)))


def _subject(series: Series) -> str:
    return f"{series.component} {series.subject}".strip()
