"""Keys of whole measurements by what they are about, from the table of figures.

A figure has its measurement's key and stands beside the others of its run, so all that a host or a
disk of the archive took part in is read by the index of runs, some hundred pages, where
measurements are found case by case. What is asked for is handed over as numbers: a subquery would
hide from PostgreSQL how many there are, and it then holds each row against each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Model, QuerySet

from apps.common.pagination import Source
from apps.inventory.models import Disk, Host
from apps.plans.models import TestPlan, Workload
from apps.results.models import Figure, Measurement
from apps.runs.models import Member, Run, RunTarget
from apps.runs.taking_part import targets_on_host, targets_with
from apps.tuning.models import TuningProfile

Sources = Sequence[Source]
MOST = 2_000
"""Targets of runs, or runs, that are handed over as numbers. Of more, as of the only host of a lab,
a page's rows are among the newest anyway, and the numbers would take longer to be sent and read.
"""


class TooMany(Exception):
    """More than MOST fit."""


def sources_for(asked: dict[str, Any]) -> Sources | None:
    """Rows that have the keys for these filters of measurements (cleaned values); None where
    figures do not know.
    """
    given = {name: value for name, value in asked.items() if value not in (None, "")}
    try:
        if given.keys() == {"of_disk"}:
            return _own(given["of_disk"])
        if not given or given.keys() - _WHOLE.keys():
            return None
        rows = Figure.objects.order_by()
        for name, value in given.items():
            rows = _WHOLE[name](rows, value)
        return [Source(rows, in_order=given.keys() in _IN_ORDER)]
    except TooMany:
        return None


def _few(rows: QuerySet[Any, Any]) -> list[Any]:
    """All of them. Raises TooMany."""
    found = list(rows[: MOST + 1])
    if len(found) > MOST:
        raise TooMany
    return found


def _of_tuning(rows: QuerySet[Figure], tuning: TuningProfile) -> QuerySet[Figure]:
    return rows.filter(tuning=tuning)


def _of_workload(rows: QuerySet[Figure], workload: Workload) -> QuerySet[Figure]:
    return rows.filter(workload=workload)


def _of_targets(rows: QuerySet[Figure], targets: QuerySet[RunTarget]) -> QuerySet[Figure]:
    found = _few(targets.values_list("pk", "run_id"))
    runs = {run for _key, run in found}
    return rows.filter(run__in=runs, run_target__in=[key for key, _run in found])


def _of_run(rows: QuerySet[Figure], run: Run) -> QuerySet[Figure]:
    return rows.filter(run=run)


def _of_plan(rows: QuerySet[Figure], plan: TestPlan) -> QuerySet[Figure]:
    return rows.filter(run__in=_few(plan.runs.order_by().values_list("pk", flat=True)))


def _of_host(rows: QuerySet[Figure], host: Host) -> QuerySet[Figure]:
    return _of_targets(rows, targets_on_host(host.pk))


def _of_name(rows: QuerySet[Figure], text: str) -> QuerySet[Figure]:
    return _of_targets(rows, RunTarget.objects.filter(name__icontains=text).order_by())


def _of_disk(rows: QuerySet[Figure], disk: Disk) -> QuerySet[Figure]:
    return _of_targets(rows, targets_with(disk))


_WHOLE: Mapping[str, Callable[[QuerySet[Figure], Any], QuerySet[Figure]]] = {
    "run": _of_run,
    "plan": _of_plan,
    "host": _of_host,
    "disk": _of_disk,
    "target": _of_name,
    "tuning": _of_tuning,
    "workload": _of_workload,
}
_IN_ORDER = ({"workload"}, {"tuning"})  # figures_of_a_workload, figures_under_a_tuning


def _own(row: Model) -> Sources:
    """The wholes where a row of the lab alone was tested, and its shares where it was a member."""
    target = getattr(row, "target_id", None)
    if target is None:
        return []
    alone = RunTarget.objects.filter(target=target).order_by()
    members = Member.objects.filter(target=target).order_by().values_list("pk", flat=True)
    shares = Measurement.objects.filter(member__in=_few(members)).order_by()
    return [Source(_of_targets(Figure.objects.order_by(), alone)), Source(shares)]
