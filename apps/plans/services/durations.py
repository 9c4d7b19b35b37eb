"""Durations of cases, for expected durations of later plans."""

from __future__ import annotations

from apps.plans.models import CaseTime, Workload

MAX_ROWS = 60
"""Maximum rows of each host and tool: enough for a median of every tuning profile in use."""


def case_time_record(
    *,
    host_id: int,
    workload: Workload,
    tuning: str,
    planned: float,
    taken: float,
    expected: float = 0.0,
) -> None:
    """Store the duration of a case, in seconds; delete the oldest ones of its host and tool."""
    CaseTime.objects.create(
        host_id=host_id,
        tool=workload.tool,
        workload=workload,
        tuning=tuning,
        planned=planned,
        taken=taken,
        expected=expected,
    )
    same = CaseTime.objects.filter(host_id=host_id, tool=workload.tool).order_by("-id")
    old = list(same.values_list("pk", flat=True)[MAX_ROWS : 2 * MAX_ROWS])
    if old:
        CaseTime.objects.filter(pk__in=old).delete()
