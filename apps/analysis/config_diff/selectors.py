"""Snapshots that a selection names: hosts, tests or runs, and host facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from apps.analysis.config_diff.filters import ConfigDiffFilter
from apps.analysis.config_diff.snapshots import (
    ConfigSnapshot,
    snapshot_at,
    snapshot_of_case,
    snapshot_of_host,
    snapshot_of_run,
)
from apps.analysis.queries.selection import EVERYTHING, Selection
from apps.inventory.models import Host
from apps.results.models import ResultSummary
from apps.runs.models import Case, Run

MAX_SNAPSHOTS = 6
"""Limit of columns of the diff."""
Figures = QuerySet[ResultSummary]


@dataclass(frozen=True)
class ConfigSnapshots:
    """The newest MAX_SNAPSHOTS snapshots; `named`: their number without the limit."""

    shown: tuple[ConfigSnapshot, ...] = ()
    named: int = 0


def config_snapshots(filterset: ConfigDiffFilter) -> ConfigSnapshots:
    """Return the snapshots of a selection and of the selected host facts.

    Hosts if only hosts are named; else tests if tests are named; else runs.
    """
    moments = [snapshot_at(row) for row in filterset.form.cleaned_data["moment"]]
    result = _sides(filterset.selection, filterset.qs)
    shown = (*result.shown, *moments)[:MAX_SNAPSHOTS]
    return ConfigSnapshots(shown, result.named + len(moments))


def _sides(selection: Selection, figures: Figures) -> ConfigSnapshots:
    if selection.names_nothing:
        return ConfigSnapshots()
    if replace(selection, host=()) == EVERYTHING:
        hosts, result = _newest(Host.objects.filter(pk__in=selection.host))
        return ConfigSnapshots(tuple(map(snapshot_of_host, hosts)), result)
    figures_within = None if _names_all(selection) else figures
    if selection.case:
        tests = _in_runs(
            Case.objects.filter(pk__in=selection.case), selection, "run_id", "run__plan_id"
        )
        tests = (
            tests if figures_within is None else tests.filter(pk__in=_keys(figures_within, "case"))
        )
        rows, result = _newest(tests.select_related("workload", "run_target", "run_tuning", "run"))
        return ConfigSnapshots(tuple(map(snapshot_of_case, rows)), result)
    runs = _in_runs(Run.objects.all(), selection, "pk", "plan_id")
    runs = runs if figures_within is None else runs.filter(pk__in=_keys(figures_within, "run"))
    rows, result = _newest(runs)
    return ConfigSnapshots(
        tuple(snapshot_of_run(run, _cases(figures_within, run)) for run in rows), result
    )


def _names_all(selection: Selection) -> bool:
    """Return True if runs and tests are not narrowed, so those without a valid result count too."""
    return replace(selection, run=(), plan=(), case=()) == EVERYTHING


def _in_runs(rows: QuerySet[Any], selection: Selection, run: str, plan: str) -> QuerySet[Any]:
    named = {f"{run}__in": selection.run, f"{plan}__in": selection.plan}
    return rows.filter(**{name: keys for name, keys in named.items() if keys})


def _cases(figures_within: Figures | None, run: Run) -> QuerySet[Any] | None:
    return None if figures_within is None else _keys(figures_within.filter(run=run), "case")


def _keys(rows: Figures, name: str) -> QuerySet[Any]:
    keys: QuerySet[Any] = rows.order_by().values(name)
    return keys


def _newest(rows: QuerySet[Any]) -> tuple[list[Any], int]:
    """Return the newest MAX_SNAPSHOTS rows, oldest first, and the number of all."""
    return list(rows.order_by("-pk")[:MAX_SNAPSHOTS])[::-1], rows.count()
