"""A step is run on the targets of its kind: what fits, what does not, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from apps.plans.domain import target_matching
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.plan import RUN_UNTUNED, StepSpec
from apps.plans.schemas.planned import PlannedPlan, PlannedTuning
from apps.plans.schemas.targets import PlannedHost, PlannedMember, PlannedTarget
from apps.plans.tests.factories import a_directory, a_disk, a_host, a_plan, a_step
from apps.tools.fields import Field, Params, Part
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Command, Procedure
from apps.tools.registry import TOOLS
from apps.tools.targets import PoolPlan, TargetKind, ToolTarget
from apps.tools.workload_naming import joined
from apps.tuning.schemas.settings import Setting
from tests.harness.documents import Changes

PIN = Setting("cpu", "pin_to_hardware_queues", "split")
READ_BY_DD = StepSpec("dd", {"rw": "read", "size": "1M"})
ONE, TWO = a_host(id=1, name="node1"), a_host(id=2, name="node2")


@dataclass(frozen=True)
class LineParams:
    """A made-up network tool's parameters: how long it sends."""

    later: ClassVar[Changes] = {}

    seconds: int = 10

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        return {"seconds": Field("int", "Seconds", "How long.", minimum=1)}

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Params:
        return cls(**{name: int(value) for name, value in raw.items()})

    def canonical(self) -> Changes:
        return {"seconds": self.seconds}

    def parts(self) -> tuple[Part, ...]:
        return (Part("seconds", self.seconds, f"{self.seconds} s"),)

    def describe(self) -> str:
        return joined(self.parts())


class Line(ToolPlugin):
    """A made-up tool of pairs and pools that asks for its own programs at either end."""

    name, label, parser_version = "line", "Line", 1
    params: type[Params] | None = LineParams
    targets: tuple[TargetKind, ...] = ("pair", "pool")
    several = pins = False

    def build_procedure(self, params: Params, target: ToolTarget) -> Procedure:
        self.asked = target
        commands = (
            Command("server", ("lined", "-s"), on="server", listens="tcp:5201"),
            Command("main", ("line", "-c", "{target}"), on="lead"),
        )
        writes = target.kind == "pool"
        return Procedure(commands, 10.0, writes=writes, bytes_written=1000 if writes else None)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    plugin = Line()
    monkeypatch.setattr(target_matching, "TOOLS", {**TOOLS, "line": plugin})
    return plugin


def a_part(host: PlannedHost = ONE, name: str = "sdb", **more: Any) -> PlannedMember:
    values: Changes = {"kind": "disk", "id": 1, "identity": f"wwn:{host.name}:{name}"}
    return PlannedMember(
        **values | {"name": name, "label": f"{host.name}: {name}", "host": host} | more
    )


def a_group(*parts: PlannedMember) -> PlannedTarget:
    host = parts[0].host if parts else PlannedHost(0, "")
    return PlannedTarget("group", 1, "", "fast ones", host, members=parts)


def a_pair(
    client: PlannedHost = ONE, server: PlannedHost = TWO, address: str = "10.0.0.2"
) -> PlannedTarget:
    ends = tuple(
        a_part(host, host.name, kind="pair", identity=address, role=role)
        for host, role in ((client, "client"), (server, "server"))
    )
    label = f"{client.name} → {server.name}"
    return PlannedTarget("pair", 0, address, label, client, members=ends)


def a_pool(*hosts: PlannedHost, make: PoolPlan | None = None) -> PlannedTarget:
    members = tuple(a_part(h, h.name, kind="pool", identity="bench", make=make) for h in hosts)
    return PlannedTarget("pool", 1, "bench", "node1: pool bench", hosts[0], members=members)


def problems_of(plan: PlannedPlan) -> list[str]:
    return [problem.message for problem in preview_of(plan).problems]


def steps_on(plan: PlannedPlan) -> list[tuple[int | None, str]]:
    return [(case.step, case.target.label) for case in preview_of(plan).cases]


def test_each_step_runs_on_the_targets_of_its_kind(line: Line) -> None:
    plan = a_plan(a_step(), StepSpec("line", {}), targets=(a_disk(), a_pair()), repeats=1)
    assert problems_of(plan) == []
    assert steps_on(plan) == [(0, "node01: sdb"), (1, "node1 → node2")]


def test_a_step_and_a_target_without_each_other_are_sentences(line: Line) -> None:
    assert problems_of(a_plan(StepSpec("line", {}))) == [
        "Line needs a pair of hosts or a Ceph pool as its target, and this plan has none.",
        "node01: sdb: no step of this plan uses a disk.",
    ]
    assert problems_of(a_plan(a_step(), StepSpec("line", {}), targets=(a_pair(),)))[0].startswith(
        "fio needs a disk or a directory"
    )


def test_a_group_of_one_host_needs_a_tool_that_takes_several() -> None:
    group = a_group(a_part(name="sdb"), a_part(name="sdc"))
    assert problems_of(a_plan(a_step(rw="randread"), targets=(group,))) == []
    (text,) = problems_of(a_plan(READ_BY_DD, targets=(group,)))
    assert text == "fast ones: dd cannot use several disks of one host at once."


def test_one_disk_of_each_host_is_within_every_tool() -> None:
    group = a_group(a_part(ONE), a_part(TWO))
    plan = a_plan(READ_BY_DD, targets=(group,))
    assert problems_of(plan) == []


def test_an_empty_and_a_mixed_group_are_sentences() -> None:
    mixed = a_group(a_part(), a_part(name="/scratch", kind="directory"))
    assert problems_of(a_plan(targets=(mixed,))) == [
        "fast ones: a group that mixes disks and directories cannot be used at once."
    ]
    assert problems_of(a_plan(targets=(a_group(),))) == [
        "The group fast ones is empty: add disks or directories to it."
    ]


def test_a_host_gets_the_number_and_the_smallest_size_of_its_disks() -> None:
    group = a_group(a_part(ONE, "sdb", size=200), a_part(ONE, "sdc", size=100), a_part(TWO))
    first, second = group.for_tools(pinned=True)
    assert (first.count, first.size, first.pinned) == (2, 100, True)
    assert (second.count, second.size) == (1, None)


def test_what_is_written_is_added_over_hosts_and_disks() -> None:
    one = preview_of(a_plan(a_step(rw="write", size="1G", time_based=False), repeats=1))
    group = a_group(a_part(ONE, "sdb"), a_part(ONE, "sdc"), a_part(TWO, "sdb"))
    three = preview_of(
        a_plan(a_step(rw="write", size="1G", time_based=False), targets=(group,), repeats=1)
    )
    assert one.bytes_written == 1024**3
    assert three.bytes_written == 3 * 1024**3
    assert three.by_target[0][1].bytes_written == 3 * 1024**3
    assert three.writes_disks


def test_every_disk_of_a_group_must_be_enrolled() -> None:
    group = a_group(a_part(ONE), a_part(TWO, enrolled=False))
    (text,) = problems_of(a_plan(a_step(rw="write"), targets=(group,)))
    assert text.startswith("node2: sdb is not enrolled")


def test_every_host_of_a_target_is_checked() -> None:
    off, rootless = a_host(id=3, name="off", enabled=False), a_host(id=4, name="plain", root=False)
    group = a_group(a_part(ONE), a_part(off), a_part(rootless))
    texts = problems_of(a_plan(a_step(rw="randread"), targets=(group,)))
    assert texts == [
        "The host off is switched off in benchlab.",
        "plain: sdb: a disk needs root, and benchlab has no root on plain.",
    ]


def test_networks_and_pools_need_no_root(line: Line) -> None:
    plain = a_host(id=4, name="plain", root=False)
    step = StepSpec("line", {})
    assert problems_of(a_plan(step, targets=(a_pair(plain, TWO), a_pool(plain)))) == []


def test_a_pair_of_one_machine_and_one_without_address(line: Line) -> None:
    again = a_host(id=9, name="again", machine="m1")
    pair = a_pair(a_host(id=1, name="node1", machine="m1"), again)
    (text,) = problems_of(a_plan(StepSpec("line", {}), targets=(pair,)))
    assert "entries of the same machine" in text
    (text,) = problems_of(a_plan(StepSpec("line", {}), targets=(a_pair(address=""),)))
    assert "node2 has no address" in text


def test_programs_are_looked_for_where_they_run(line: Line) -> None:
    tools = {"line": None, "lined": None}
    client, server = (a_host(id=n, name=f"node{n}", tools=tools) for n in (1, 2))
    plan = a_plan(StepSpec("line", {}), targets=(a_pair(client, server),))
    assert [w.message for w in preview_of(plan).warnings] == [
        "The last check of node1 did not find line.",
        "The last check of node2 did not find lined.",
    ]


def test_a_pool_is_written_to_by_each_client(line: Line) -> None:
    make = PoolPlan(pg_num=8)
    plan = a_plan(StepSpec("line", {}), targets=(a_pool(ONE, TWO, make=make),), repeats=1)
    preview = preview_of(plan)
    assert preview.bytes_written == 2000
    assert not preview.writes_disks
    assert line.asked == ToolTarget("pool", "bench", make=make)


def test_pinning_needs_a_tool_that_can_pin() -> None:
    tuning = PlannedTuning(1, "pinned", (PIN,))
    assert problems_of(a_plan(a_step(rw="randread"), tunings=(tuning,))) == []
    step = READ_BY_DD
    (text,) = problems_of(a_plan(step, tunings=(tuning, PlannedTuning(2, "plain"))))
    assert text == "pinned places threads on CPUs, and dd has no option for it."


def test_pinning_and_a_list_of_cpus_exclude_each_other() -> None:
    tuning = PlannedTuning(1, "pinned", (PIN,))
    texts = problems_of(a_plan(a_step(rw="randread", cpus_allowed="0-3"), tunings=(tuning,)))
    assert len(texts) == 1
    assert "leave the list of CPUs empty" in texts[0]


def test_more_pinned_jobs_than_cpus_name_both_numbers() -> None:
    tuning = PlannedTuning(1, "pinned", (PIN,))
    texts = problems_of(a_plan(a_step(rw="randread", numjobs=16), tunings=(tuning,)))
    assert texts == ["16 jobs, but node01 has 8 CPUs."]


def test_settings_of_a_queue_reach_the_disks_below_a_directory() -> None:
    queue = PlannedTuning(1, "fair", (Setting("queue", "scheduler", "bfq"),))
    preview = preview_of(a_plan(targets=(a_directory(),), tunings=(queue,)))
    assert (preview.problems, preview.warnings) == ((), ())


def test_settings_of_a_queue_reach_nothing_of_a_pool(line: Line) -> None:
    queue = PlannedTuning(1, "fair", (Setting("queue", "scheduler", "bfq"),))
    kernel = PlannedTuning(2, "swap", (Setting("sysctl", "vm.swappiness", "1"),))
    pool = a_pool(ONE, TWO)
    text = f"fair cannot be in force on {pool.label}: scheduler = bfq reaches nothing of it. "
    refused = preview_of(a_plan(StepSpec("line", {}), targets=(pool,), tunings=(queue, kernel)))
    assert [p.message for p in refused.problems] == [
        text + "Choose another tuning or target, or run such tests untuned."
    ]
    assert not any(problem.saving for problem in refused.problems)
    plan = a_plan(
        StepSpec("line", {}),
        targets=(pool,),
        tunings=(queue, kernel),
        on_tuning_unavailable=RUN_UNTUNED,
    )
    as_found = preview_of(plan)
    assert as_found.problems == ()
    assert text + "These tests run untuned and are recorded as untuned." in [
        warning.message for warning in as_found.warnings
    ]


def test_a_step_takes_the_kinds_that_its_own_parameters_can_use() -> None:
    """A disk and a pool in one plan: each engine of fio has its own."""
    disk, pool = a_disk(), a_pool(ONE)
    on_disks = StepSpec("fio", {"rw": "randread"})
    on_pools = StepSpec("fio", {"rw": "randread", "ioengine": "rbd"})
    both = a_plan(on_disks, on_pools, targets=(disk, pool))
    assert target_matching.step_targets(both, on_disks) == [disk]
    assert target_matching.step_targets(both, on_pools) == [pool]
    plan = a_plan(on_disks, targets=(disk, pool))
    (problem,) = target_matching.target_problems(plan, [0])
    assert problem.message == f"{pool.label}: no step of this plan uses a Ceph pool."
