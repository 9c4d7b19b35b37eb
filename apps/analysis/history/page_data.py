"""Data of the history page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from apps.analysis.history.analysis import change_points_table, headline
from apps.analysis.history.baselines import (
    baseline_findings,
    baseline_tables,
    history_baselines,
    with_lines,
)
from apps.analysis.history.figures import history_chart, timestamps
from apps.analysis.history.readings import PROPERTIES, ConfigChange
from apps.analysis.history.result import History, Level, top_levels
from apps.analysis.history.selectors import history_read
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import WorkloadMetric
from apps.analysis.result import Finding, Table
from apps.common.domain.charts import ChartFigure
from apps.plans.models import Workload
from apps.tools.registry import measures_network

MAX_LEVELS = 100
"""Limit of levels in the table: those with the largest number of runs."""


@dataclass(frozen=True)
class LevelRow:
    """Row of a level in the table.

    `median` and `last` are by metric, as cells are rendered. `change`: the last run's median over
    that of the runs before it.
    """

    label: str
    results: int
    runs: int
    median: dict[str, float]
    last: dict[str, float]
    change: float | None
    run: int
    at: datetime


@dataclass(frozen=True)
class HistoryPage:
    """Data of the history page.

    `readings`: number of results from `first` to `last`; `more`: older results exist. `levels` of
    `level_count`. `marks`: (number on the chart, change, property).
    """

    readings: int
    first: datetime
    last: datetime
    more: bool
    untimed: bool
    level_count: int
    levels: tuple[LevelRow, ...]
    findings: tuple[Finding, ...]
    baselines: tuple[Table, ...]
    change_points: Table
    marks: tuple[tuple[str, ConfigChange, str], ...]
    figure: ChartFigure


def history_page(
    filterset: WorkloadFilter, workload: Workload, chosen: WorkloadMetric
) -> HistoryPage:
    """Return the page of a workload's history, of which results exist."""
    history = history_read(filterset.qs, metric=chosen.metric, operation=chosen.operation)
    readings = history.readings
    network = measures_network(workload.tool)
    held_baselines = history_baselines(filterset.qs, workload, chosen)
    lines = (held_baselines, history, chosen.metric, network)
    figure = history_chart(history, metric=chosen.metric, network=network)
    return HistoryPage(
        readings=len(readings),
        first=readings[0].at,
        last=readings[-1].at,
        more=history.more,
        untimed=any(not reading.timed for reading in readings),
        level_count=len(history.levels),
        levels=tuple(_row(one, chosen.metric) for one in top_levels(history.levels, MAX_LEVELS)),
        findings=(
            *headline(history, chosen.metric, network),
            *baseline_findings(held_baselines, history),
        ),
        baselines=tuple(baseline_tables(*lines)),
        change_points=change_points_table(history, chosen.metric, network),
        marks=tuple(_marks(history)),
        figure=with_lines(figure, *lines),
    )


def _row(level: Level, metric: str) -> LevelRow:
    last = level.runs[-1]
    return LevelRow(
        label=level.label,
        results=len(level.readings),
        runs=len(level.runs),
        median={metric: level.median},
        last={metric: last.value},
        change=level.latest,
        run=last.run,
        at=last.at,
    )


def _marks(history: History) -> list[tuple[str, ConfigChange, str]]:
    numbers = dict(timestamps(history.marks))
    return [(numbers[mark.at], mark, str(PROPERTIES[mark.what])) for mark in history.marks]
