"""A small archive in which every view has something to show, made without a tool."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import (
    PARAMS,
    START,
    Setup,
    create_measured_run,
    create_target,
    create_workload,
)
from apps.inventory.models import Disk, Host, HostPair, TargetGroup
from apps.inventory.tests.factories import create_disk_model
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.results.models import Measurement
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run, RunTargetMember
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_attempt, create_host
from apps.tools import parse_result

NODES = 6
GBIT = 1.25e8


def archive_fill(owner: User) -> dict[str, str]:
    """Fill the archive. The address of a question to each view, by the view and what it shows."""
    disks = [_disk(owner, node, slot) for slot in (1, 2) for node in range(1, NODES + 1)]
    key, run = create_workload(PARAMS).key, _swept(owner, disks[0]).pk
    plan = _mesh_plan(owner)
    old, new = _mesh(plan, owner, 9.0).pk, _mesh(plan, owner, 6.0).pk
    table, mesh = reverse("run_grid", args=[run]), reverse("run_mesh", args=[new])
    hosts = [disk.host_id for disk in disks[:2]]
    return {
        "compare": f"{reverse('compare')}?run={run}&factor=tuning",
        "sweep": f"{reverse('sweep')}?run={run}&x=iodepth",
        "table": f"{table}?x=iodepth&y=bs",
        "table-delta": f"{table}?x=iodepth&y=bs&tuning=Scheduler+none&against=Host+defaults",
        "history": f"{reverse('history')}?workload={key}&target={disks[1].pk}",
        "fleet": f"{reverse('fleet')}?workload={key}&by=slot",
        "timeseries": f"{reverse('timeseries')}?run={run}&workload={key}",
        "distribution": f"{reverse('distribution')}?run={run}",
        "network": mesh,
        "network-delta": f"{mesh}?against=run:{old}",
        "bottleneck": f"{reverse('bottleneck')}?run={_together(owner, disks[:3]).pk}",
        "report": reverse("run_report", args=[run]),
        "config-diff": f"{reverse('config_diff')}?host={hosts[0]}&host={hosts[1]}",
    }


def _disk(owner: User, node: int, slot: int) -> Disk:
    """A disk in a slot of a server, measured before and after a new kernel; one is slow."""
    disk = create_target(owner, f"node{node:02}-{slot}")
    Disk.objects.filter(pk=disk.pk).update(model=create_disk_model("S4510"))
    row = {"identity": disk.identity, "model": "S4510", "size": disk.size, "firmware": "XC11"}
    row |= {"slot": f"Slot {slot}", "enclosure": "SMC SC846P"}
    slow = {"Host defaults": 0.6} if (node, slot) == (NODES, 2) else {}
    for day, kernel in ((0, "6.1.0-18"), (9, "6.1.0-21")):
        setup = Setup(
            owner, tunings=("Host defaults",), repeats=3, disk=disk, gains=slow,
            seed=node * 10 + slot, start=START + timedelta(days=day),
            facts={"disks": [row], "kernel": kernel},
        )  # fmt: skip
        create_measured_run(setup)
    Host.objects.filter(pk=disk.host_id).update(facts=disk.host.facts_history.latest("pk"))
    return disk


def _swept(owner: User, disk: Disk) -> Run:
    """Depths by sizes under two tunings, with distributions; two tests with their course."""
    points = [PARAMS | {"iodepth": n, "bs": bs} for n in (1, 8, 32) for bs in (4096, 65536)]
    gains = {"Scheduler none": 1.2}
    run = create_measured_run(Setup(owner, points=points, gains=gains, histograms=True, disk=disk))
    own = Attempt.objects.filter(case__run=run, case__workload__key=create_workload(PARAMS).key)
    counts = ((90, 9, 1), (50, 49, 1), (10, 85, 5)) * 20
    for attempt in own.order_by("-started_at")[:2]:
        over_time = parse_result.HistogramSeries((960, 8192, 65536), counts)
        rates = parse_result.Series("iops", tuple(9000.0 + 50 * (n % 7) for n in range(60)))
        largest = parse_result.Series("latency_max", tuple(1e6 * (1 + n % 5) for n in range(60)))
        measured = parse_result.Measurement(
            "read", 4e7, 1e4, over_time=over_time, series=[rates, largest]
        )
        parsed = parse_result.Parsed("fio", "json+", "3.33", (measured,))
        Measurement.objects.filter(attempt=attempt).delete()
        results_store(attempt=attempt, parsed=parsed, parser_version=1)
    return run


def _mesh_plan(owner: User) -> TestPlan:
    """A network between three hosts."""
    hosts = [
        create_host(name=name, kind=Host.Kind.SSH, address=f"10.0.0.{number}")
        for number, name in enumerate(("east", "west", "south"), 1)
    ]
    spec = PlanSpec(steps=(StepSpec("iperf"),), repeats=6)
    plan = TestPlan.objects.create(name="mesh", owner=owner, spec=spec)
    for client in hosts:
        for server in hosts:
            if client != server:
                add_target(plan, HostPair.objects.create(client=client, server=server))
    return plan


def _mesh(plan: TestPlan, owner: User, rate: float) -> Run:
    """A run of it with a rate in Gbit/s from the east, 9 else."""
    run = run_launch(plan=plan, user=owner)
    for case in run.cases.select_related("run_target"):
        attempt = create_attempt(case)
        mine = rate if case.run_target.name.startswith("east") else 9.0
        bandwidth = mine * GBIT * (1 + case.repeat / 1000)
        for operation in ("send", "receive"):
            Measurement.objects.create(
                attempt=attempt, case=case, workload=case.workload, operation=operation,
                bandwidth=bandwidth,
                parser_version=1,
            )  # fmt: skip
    summaries_rebuild()
    return run


def _together(owner: User, disks: Sequence[Disk]) -> Run:
    """A run on a group of these disks, with less than they do alone."""
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=3, disk=disks[0]))
    group = TargetGroup.objects.create(owner=owner, name="three disks")
    group.disks.set(disks)
    found = run.targets.get()
    found.members.all().delete()
    for place, disk in enumerate(disks):
        RunTargetMember.objects.create(
            run_target=found, position=place, host=disk.host, kind="disk",
            target=disk, label=f"sd{place}", identity=disk.identity,
        )  # fmt: skip
    run.targets.update(target=group, kind="group", name=group.name)
    return run
