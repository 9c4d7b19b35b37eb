"""The lab of a made-up archive: people, hosts, disks, pools, pairs, groups, tunings, plans and
workloads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import (
    Directory,
    Disk,
    DiskModel,
    Host,
    HostFacts,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.plans.models import TestPlan, Workload
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.tools.params import workload_key
from apps.tools.registry import TOOLS
from apps.tools.sweep import sweep
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import QUEUE, Setting, Settings

TUNINGS = ("none", "mq-deadline", "bfq", "kyber")
PLANS = 60
PEOPLE = 30
SIZE = 960 * 10**9
BLOCKS = ["4k", "8k", "16k", "64k", "128k", "1M"]


class Sort(NamedTuple):
    """The runs of a tool: the class of targets they run on, their share of that class's runs, what
    is measured, and the parameters whose sweep gives their workloads.
    """

    targets: str
    share: float
    operations: str
    params: dict[str, object]


SORTS = {
    "fio": Sort("storage", 0.9, "", {
        "rw": ["randread", "randwrite", "randrw"], "bs": BLOCKS, "iodepth": [1, 4, 16, 64],
        "numjobs": [1, 4], "size": "16M", "runtime": 60,
    }),
    "dd": Sort("storage", 0.08, "write", {"bs": BLOCKS, "size": ["1G", "10G"]}),
    "iozone": Sort("storage", 0.02, "write read", {"record_size": BLOCKS, "file_size": "64M"}),
    "rados": Sort("pool", 1.0, "write seq", {"bs": BLOCKS, "threads": [1, 4, 16, 64]}),
    "iperf": Sort("pair", 1.0, "send receive", {"streams": [1, 2, 4, 8, 16], "seconds": [10, 60]}),
}  # fmt: skip


def operations_of(workload: Workload) -> list[str]:
    """Operations that a case of the workload measures."""
    if said := SORTS[workload.tool].operations:
        return said.split()
    return {"randread": ["read"], "randwrite": ["write"]}.get(
        str(workload.params["rw"]), ["read", "write"]
    )


@dataclass(frozen=True)
class Lab:
    """The hosts, targets and tunings of runs. `targets` in the order in which they came into the
    lab: the first ones are in old runs only.
    """

    owner: User
    people: Sequence[User]
    hosts: Sequence[Host]
    targets: dict[str, Sequence[Model]]
    """By class: "storage", "pool", "pair"."""
    tunings: Sequence[TuningProfile]
    plans: Sequence[TestPlan]
    workloads: dict[str, Sequence[Workload]]
    """By tool."""


def lab_make(owner: User, hosts: int) -> Lab:
    """A lab of so many hosts, at least 8; two disks each."""
    rows = _hosts(max(8, hosts))
    disks = [_disk(host, n, owner) for host in rows for n in range(2)]
    return Lab(
        owner=owner,
        people=[owner, *_people()],
        hosts=rows,
        targets={
            "storage": _storage(rows, disks, owner),
            "pool": _pools(rows, owner),
            "pair": [
                HostPair.objects.create(client=one, server=other)
                for one, other in zip(rows[::4], rows[1::4], strict=False)
            ],
        },
        tunings=TuningProfile.objects.bulk_create(
            TuningProfile(name=f"archive {name}", owner=owner, settings=_scheduler(name))
            for name in TUNINGS
        ),
        plans=_plans(owner),
        workloads={tool: _workloads(tool) for tool in SORTS},
    )


def _people() -> list[User]:
    return User.objects.bulk_create(
        User(username=f"archive-{number}", password="!") for number in range(PEOPLE)
    )


def _hosts(number: int) -> list[Host]:
    hosts = Host.objects.bulk_create(
        Host(name=f"archive-{place:03}", address=f"archive-{place:03}.lab")
        for place in range(number)
    )
    facts = HostFacts.objects.bulk_create(
        HostFacts(
            host=host, digest=f"{host.pk:064}", facts={"kernel": "6.1.0", "cpu": {"count": 64}}
        )
        for host in hosts
    )
    for host, fact in zip(hosts, facts, strict=True):
        host.facts = fact
    Host.objects.bulk_update(hosts, ["facts"])
    return hosts


def _disk(host: Host, number: int, owner: User) -> Disk:
    model, _made = DiskModel.objects.get_or_create(name="Samsung PM9A3")
    return Disk.objects.create(
        host=host, identity=f"nvme:eui.{host.pk:08}{number:02}", device_path=f"/dev/nvme{number}n1",
        device_type="nvme", model=model, size=SIZE, enrolled_size=SIZE, enrolled_by=owner,
        enrolled_at=timezone.now(), last_seen_at=timezone.now(),
    )  # fmt: skip


def _storage(hosts: Sequence[Host], disks: Sequence[Disk], owner: User) -> list[Model]:
    """Every disk, and after each eighth a directory and a group of three hosts' disks."""
    found: list[Model] = []
    for number, disk in enumerate(disks):
        found.append(disk)
        if number % 8 == 7:
            host = hosts[number // 2]
            found.append(Directory.objects.create(host=host, path="/srv/bench", owner=owner))
            group = TargetGroup.objects.create(name=f"archive group {number}", owner=owner)
            group.disks.set(disks[number - 5 : number + 1 : 2])
            found.append(group)
    return found


def _pools(hosts: Sequence[Host], owner: User) -> list[Pool]:
    pools = []
    for number, host in enumerate(hosts[::8]):
        pools.append(Pool.objects.create(host=host, name=f"bench{number}", owner=owner))
        pools[-1].clients.set(hosts[8 * number + 1 : 8 * number + 3])
    return pools


def _scheduler(name: str) -> Settings:
    return (Setting(kind=QUEUE, name="scheduler", value=name),)


def _plans(owner: User) -> list[TestPlan]:
    spec = PlanSpec(steps=(StepSpec("fio", {"rw": "randrw", "bs": "4k"}),))
    return TestPlan.objects.bulk_create(
        TestPlan(name=f"archive plan {number}", owner=owner, spec=spec) for number in range(PLANS)
    )


def _workloads(tool: str) -> list[Workload]:
    plugin = TOOLS[tool]
    assert plugin.params is not None
    rows: Iterable[Any] = sweep(SORTS[tool].params, plugin.params.fields())
    points = {workload_key(tool, point): point for point in map(plugin.params.from_raw, rows)}
    Workload.objects.bulk_create(
        (
            Workload(key=key, tool=tool, params=point.canonical(), label=point.describe()[:200])
            for key, point in points.items()
        ),
        ignore_conflicts=True,
    )
    return list(Workload.objects.filter(key__in=points).order_by("pk"))
