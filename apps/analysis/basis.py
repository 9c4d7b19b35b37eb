"""Bases of answers: the rows and tables that each view reads. A test holds them against the tables
of the queries that views really send.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from apps.analysis.compare.question import Question
from apps.analysis.compare.selectors import runs_of
from apps.analysis.history.filters import HistoryFilter
from apps.analysis.of_figures import OfFigures
from apps.analysis.of_runs import OfRuns
from apps.analysis.selection.filters import SelectionFilter, narrowed
from apps.analysis.stamps import Basis
from apps.analysis.sweep.question import SweepQuestion
from apps.results.models import Figure
from apps.tools.metrics import OVER_TIME

NAMES = (
    "plans_workload", "runs_runtarget", "runs_runtuning", "inventory_host", "inventory_disk",
    "inventory_directory",
)  # fmt: skip
"""Tables with the names that stand in every answer."""
PLACES = (
    "inventory_target", "inventory_pool", "inventory_targetgroup", "inventory_hostpair",
)  # fmt: skip
OVER_YEARS = (
    "results_figure", *NAMES, *PLACES, "results_series", "results_baseline",
    "figures of baselines",
)  # fmt: skip
OF_RUNS = (
    "results_figure", *NAMES, *PLACES, "results_baseline", "results_measurement",
    "results_series", "runs_run", "runs_case", "runs_attempt", "runs_addition", "runs_until",
    "runs_decision", "runs_member", "runs_runexpectation", "inventory_diskexpectation",
)  # fmt: skip


def basis_of(view: str, question: Any) -> Basis | None:
    """The basis of the answer to a room's question; None where it is worked out each time."""
    found = _BASES.get(view)
    return found(question) if found else None


def _over_years(found: OfFigures[HistoryFilter]) -> Basis | None:
    """None where nothing is named, and of figures over time, which are many rows of others."""
    cleaned = found.asked.form.cleaned_data
    if found.asked.workload_asked is None or cleaned["metric"] in OVER_TIME:
        return None
    return Basis(found.asked.qs, OVER_YEARS)


def _distribution(found: OfFigures[SelectionFilter]) -> Basis | None:
    if found.asked.selection.names_nothing:
        return None
    tables = ("results_figure", "results_histogram", "runs_run", *NAMES, *PLACES)
    return Basis(found.asked.qs, tables)


def _compared(question: Question) -> Basis:
    """All figures of the runs, as it is also said what does not count; those that a further
    selection leaves are told by its own rows.
    """
    runs = [run.pk for run in runs_of(question)]
    figures = narrowed(Figure.objects.filter(run__in=runs), question.whole)
    return Basis(figures, OF_RUNS, runs)


def _swept(question: SweepQuestion) -> Basis:
    return _compared(question.compared)


def _chosen(question: OfRuns) -> Basis:
    return _compared(question.selected)


_BASES: Mapping[str, Callable[[Any], Basis | None]] = {
    "compare": _compared,
    "sweep": _swept,
    "table": _chosen,
    "network": _chosen,
    "medians": _chosen,
    "history": _over_years,
    "fleet": _over_years,
    "distribution": _distribution,
}
"""By the room's name. The others read what no figure leads to: seconds of tests, facts of hosts,
what disks of an array do alone.
"""
