"""Links to comparisons of runs with the baselines of their targets."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import MAX_RUNS, ComparisonQuery
from apps.analysis.repeats.levels import run_label
from apps.analysis.repeats.target_names import target_names
from apps.analysis.result import Link
from apps.results.models import Baseline
from apps.results.selectors.baselines import baselines_for_runs
from apps.runs.models import RunTarget

MAX_LINKS = 5
"""Limit of offered baselines: the newest."""


def baseline_links(runs: Collection[int]) -> list[Link]:
    """Return a comparison of these runs with each of their targets' baselines."""
    text = _("Against the baseline {name}")
    return [
        Link(text.format(name=baseline), f"{reverse('compare')}?{query.urlencode()}")
        for baseline, query in baseline_queries(runs)
    ]


def baseline_queries(
    runs: Collection[int], limit: int = MAX_LINKS
) -> list[tuple[Baseline, ComparisonQuery]]:
    """Return the newest baselines of the runs' targets, each with a comparison of the runs."""
    if not runs or len(runs) >= MAX_RUNS:
        return []
    return [(one, _baseline_query(one, runs)) for one in baselines_for_runs(runs)[:limit]]


def _baseline_query(baseline: Baseline, runs: Collection[int]) -> ComparisonQuery:
    """Return a comparison by run if both measured the same target, else by disk.

    A model's baseline may be measured on another disk.
    """
    compared_runs = tuple(sorted({*runs, baseline.run_id}))
    own = RunTarget.objects.filter(run=baseline.run_id, target__isnull=False)
    here = RunTarget.objects.filter(run__in=runs).values("target")
    if baseline.target_id is not None or own.filter(target__in=here).exists():
        return ComparisonQuery(compared_runs, factor="run", baseline=run_label(baseline.run_id))
    targets = own.filter(target__disk__model=baseline.disk_model)
    measured = list(targets.values_list("pk", flat=True))
    return ComparisonQuery(compared_runs, factor="disk", baseline=_disk_label(measured))


def _disk_label(measured: Sequence[int]) -> str:
    """Return the level of the single disk among these targets; empty for several."""
    if len(measured) != 1:
        return ""
    tested = target_names(measured)[measured[0]]
    return f"{tested.host_name}: {tested.today}"
