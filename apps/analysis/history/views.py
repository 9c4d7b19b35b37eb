"""The page of a workload's history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from apps.analysis.answers import Said, Table
from apps.analysis.history.answer import History, Level, most_measured
from apps.analysis.history.chosen import chosen_of
from apps.analysis.history.figures import history_chart, moments
from apps.analysis.history.filters import HistoryFilter
from apps.analysis.history.held import held_of, held_tables, said, with_lines
from apps.analysis.history.readings import PROPERTIES, Mark
from apps.analysis.history.room import headline, points_table
from apps.analysis.history.selectors import (
    LATEST,
    Measured,
    history_read,
    workloads_lately,
    workloads_of,
)
from apps.analysis.pages import offer
from apps.analysis.selection.filters import KINDS
from apps.common.charts import ChartFigure
from apps.plans.models import Workload
from apps.results.selectors import figures_that_count
from apps.tools.metrics import METRICS, Metric
from apps.tools.registry import measures_network

LEVELS = 100
"""Tunings in the table; those with the most runs where there are more."""
LISTED = 300
"""Workloads in the list of those that were measured somewhere."""


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


class HistoryContext(TypedDict, total=False):
    """Names that the page's template reads. `marks`: as `_marks`; `kept`: the query of the target
    and host; `exported`: the query of the address.
    """

    filter: HistoryFilter
    kept: str
    target: Model | None
    exported: str
    clear_url: str
    workloads: list[Measured]
    listed: int
    latest: int
    workload: Workload
    history: History
    metric: Metric
    operation: str
    levels: list[LevelRow]
    untimed: bool
    said: list[Said]
    change_points: Table
    baselines: list[Table]
    marks: list[tuple[str, Mark, str | Promise]]
    figure: ChartFigure


@require_safe
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """One workload's history on a target or host; without a workload those that there are."""
    asked = HistoryFilter(request.GET, queryset=figures_that_count())
    here = _kept(request)
    context: HistoryContext = {"filter": asked, "kept": here}
    if not asked.form.is_valid():
        return render(request, "analysis/history.html", context, status=400)
    context |= {"target": asked.target, "exported": request.GET.urlencode()}
    workload: Workload | None = asked.workload_asked
    context["clear_url"] = f"?workload={workload.key}&{here}" if workload else f"?{here}"
    context |= _of_workload(asked, workload) if workload else _workloads(asked)
    return render(request, "analysis/history.html", context)


def _kept(request: HttpRequest) -> str:
    """The target and host of the address, for links to other workloads there."""
    names = (*KINDS, "host")
    return urlencode(
        [(name, value) for name in names for value in request.GET.getlist(name) if value]
    )


def _workloads(asked: HistoryFilter) -> HistoryContext:
    if asked.target is None and not asked.form.cleaned_data["host"]:
        return {"workloads": workloads_lately(asked.qs, LISTED), "latest": LATEST}
    return {"workloads": workloads_of(asked.qs, asked.target, LISTED), "listed": LISTED}


def _of_workload(asked: HistoryFilter, workload: Workload) -> HistoryContext:
    context: HistoryContext = {"workload": workload}
    chosen = chosen_of(asked, workload)
    if chosen is None:
        return context
    offer(asked, chosen)
    found = history_read(asked.qs, metric=chosen.metric, operation=chosen.operation)
    network = measures_network(workload.tool)
    against = held_of(asked.qs, workload, chosen)
    lines = (against, found, chosen.metric, network)
    return context | {
        "history": found,
        "metric": METRICS[chosen.metric],
        "operation": chosen.operation,
        "levels": [_row(level, chosen.metric) for level in most_measured(found.levels, LEVELS)],
        "untimed": any(not reading.timed for reading in found.readings),
        "said": [*headline(found, chosen.metric, network), *said(against, found)],
        "baselines": held_tables(*lines),
        "change_points": points_table(found, chosen.metric, network),
        "marks": _marks(found),
        "figure": with_lines(history_chart(found, metric=chosen.metric, network=network), *lines),
    }


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


def _marks(found: History) -> list[tuple[str, Mark, str | Promise]]:
    """(number on the chart, mark, what changed in words)."""
    numbers = dict(moments(found.marks))
    return [(numbers[mark.at], mark, PROPERTIES[mark.what]) for mark in found.marks]
