"""A plan with a disturbance is refused where the cluster, the OSD or the load does not fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.plans.domain.disturbance_checks import load_of
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.disturbance import Disturbance
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.planned import PlannedPlan, Preview
from apps.plans.schemas.steady_state import SteadyStateRule
from apps.plans.schemas.targets import (
    FailingDisk,
    PlannedCluster,
    PlannedHost,
    PlannedMember,
    PlannedOsdHost,
    PlannedTarget,
)
from apps.plans.tests.factories import a_disk
from apps.tools.targets import PoolPlan

HOST = PlannedHost(1, "node1")
CLUSTER = PlannedCluster("5a10368a-fb6c-40b0-9456-dccb03cde605", frozenset({0, 1, 3}), True)
MEMBER = PlannedMember("pool", 1, "rbd", "node1", "rbd", HOST)
POOL = PlannedTarget(
    "pool", 1, "rbd", "rbd", HOST, members=(MEMBER,), cluster=CLUSTER,
    osd_hosts=(PlannedOsdHost(PlannedHost(2, "node2"), "osds:0,3"),),
)  # fmt: skip
OUT = Disturbance("osd_out", osd=3)
STOP = Disturbance("osd_stop", osd=3)
RADOS = StepSpec("rados", {"operations": "write", "bs": "16k", "seconds": 600})


def preview(
    wanted: Disturbance = OUT, *, target: PlannedTarget = POOL, step: StepSpec = RADOS, **spec: Any
) -> Preview:
    plan = PlanSpec(steps=(step,), repeats=4, disturbance=wanted, **spec)
    return preview_of(PlannedPlan(plan, (target,)))


def problems(*words: Any, **named: Any) -> str:
    return " ".join(problem.message for problem in preview(*words, **named).problems)


def test_disturbance_that_fits() -> None:
    assert problems() == ""
    assert problems(Disturbance("deep_scrub")) == ""
    assert problems(STOP, target=replace(POOL, observed=True)) == ""


@pytest.mark.parametrize(
    ("wanted", "changes", "word"),
    [
        (OUT, {"cluster": None}, "not known"),
        (OUT, {"cluster": replace(CLUSTER, may_be_disturbed=False)}, "allow disturbances"),
        (Disturbance("osd_out", osd=2), {}, "no OSD 2"),
        (OUT, {"members": (replace(MEMBER, make=PoolPlan(pg_num=8)),)}, "made for each test"),
        (STOP, {}, "takes part on no host"),
        (Disturbance("osd_stop", osd=1), {"observed": True}, "takes part on no host"),
    ],
)
def test_cluster_that_may_not_be_disturbed(
    wanted: Disturbance, changes: dict[str, Any], word: str
) -> None:
    assert word in problems(wanted, target=replace(POOL, **changes))


def test_disturbance_needs_a_pool_and_repeats() -> None:
    fio = StepSpec("fio", {"rw": "randread", "bs": "4k", "size": "1G", "runtime": 900})
    assert "one pool" in problems(target=a_disk(), step=fio)
    assert "rounds" in problems(steady_state=SteadyStateRule(max_rounds=5))


def test_load_must_last_longer_than_the_disturbance() -> None:
    short = StepSpec("rados", {"operations": "write", "bs": "16k", "seconds": 120})
    assert "needs 180 s" in problems(step=short)
    tight = StepSpec("rados", {"operations": "write", "bs": "16k", "seconds": 200})
    warnings = [problem.message for problem in preview(step=tight).warnings]
    assert any("20 s for the recovery" in text for text in warnings)


def test_last_operation_is_the_load() -> None:
    three = StepSpec("rados", {"bs": "16k", "seconds": 600})
    (first, *_rest) = preview(step=three).cases
    load = load_of(first)
    assert load is not None
    assert load.role == "rand"


def test_disturbed_workload_is_another_one() -> None:
    disturbed, plain = preview().cases[0], preview(Disturbance()).cases[0]
    assert disturbed.workload_key != plain.workload_key
    assert disturbed.params["disturbance"] == OUT.text
    assert OUT.text in disturbed.label
    assert "disturbance" not in plain.params
    assert preview(Disturbance("osd_out", osd=1)).cases[0].workload_key != disturbed.workload_key


DISK = FailingDisk("node1: sdc", 1, enrolled=True, arrays=("md0",))
MD = Disturbance("md_fail", member="serial:SSD:77")
FIO = StepSpec("fio", {"rw": "randread", "bs": "4k", "size": "1G", "runtime": 900})


def md_problems(
    disk: FailingDisk | None = DISK,
    wanted: Disturbance = MD,
    target: PlannedTarget | None = None,
    step: StepSpec = FIO,
) -> str:
    spec = PlanSpec(steps=(step,), repeats=4, disturbance=wanted)
    found = preview_of(PlannedPlan(spec, (target or a_disk(),), failing=disk))
    return " ".join(problem.message for problem in found.problems)


@pytest.mark.parametrize(
    ("disk", "wanted", "target", "word"),
    [
        (None, MD, None, "has no disk"),
        (replace(DISK, enrolled=False), MD, None, "is not enrolled"),
        (replace(DISK, arrays=()), MD, None, "in no md array"),
        (DISK, Disturbance("md_fail"), None, "Write the identity"),
        (DISK, MD, POOL, "one md array"),
        (DISK, Disturbance("md_fail", member=a_disk().identity), None, "the target itself"),
    ],
)
def test_disk_that_may_not_fail(
    disk: FailingDisk | None, wanted: Disturbance, target: PlannedTarget | None, word: str
) -> None:
    assert word in md_problems(disk, wanted, target)


def test_disk_of_an_array_that_fails() -> None:
    assert md_problems() == ""
    assert len(MD.text) < 200


def test_files_are_not_laid_out_in_the_load() -> None:
    folder = PlannedTarget("directory", 1, "/mnt/array", "node1: /mnt/array", HOST)
    assert "lays out" in md_problems(target=folder)
    assert md_problems(target=folder, step=replace_step(rw="randwrite")) == ""


def replace_step(**params: Any) -> StepSpec:
    return StepSpec("fio", {**FIO.params, **params})
