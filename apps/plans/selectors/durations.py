"""The history for expected durations: the newest cases of each host and tool."""

from __future__ import annotations

from collections.abc import Collection

from apps.plans.domain.durations import DurationKey, DurationModel, DurationSample
from apps.plans.models import CaseTime
from apps.plans.schemas.planned import PlannedPlan

# Rows read for one plan, whatever its size.
MAX_ROWS = 5_000


def plan_durations(plan: PlannedPlan) -> DurationModel:
    """Return the history of the plan's hosts and tools: one query."""
    hosts = {target.host_id for target in plan.targets}
    return duration_model(hosts, {step.tool for step in plan.spec.steps})


def duration_model(hosts: Collection[int], tools: Collection[str]) -> DurationModel:
    """Return the history of these hosts and tools: one query, none without a host."""
    if not hosts or not tools:
        return DurationModel()
    rows = CaseTime.objects.filter(host__in=hosts, tool__in=tools).order_by("-id")
    columns = ("host_id", "tool", "workload__key", "tuning", "planned", "taken")
    return DurationModel(
        DurationSample(DurationKey(host, tool, key, tuning), planned, taken)
        for host, tool, key, tuning, planned, taken in rows.values_list(*columns)[:MAX_ROWS]
    )
