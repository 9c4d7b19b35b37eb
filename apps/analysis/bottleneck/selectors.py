"""Queries of tests on groups and pools with the results of their components."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from django.db.models import QuerySet

from apps.analysis.bottleneck.array_overhead import ArrayOverhead, Metric
from apps.analysis.bottleneck.component_results import Kind, disk_results, kind_of, network_results
from apps.analysis.bottleneck.components import BottleneckResult, Component
from apps.inventory.models import Disk, Host, Pool
from apps.inventory.schemas.backing_arrays import array_name, source_words
from apps.inventory.selectors.osd_hosts import pool_osd_hosts
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import ResultSummary
from apps.runs.models import RunTarget, RunTargetMember
from apps.tuning.domain.baseline import tuning_label

KINDS = ("group", "pool")
"""Target kinds that have components."""
SMALL_BLOCK_BYTES = 64 * 1024
"""Bytes per operation below which the metric is IOPS, else bandwidth."""
MAX_RESULTS = 5_000
MAX_TESTS = 24
"""Limit of tests; each queries its disks' results."""


@dataclass(frozen=True)
class BottleneckQuery:
    """Test on a group or pool with its results."""

    workload: Workload
    name: str
    target: RunTarget
    operation: str
    tuning: str
    values: Sequence[tuple[float | None, float | None, int]]


def bottlenecks(rows: QuerySet[ResultSummary], level: str) -> tuple[list[BottleneckResult], bool]:
    """Return tests on groups and pools, at most MAX_TESTS, and True if there are more.

    `level` overrides the level of groups; pools have their own.
    """
    tests = _tests(rows)
    names = {one.target.pk for one in tests}
    several = len(names) > 1
    return [_result(one, level, several) for one in tests[:MAX_TESTS]], len(tests) > MAX_TESTS


def _tests(rows: QuerySet[ResultSummary]) -> list[BottleneckQuery]:
    figures = rows.filter(run_target__kind__in=KINDS).order_by("-measured_at", "-pk")
    names = ("workload", "run_target", "operation", "run_tuning__name", "iops", "bandwidth", "case")
    values_by_test: dict[
        tuple[int, int, str, str], list[tuple[float | None, float | None, int]]
    ] = defaultdict(list)
    for workload, target, operation, tuning, *values in figures.values_list(*names)[:MAX_RESULTS]:
        values_by_test[(workload, target, operation, tuning)].append(
            (values[0], values[1], values[2])
        )
    workloads = Workload.objects.in_bulk({key[0] for key in values_by_test})
    named = workload_names(workloads.values())
    targets = (
        RunTarget.objects.select_related("target")
        .prefetch_related("members__host__facts", "members__target")
        .in_bulk({key[1] for key in values_by_test})
    )
    return [
        BottleneckQuery(
            workloads[workload], named[workload], targets[target], operation, tuning, values
        )
        for (workload, target, operation, tuning), values in sorted(
            values_by_test.items(), key=lambda pair: (pair[0][1], named[pair[0][0]], pair[0][2:])
        )
    ]


def _result(one: BottleneckQuery, level: str, several: bool) -> BottleneckResult:
    kind = kind_of(one.workload, one.operation)
    metric: Metric = (
        "iops" if kind.block is not None and kind.block < SMALL_BLOCK_BYTES else "bandwidth"
    )
    index = 0 if metric == "iops" else 1
    rows = [(row[index], row[2]) for row in one.values]
    values = sorted((value, case) for value, case in rows if isinstance(value, int | float))
    osd_host = RunTargetMember.Role.OSD_HOST
    members = [each for each in one.target.all_members if each.role != osd_host]
    pool = one.target.target.row if one.target.kind == "pool" and one.target.target else None
    parts = [one.target.name] if several else []
    name = " · ".join(filter(None, [*parts, one.name, tuning_label(one.tuning)]))
    return BottleneckResult(
        name=name,
        case=values[len(values) // 2][1] if values else one.values[0][2],
        operation=one.operation,
        metric=metric,
        value=median([value for value, _case in values]) if values else 0.0,
        writes=kind.writes,
        level=_level(members, pool if isinstance(pool, Pool) else None, level or one.target.level),
        disks=_disks(members, pool if isinstance(pool, Pool) else None, kind, metric),
        networks=_networks(members, kind, metric) if one.target.kind == "pool" else (),
    )


def _level(members: Sequence[RunTargetMember], pool: Pool | None, level: str) -> ArrayOverhead:
    if pool is None:
        return ArrayOverhead(level or "none")
    plan = next((each.pool_plan for each in members if each.pool_plan is not None), None)
    if plan is not None and plan.k:
        return ArrayOverhead("erasure", plan.k, plan.k + plan.m)
    copies = (plan.replicas if plan else None) or pool.replicas
    if pool.pool_type == Pool.PoolType.ERASURE and plan is None:
        return ArrayOverhead("erasure", pool.k, pool.k + pool.m)
    return ArrayOverhead("replicated", 1, copies or DEFAULT_REPLICAS)


DEFAULT_REPLICAS = 3
"""Ceph's default number of replicas (osd_pool_default_size)."""


def _disks(
    members: Sequence[RunTargetMember], pool: Pool | None, kind: Kind, metric: Metric
) -> list[Component]:
    if pool is not None:
        return _osd_disks(pool, kind, metric)
    labels = {each.target_id: each.label for each in members if each.target_id is not None}
    own = disk_results(labels, kind, metric)
    return [
        replace(
            own[each.target_id] if each.target_id is not None else Component(each.label),
            array=_array_words(each),
        )
        for each in members
    ]


def _array_words(member: RunTargetMember) -> str:
    """Return the array of a disk at the launch and its source; empty without one."""
    if member.backing is None:
        return ""
    return f"{array_name(member.backing)} ({source_words(member.backing)})"


def _osd_disks(pool: Pool, kind: Kind, metric: Metric) -> list[Component]:
    """Return the disks of a pool's OSDs; those of unreachable hosts have no result."""
    named: dict[str, Disk | None] = {}
    for host in pool_osd_hosts(pool):
        disks = (
            {disk.device_path.rpartition("/")[2]: disk for disk in host.host.disks.all()}
            if (host.host)
            else {}
        )
        named |= {f"{host.name} {device}": disks.get(device) for device in host.devices}
    targets = {
        disk.target_id: name
        for name, disk in named.items()
        if disk is not None and disk.target_id is not None
    }
    own = disk_results(targets, kind, metric)
    return [
        own[disk.target_id] if disk is not None and disk.target_id in own else Component(name)
        for name, disk in named.items()
    ]


def _networks(members: Sequence[RunTargetMember], kind: Kind, metric: Metric) -> list[Component]:
    hosts: dict[int, Host] = {each.host_id: each.host for each in members}
    return network_results(hosts.values(), metric, kind.block)
