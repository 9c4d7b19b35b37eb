"""Record how long cases take, for the expected times of later plans."""

from __future__ import annotations

from apps.plans.models import CaseTime, Workload

# So many cases of a host and tool are remembered: enough for a median of every tuning in use.
REMEMBERED = 60


def case_time_record(
    *, host_id: int, workload: Workload, tuning: str, planned: float, taken: float
) -> None:
    """Remember what a case took, in seconds, and forget the oldest ones of its host and tool."""
    CaseTime.objects.create(
        host_id=host_id,
        tool=workload.tool,
        workload=workload,
        tuning=tuning,
        planned=planned,
        taken=taken,
    )
    same = CaseTime.objects.filter(host_id=host_id, tool=workload.tool).order_by("-id")
    old = list(same.values_list("pk", flat=True)[REMEMBERED : 2 * REMEMBERED])
    if old:
        CaseTime.objects.filter(pk__in=old).delete()
