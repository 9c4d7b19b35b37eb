"""Write saturation test (SNIA SSS PTS 2.0.2): rates over the number of disk fills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from django.utils.translation import gettext as _

from apps.common.domain.charts import ChartFigure
from apps.results.models import Series
from apps.results.presenters.chart_figures import Trace, time_series
from apps.results.presenters.charts import counted
from apps.results.selectors.results import EXACT, attempt_series, series_window
from apps.runs.models import Attempt, Case

WRITE, BANDWIDTH = "write", "bandwidth"
METRICS_SHOWN = ("iops", BANDWIDTH, "latency_mean", "latency_max")
LEAST_FILLS = 1.0


def capacity_of(case: Case) -> int:
    """Return the size of all disks under test in bytes; 0 if a size is unknown."""
    sizes = [one.size or 0 for one in case.members if one.kind == "disk"]
    return sum(sizes) if sizes and all(sizes) and len(sizes) == len(case.members) else 0


def fills_of(case: Case, series: Iterable[Series]) -> float:
    """Return the written bytes as multiples of the disks' size; 0 if unknown."""
    rate = next((one for one in series if _is_of_writes(one) and one.metric == BANDWIDTH), None)
    capacity = capacity_of(case)
    if rate is None or not capacity:
        return 0.0
    return (rate.mean or 0.0) * (rate.value_count or 0) * rate.interval / capacity


def written_series(case: Case, series: Sequence[Series]) -> list[Series]:
    """Return the series of the chart; empty below one disk fill."""
    if fills_of(case, series) < LEAST_FILLS:
        return []
    result = {one.metric: one for one in series if _is_of_writes(one)}
    shown = [result[metric] for metric in METRICS_SHOWN if metric in result]
    return shown if all(one.length <= EXACT for one in shown) else []


def written_chart(attempt: Attempt) -> ChartFigure | None:
    """Return rates and latencies of writes over disk fills, None without data."""
    rows = written_series(attempt.case, list(attempt_series(attempt).filter(length__gt=0)))
    rate = next((one for one in rows if one.metric == BANDWIDTH), None)
    if rate is None:
        return None
    ends, rates = series_window(rate)
    fills = np.cumsum(np.nan_to_num(rates)) * rate.interval / capacity_of(attempt.case)
    traces = []
    for one in rows:
        times, values = series_window(one)
        written = np.interp(times, [rate.start, *ends], [0.0, *fills])
        known = [value if np.isfinite(value) else None for value in values.tolist()]
        traces.append(Trace(one.metric, WRITE, written.tolist(), known))
    words = {"time": _("Written"), "unit": _("times the disks")}
    return counted(time_series(traces, title=_("Over what was written"), labels=words))


def _is_of_writes(one: Series) -> bool:
    return one.source == Series.Source.TOOL and one.subject == WRITE and not one.component
