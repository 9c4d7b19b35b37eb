"""Overlaid tests: names, series and histograms over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from apps.analysis.timeseries.heat import MAX_MAPS, Heat, window_of
from apps.analysis.timeseries.slowest import DrawnWindows, WindowLine
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import HistogramSeries, Series
from apps.results.presenters.charts import shown_series
from apps.results.selectors.results import series_window
from apps.results.services.buckets import counts_of
from apps.runs.models import Attempt
from apps.tools.workloads.order import name_key, operation_key


@dataclass(frozen=True)
class OverlaidSeries:
    """Attempt with its name on the chart and its series. `title` names all its properties."""

    name: str
    title: str
    attempt: Attempt
    series: Sequence[Series]


def overlaid_series(attempts: Sequence[Attempt]) -> list[OverlaidSeries]:
    """Return attempts named by the properties in which they differ and by their test."""
    names = workload_names(one.case.workload for one in attempts)
    parts = [
        (names[one.case.workload_id], one.case.run_target.name, str(one.case.run_tuning))
        for one in attempts
    ]
    differs = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    result = []
    for one, own in zip(attempts, parts, strict=True):
        differing = [part for part, shown in zip(own, differs, strict=True) if shown]
        name, title = (" · ".join([*each, f"#{one.case_id}"]) for each in (differing, own))
        result.append(OverlaidSeries(name, title, one, shown_series(one)))
    return sorted(result, key=lambda one: name_key(one.name))


def heats_of(
    drawn: Sequence[OverlaidSeries], operation: str, start: float | None, end: float | None
) -> tuple[list[Heat], bool]:
    """Return histograms over time in these seconds, and True if there are more than are drawn."""
    order = {one.attempt.pk: index for index, one in enumerate(drawn)}
    rows = HistogramSeries.objects.filter(measurement__attempt__in=order, measurement__component="")
    if operation:
        rows = rows.filter(measurement__operation=operation)
    result = sorted(
        rows.select_related("measurement"), key=lambda row: _attempt_key(row, drawn, order)
    )
    heats = [window_of(_heat(row, drawn, order), start, end) for row in result[:MAX_MAPS]]
    return [heat for heat in heats if len(heat.counts)], len(result) > MAX_MAPS


def _attempt_key(
    row: HistogramSeries, drawn: Sequence[OverlaidSeries], order: dict[UUID, int]
) -> tuple[int, object]:
    index = order[row.measurement.attempt_id]
    tool = drawn[index].attempt.case.workload.tool
    return index, operation_key(tool, row.measurement.operation)


def _heat(row: HistogramSeries, drawn: Sequence[OverlaidSeries], order: dict[UUID, int]) -> Heat:
    name = drawn[order[row.measurement.attempt_id]].name
    title = f"{name} {row.measurement.operation}"
    return Heat(title, row.start, row.interval, row.lows, counts_of(row))


def lines_of(one: OverlaidSeries, start: float | None, end: float | None) -> DrawnWindows:
    """Return a test's series in these seconds."""
    tool: list[WindowLine] = []
    around: list[WindowLine] = []
    for row in one.series:
        ends, values = series_window(row, start=start, end=end)
        subject = f"{row.component} {row.subject}".strip()
        line = WindowLine(subject, row.metric, row.interval, ends, values.astype(np.float64))
        (tool if row.source == Series.Source.TOOL else around).append(line)
    return DrawnWindows(one.name, one.attempt.case_id, tool, around)
