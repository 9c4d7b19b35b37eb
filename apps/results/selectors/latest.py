"""The latest result of targets: for lists of disks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from apps.inventory.models import Target
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import Figure
from apps.results.selectors.results import figures_that_count


@dataclass(frozen=True)
class LatestResult:
    """The figures of the newest test of a target that count, an operation each."""

    case: int
    workload: str
    tool: str
    at: datetime
    figures: tuple[Figure, ...]


def latest_of(targets: Iterable[int]) -> Mapping[int, LatestResult]:
    """Target -> its latest result; none for a target without one. Two queries, a step of an index
    for each target (`figures_of_a_target`).
    """
    newest = figures_that_count().filter(target=OuterRef("pk")).order_by("-at")
    moments = dict(
        Target.objects.filter(pk__in=list(targets))
        .annotate(at=Subquery(newest.values("at")[:1]))
        .filter(at__isnull=False)
        .values_list("pk", "at")
    )
    figures: dict[int | None, list[Figure]] = {}
    rows = figures_that_count().filter(target__in=moments, at__in=moments.values())
    for row in rows.select_related("workload").order_by("pk"):
        figures.setdefault(row.target_id, []).append(row)
    names = workload_names(row.workload for own in figures.values() for row in own)
    return {target: _latest(figures[target], at, names) for target, at in moments.items()}


def _latest(rows: list[Figure], at: datetime, names: Mapping[int, str]) -> LatestResult:
    """A target's rows, of which some may be as old as another target's latest ones."""
    newest = [row for row in rows if row.at == at]
    first = newest[0]
    of_case = tuple(row for row in newest if row.case_id == first.case_id)
    return LatestResult(first.case_id, names[first.workload_id], first.workload.tool, at, of_case)
