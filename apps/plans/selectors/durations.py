"""The history for expected durations: the newest cases of each host and tool."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from apps.plans.domain.durations import (
    DurationKey,
    DurationModel,
    DurationSample,
    DurationSpread,
    duration_spread,
)
from apps.plans.models import CaseTime
from apps.plans.schemas.planned import PlannedPlan

# Rows read for one plan, whatever its size.
MAX_ROWS = 5_000
# Newest cases of a host whose durations are compared with the expected ones.
RATIO_ROWS = 60


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


def duration_spreads(hosts: Collection[int]) -> dict[int, DurationSpread]:
    """Return how much the newest cases of each host took, over what was expected: one query."""
    if not hosts:
        return {}
    rank = Window(RowNumber(), partition_by=F("host"), order_by="-id")
    rows = CaseTime.objects.filter(host__in=hosts, expected__gt=0).annotate(rank=rank)
    ratios: dict[int, list[float]] = {host: [] for host in hosts}
    newest = rows.filter(rank__lte=RATIO_ROWS).values_list("host_id", "taken", "expected")
    for host, taken, expected in newest:
        ratios[host].append(taken / expected)
    return {host: duration_spread(values) for host, values in ratios.items()}
