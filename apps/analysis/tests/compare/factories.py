"""Measured runs for tests, made in bulk: no plan is expanded and no tool is run."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from apps.accounts.models import User
from apps.common.domain.histograms import percentiles
from apps.inventory.models import Disk, Host, HostFacts
from apps.plans.models import TestPlan, Workload
from apps.results.models import Histogram, Measurement
from apps.results.services.summary_table import summaries_refresh
from apps.runs.models import Attempt, AttemptState, Case, CaseState, Run, RunState
from apps.runs.services.versions import runs_touch
from apps.runs.tests.factories import create_host, target_of, tuning_of
from apps.tools.params import canonical_key
from apps.tuning.schemas.settings import Setting
from tests.harness.documents import Changes

_number = count(1)
START = datetime(2026, 3, 1, tzinfo=UTC)
PARAMS: Changes = {
    "rw": "randread", "bs": 4096, "iodepth": 32, "numjobs": 1, "runtime": 60, "size": 1024**3,
}  # fmt: skip
TUNINGS: dict[str, list[Setting]] = {
    "Host defaults": [],
    "Scheduler none": [Setting("queue", "scheduler", "none")],
}


@dataclass(frozen=True)
class Setup:
    """Conditions of one synthetic run. `gains`: factor on IOPS by tuning (or by iodepth)."""

    owner: User
    tunings: Sequence[str] = ("Host defaults", "Scheduler none")
    points: Sequence[Changes] = (PARAMS,)
    repeats: int = 6
    gains: dict[Any, float] = field(default_factory=dict)
    noise: float = 0.01
    seed: int = 1
    host: Host | None = None
    disk: Disk | None = None
    plan: TestPlan | None = None
    facts: Changes = field(default_factory=dict)
    tool_version: str = "fio-3.33"
    histograms: bool = False
    interleaved: bool = True
    start: datetime = START


def create_target(owner: User, name: str = "") -> Disk:
    """A host with one disk."""
    name = name or f"store-{next(_number)}"
    host = create_host(name=name)
    return Disk.objects.create(
        host=host, identity=f"serial:{name}", device_path="/dev/nvme0n1", size=10**12
    )


def facts_of(disk: Disk, **changes: Any) -> HostFacts:
    """Facts of the disk's host; `changes` replace some."""
    queue = {"scheduler": "mq-deadline", "nr_requests": 64}
    row = {"identity": disk.identity, "model": "S4510", "firmware": "XC11", "queue": queue}
    data = {
        "kernel": "6.1.0-18", "distribution": "Debian 12", "architecture": "x86_64",
        "cpu": {"model": "EPYC 7302", "count": 32}, "memory": 2**37, "uptime": 5.0,
        "disks": [row | {"size": disk.size}],
    } | changes  # fmt: skip
    digest = canonical_key(data)
    return HostFacts.objects.get_or_create(host=disk.host, digest=digest, defaults={"facts": data})[
        0
    ]


def create_workload(params: Changes) -> Workload:
    return create_workloads([params])[0]


def create_workloads(points: Sequence[Changes]) -> list[Workload]:
    rows = [_workload(params) for params in points]
    Workload.objects.bulk_create(rows, ignore_conflicts=True)
    stored = {row.key: row for row in Workload.objects.filter(key__in=[r.key for r in rows])}
    return [stored[row.key] for row in rows]


def _workload(params: Changes) -> Workload:
    size = {4096: "4 KiB", 4 * 1024**2: "4 MiB"}.get(params["bs"], f"{params['bs']} B")
    label = f"{params['rw']} {size}, depth {params['iodepth']}, {params['numjobs']} job"
    key = canonical_key({"tool": "fio", "params": params})
    return Workload(key=key, tool="fio", params=params, label=label)


def create_measured_run(setup: Setup) -> Run:
    """A finished run with a valid measurement for every case."""
    disk = setup.disk or create_target(setup.owner)
    run = Run.objects.create(
        name=f"run {next(_number)}", owner=setup.owner, plan=setup.plan, state=RunState.SUCCEEDED
    )
    facts = facts_of(disk, **setup.facts)
    workloads = create_workloads(setup.points)
    cases = Case.objects.bulk_create(_cases(setup, run, disk, workloads))
    attempts = Attempt.objects.bulk_create(
        Attempt(
            case=case,
            state=AttemptState.SUCCEEDED,
            facts=facts,
            tool_version=setup.tool_version,
            started_at=setup.start + timedelta(seconds=70 * case.sequence),
        )
        for case in cases
    )
    dice = random.Random(setup.seed)
    rows = Measurement.objects.bulk_create(_measurement(a, setup, dice) for a in attempts)
    if setup.histograms:
        Histogram.objects.bulk_create(_histogram(row, dice) for row in rows)
    summaries_refresh(case.pk for case in cases)
    runs_touch([run.pk])
    return run


def _cases(setup: Setup, run: Run, disk: Disk, workloads: Sequence[Workload]) -> Iterator[Case]:
    dice = random.Random(setup.seed)
    target = target_of(run, disk)
    tunings = {name: tuning_of(run, name, TUNINGS.get(name, [])) for name in setup.tunings}
    for sequence, (block, workload, tuning) in enumerate(_order(setup, workloads, dice)):
        yield Case(
            run=run,
            sequence=sequence,
            block=block if setup.interleaved else 0,
            repeat=block,
            workload=workload,
            run_target=target,
            run_tuning=tunings[tuning],
            state=CaseState.SUCCEEDED,
        )


def _order(
    setup: Setup, workloads: Sequence[Workload], dice: random.Random
) -> Iterator[tuple[int, Workload, str]]:
    repeats = range(1, setup.repeats + 1)
    if not setup.interleaved:
        yield from ((r, w, t) for w in workloads for t in setup.tunings for r in repeats)
        return
    for block in repeats:
        for workload in workloads:
            tunings = list(setup.tunings)
            dice.shuffle(tunings)
            yield from ((block, workload, tuning) for tuning in tunings)


def _measurement(attempt: Attempt, setup: Setup, dice: random.Random) -> Measurement:
    params: Changes = attempt.case.workload.params
    gain = setup.gains.get(attempt.case.tuning_name, setup.gains.get(params["iodepth"], 1.0))
    base = 90_000 if params["bs"] == 4096 else 240
    iops = base * gain * dice.lognormvariate(0, setup.noise)
    mean = params["iodepth"] / iops * 1e9
    return Measurement(
        attempt=attempt,
        case=attempt.case,
        workload=attempt.case.workload,
        operation="write" if "write" in params["rw"] else "read",
        iops=iops,
        bandwidth=iops * params["bs"],
        latency_mean=mean,
        latency_p50=mean * 0.93 * dice.lognormvariate(0, setup.noise),
        latency_p95=mean * 1.6 * dice.lognormvariate(0, setup.noise),
        latency_p99=mean * 2.4 * dice.lognormvariate(0, 2 * setup.noise),
        latency_p999=mean * 5 * dice.lognormvariate(0, 3 * setup.noise),
        latency_max=mean * 40 * dice.lognormvariate(0, 20 * setup.noise),
        parser_version=1,
    )


def _histogram(row: Measurement, dice: random.Random) -> Histogram:
    """Some 40 bins about the mean, with a tail."""
    middle = row.latency_mean or 1.0
    counts: dict[int, int] = {}
    for _ in range(400):
        tail = dice.random() < 0.01
        value = int(middle * dice.lognormvariate(1.5 if tail else -0.05, 0.3)) // 1024 * 1024 + 512
        counts[value] = counts.get(value, 0) + 10
    bins = sorted(counts)
    amounts = [counts[value] for value in bins]
    assert percentiles(bins, amounts, [50.0])[0] is not None
    return Histogram(measurement=row, bins=bins, counts=amounts)
