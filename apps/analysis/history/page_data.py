"""A history's page as plain data, which is worked out once and that its template only prints."""

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

LEVELS = 100
"""Tunings in the table; those with the most runs where there are more."""


@dataclass(frozen=True)
class LevelRow:
    """A tuning in the table; `median` and `last` by metric, as cells are shown. `change`: the last
    run's median over that of those before it.
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
    """`readings`: how many from `first` to `last`; `more`: there are older ones. `levels` of
    `level_count`. `marks`: (number on the chart, mark, what changed in words).
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


def history_page(asked: WorkloadFilter, workload: Workload, chosen: WorkloadMetric) -> HistoryPage:
    """The page of a workload's history, of which there is a reading of what is chosen."""
    found = history_read(asked.qs, metric=chosen.metric, operation=chosen.operation)
    readings = found.readings
    network = measures_network(workload.tool)
    against = history_baselines(asked.qs, workload, chosen)
    lines = (against, found, chosen.metric, network)
    figure = history_chart(found, metric=chosen.metric, network=network)
    return HistoryPage(
        readings=len(readings),
        first=readings[0].at,
        last=readings[-1].at,
        more=found.more,
        untimed=any(not reading.timed for reading in readings),
        level_count=len(found.levels),
        levels=tuple(_row(one, chosen.metric) for one in top_levels(found.levels, LEVELS)),
        findings=(*headline(found, chosen.metric, network), *baseline_findings(against, found)),
        baselines=tuple(baseline_tables(*lines)),
        change_points=change_points_table(found, chosen.metric, network),
        marks=tuple(_marks(found)),
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


def _marks(found: History) -> list[tuple[str, ConfigChange, str]]:
    numbers = dict(timestamps(found.marks))
    return [(numbers[mark.at], mark, str(PROPERTIES[mark.what])) for mark in found.marks]
