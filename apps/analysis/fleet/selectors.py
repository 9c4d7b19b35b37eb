"""Queries of fleets: the newest run of each target by one query, then names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, Expression, F, Max, Q, QuerySet, When, Window
from django.db.models.functions import FirstValue

from apps.analysis.fleet.result import TargetResults
from apps.analysis.repeats.level_names import (
    SummaryRow,
    TargetKey,
    target_key,
    target_names,
    tuning_key,
    tuning_names,
)
from apps.inventory.models import Disk, Host, HostFacts
from apps.inventory.schemas.host_facts import KnownDisk
from apps.plans.models import Workload
from apps.results.models import ResultSummary
from apps.results.selectors.metric_columns import extent_value, window_value
from apps.results.selectors.results import comparable_summaries
from apps.tools.metrics import METRICS, OVER_TIME, WINDOWED
from apps.tools.workloads.order import name_key

MAX_RESULTS = 50_000
"""Limit of results of the newest runs: 800 disks with 60 repeats each."""


@dataclass(frozen=True)
class FleetRead:
    """Targets under one tuning; `others`: further tunings with results.

    `other_windows`: number of results omitted because their windows have another length.
    """

    targets: tuple[TargetResults, ...]
    tuning: str
    others: tuple[str, ...] = ()
    other_windows: int = 0


def standard_results(
    tool: str, pattern: Mapping[str, object]
) -> tuple[Workload | None, QuerySet[ResultSummary]]:
    """Return results of disks under the workload with these parameters that most disks have."""
    known = Workload.objects.filter(tool=tool, params__contains=dict(pattern))
    rows = comparable_summaries().filter(target__disk__isnull=False)
    counted = rows.filter(workload__in=known).order_by().values("workload")
    counted = counted.annotate(disks=Count("target", distinct=True), last=Max("measured_at"))
    chosen = counted.order_by("-disks", "-last").first()
    if chosen is None:
        return None, rows.none()
    workload = known.get(pk=chosen["workload"])
    return workload, rows.filter(workload=workload)


def fleet_read(rows: QuerySet[ResultSummary], *, metric: str, operation: str, by: str) -> FleetRead:
    """Return the newest run of each target, of one metric and operation.

    Reads the effective tuning that most targets have.
    """
    value = extent_value(metric) if metric in OVER_TIME else F(metric)
    measured = rows.filter(operation=operation).annotate(value=value).filter(value__isnull=False)
    own: list[Expression | F | str] = [
        F("target_id"),
        Case(When(target__isnull=True, then=F("run_target_id"))),
        F("settings_hash"),
        Case(When(settings_hash__isnull=True, then=F("run_tuning_id"))),
    ]
    order = [F("measured_at").desc(), F("pk").desc()]
    newest = measured.annotate(
        newest=Window(FirstValue("run_id"), partition_by=own, order_by=order)
    ).filter(Q(newest=F("run_id")))
    result = list(
        newest.order_by("-measured_at", "-pk").values(*SummaryRow.__annotations__)[:MAX_RESULTS]
    )
    every = len(result)
    if metric in WINDOWED:
        result = _in_usual_window(result, newest, metric)
    names = tuning_names(result)
    targets: Counter[str] = Counter(
        name for _target, name in {(target_key(row), names[tuning_key(row)]) for row in result}
    )
    if not targets:
        return FleetRead((), "")
    ranked = sorted(targets, key=lambda name: (-targets[name], name_key(name)))
    shown = [row for row in result if names[tuning_key(row)] == ranked[0]]
    others = every - len(result)
    return FleetRead(tuple(_targets(shown, by)), ranked[0], tuple(ranked[1:]), others)


def _in_usual_window(
    result: list[SummaryRow], rows: QuerySet[ResultSummary], metric: str
) -> list[SummaryRow]:
    """Return the results over the most frequent window length.

    A maximum over shorter windows is higher.
    """
    annotated = rows.annotate(window=window_value(METRICS[metric].series))
    windows = dict(annotated.values_list("pk", "window"))
    counts = Counter(windows[row["pk"]] for row in result)
    window = max(counts, key=lambda length: (counts[length], length), default=None)
    return [row for row in result if windows[row["pk"]] == window]


def _targets(rows: Sequence[SummaryRow], by: str) -> list[TargetResults]:
    names = target_names(rows)
    inventory = _Inventory.of(rows)
    own: dict[TargetKey, list[SummaryRow]] = {}
    for row in rows:
        own.setdefault(target_key(row), []).append(row)
    return [_target(names[key], target_rows, inventory, by) for key, target_rows in own.items()]


@dataclass(frozen=True)
class _Inventory:
    """Names of hosts; disks by target; reported disks by facts and identity."""

    hosts: Mapping[int, str]
    disks: Mapping[int, Disk]
    reported: Mapping[tuple[int, str], KnownDisk]

    @classmethod
    def of(cls, rows: Sequence[SummaryRow]) -> _Inventory:
        hosts = Host.objects.filter(pk__in={row["host_id"] for row in rows if row["host_id"]})
        targets = {row["target_id"] for row in rows} - {None}
        disks = {
            disk.target_id or 0: disk
            for disk in Disk.objects.select_related("model").filter(target__in=targets)
        }
        facts = HostFacts.objects.in_bulk({row["facts_id"] for row in rows} - {None})
        reported = {
            (pk, disk.identity): disk
            for pk, of_host in facts.items()
            for disk in of_host.known.disks or ()
            if disk.identity
        }
        return cls(dict(hosts.values_list("pk", "name")), disks, reported)


def _target(name: str, rows: Sequence[SummaryRow], inventory: _Inventory, by: str) -> TargetResults:
    newest = rows[0]
    disk = inventory.disks.get(newest["target_id"] or 0)
    seen = inventory.reported.get((newest["facts_id"] or 0, disk.identity)) if disk else None
    model = ((seen.model if seen else "") or (disk.model_name if disk else "")) or ""
    firmware = (seen.firmware if seen else "") or ""
    host = inventory.hosts.get(newest["host_id"] or 0, "")
    slot = seen.bay if seen else ""
    groups = {
        "model": model, "firmware": f"{model} {firmware}".strip(), "slot": slot, "host": host,
    }  # fmt: skip
    values = tuple(row["value"] for row in rows)
    return TargetResults(
        name, groups.get(by, ""), values, newest["measured_at"], newest["case_id"], host, model,
        firmware, slot, newest["target_id"],
    )  # fmt: skip
