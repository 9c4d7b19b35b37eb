"""Sides that a selection means: hosts, tests or runs, and moments beside them. Reads."""

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
from apps.results.models import Figure
from apps.runs.models import Case, Run

MAX_SNAPSHOTS = 6
"""Sides; more columns cannot be read."""
Figures = QuerySet[Figure]


@dataclass(frozen=True)
class ConfigSnapshots:
    """The newest MOST of the sides; `named`: how many there are."""

    shown: tuple[ConfigSnapshot, ...] = ()
    named: int = 0


def config_snapshots(asked: ConfigDiffFilter) -> ConfigSnapshots:
    """Hosts as at their last check where nothing but hosts is named; else tests where tests are
    named; else the runs, each as far as the selection goes.
    """
    moments = [snapshot_at(row) for row in asked.form.cleaned_data["moment"]]
    found = _sides(asked.selection, asked.qs)
    shown = (*found.shown, *moments)[:MAX_SNAPSHOTS]
    return ConfigSnapshots(shown, found.named + len(moments))


def _sides(meant: Selection, figures: Figures) -> ConfigSnapshots:
    if meant.names_nothing:
        return ConfigSnapshots()
    if replace(meant, host=()) == EVERYTHING:
        hosts, found = _newest(Host.objects.filter(pk__in=meant.host))
        return ConfigSnapshots(tuple(map(snapshot_of_host, hosts)), found)
    within = None if _names_all(meant) else figures
    if meant.case:
        tests = _in_runs(Case.objects.filter(pk__in=meant.case), meant, "run_id", "run__plan_id")
        tests = tests if within is None else tests.filter(pk__in=_keys(within, "case"))
        rows, found = _newest(tests.select_related("workload", "run_target", "run_tuning", "run"))
        return ConfigSnapshots(tuple(map(snapshot_of_case, rows)), found)
    runs = _in_runs(Run.objects.all(), meant, "pk", "plan_id")
    runs = runs if within is None else runs.filter(pk__in=_keys(within, "run"))
    rows, found = _newest(runs)
    return ConfigSnapshots(tuple(snapshot_of_run(run, _cases(within, run)) for run in rows), found)


def _names_all(meant: Selection) -> bool:
    """Whether runs and tests are named and not narrowed: then those without a valid result too."""
    return replace(meant, run=(), plan=(), case=()) == EVERYTHING


def _in_runs(rows: QuerySet[Any], meant: Selection, run: str, plan: str) -> QuerySet[Any]:
    named = {f"{run}__in": meant.run, f"{plan}__in": meant.plan}
    return rows.filter(**{name: keys for name, keys in named.items() if keys})


def _cases(within: Figures | None, run: Run) -> QuerySet[Any] | None:
    return None if within is None else _keys(within.filter(run=run), "case")


def _keys(rows: Figures, name: str) -> QuerySet[Any]:
    keys: QuerySet[Any] = rows.order_by().values(name)
    return keys


def _newest(rows: QuerySet[Any]) -> tuple[list[Any], int]:
    """The newest MOST, oldest first, and the number of all."""
    return list(rows.order_by("-pk")[:MAX_SNAPSHOTS])[::-1], rows.count()
