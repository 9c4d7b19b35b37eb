"""The history behind expected times: the newest cases of each host and tool."""

from __future__ import annotations

from collections.abc import Collection

from apps.plans.models import CaseTime, Workload

from .pace import Pace, PaceKind, Taken
from .planned import PlannedPlan

# So many cases of a host and tool are remembered: enough for a median of every tuning in use.
REMEMBERED = 60
# Rows read for one plan, whatever its size.
MOST_READ = 5_000


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


def pace_of(plan: PlannedPlan) -> Pace:
    """The known pace of the plan's hosts and tools: one query."""
    hosts = {target.host_id for target in plan.targets}
    return pace_known(hosts, {step.tool for step in plan.spec.steps})


def pace_known(hosts: Collection[int], tools: Collection[str]) -> Pace:
    """The known pace of these hosts and tools: one query, none without a host."""
    if not hosts or not tools:
        return Pace()
    rows = CaseTime.objects.filter(host__in=hosts, tool__in=tools).order_by("-id")
    columns = ("host_id", "tool", "workload__key", "tuning", "planned", "taken")
    return Pace(
        Taken(PaceKind(host, tool, key, tuning), planned, taken)
        for host, tool, key, tuning, planned, taken in rows.values_list(*columns)[:MOST_READ]
    )
