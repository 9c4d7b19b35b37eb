"""Latest results of targets, for lists of disks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from apps.inventory.models import Target
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import ResultSummary
from apps.results.selectors.results import comparable_summaries


@dataclass(frozen=True)
class LatestResult:
    """Newest comparable result of a target, one row per operation."""

    case: int
    workload: str
    tool: str
    at: datetime
    figures: tuple[ResultSummary, ...]


def latest_of(targets: Iterable[int]) -> Mapping[int, LatestResult]:
    """Return the latest result by target id; targets without results are missing.

    Two queries, with one index step per target (`summaries_by_target`).
    """
    newest = comparable_summaries().filter(target=OuterRef("pk")).order_by("-measured_at")
    moments = dict(
        Target.objects.filter(pk__in=list(targets))
        .annotate(at=Subquery(newest.values("measured_at")[:1]))
        .filter(at__isnull=False)
        .values_list("pk", "at")
    )
    figures: dict[int | None, list[ResultSummary]] = {}
    rows = comparable_summaries().filter(target__in=moments, measured_at__in=moments.values())
    for row in rows.select_related("workload").order_by("pk"):
        figures.setdefault(row.target_id, []).append(row)
    names = workload_names(row.workload for own in figures.values() for row in own)
    return {target: _latest(figures[target], at, names) for target, at in moments.items()}


def _latest(rows: list[ResultSummary], at: datetime, names: Mapping[int, str]) -> LatestResult:
    """Return the newest of a target's rows; some are only as old as another target's newest."""
    newest = [row for row in rows if row.measured_at == at]
    first = newest[0]
    of_case = tuple(row for row in newest if row.case_id == first.case_id)
    return LatestResult(first.case_id, names[first.workload_id], first.workload.tool, at, of_case)
