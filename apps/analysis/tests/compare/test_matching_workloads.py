"""Workloads that count as the same one, and the properties they can be compared by."""

from __future__ import annotations

from datetime import timedelta

import pytest

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import (
    PARAMS,
    START,
    Setup,
    create_measured_run,
    create_target,
)
from apps.analysis.verdicts.comparison import ComparisonResult, compare_runs
from apps.analysis.verdicts.headlines import summaries
from apps.plans.models import TestPlan

pytestmark = pytest.mark.django_db
DEPTHS = [PARAMS | {"iodepth": depth} for depth in (8, 64)]


def kinds(comparison: ComparisonResult) -> list[str]:
    return [line.kind for line in summaries(comparison)]


def test_across_hosts_and_runs_by_key(owner: User) -> None:
    """Two machines that are alike but for their name, measured at the same time."""
    one, two = create_target(owner, "alpha"), create_target(owner, "beta")
    only = ("Host defaults",)
    runs = [
        create_measured_run(Setup(owner, tunings=only, disk=one, noise=0.005)).pk,
        create_measured_run(
            Setup(owner, tunings=only, disk=two, noise=0.005, gains={"Host defaults": 1.2})
        ).pk,
    ]
    comparison = compare_runs(runs=runs, factor="host")
    assert comparison.levels == ("alpha", "beta")
    assert kinds(comparison) == ["better"]


def test_by_run_with_what_was_measured_in_both(owner: User) -> None:
    disk = create_target(owner)
    first = create_measured_run(Setup(owner, disk=disk, points=DEPTHS))
    later = START + timedelta(days=1)
    second = create_measured_run(
        Setup(owner, disk=disk, start=later, gains={8: 0.8}, points=DEPTHS[:1])
    )
    comparison = compare_runs(runs=[first.pk, second.pk], factor="run")
    assert comparison.levels == (f"Run {first.pk}", f"Run {second.pk}")
    assert [r.group.where.split(" · ")[-1] for r in comparison.results] == [
        "Host defaults",
        "Scheduler none (scheduler none)",
    ]
    assert comparison.alone == 12
    assert all(result.separated for result in comparison.results)


def test_runs_are_ordered_by_number(owner: User) -> None:
    disk = create_target(owner)
    runs = [create_measured_run(Setup(owner, disk=disk, repeats=1)).pk for _ in range(11)]
    levels = compare_runs(runs=runs, factor="run").levels
    assert levels == tuple(f"Run {number}" for number in sorted(runs))


def test_by_a_parameter(owner: User) -> None:
    run = create_measured_run(
        Setup(owner, tunings=("Host defaults",), points=DEPTHS, gains={64: 2.0}, noise=0.005)
    )
    comparison = compare_runs(runs=[run.pk], factor="param:iodepth")
    assert comparison.levels == ("Queue depth 8", "Queue depth 64")
    assert [r.group.label for r in comparison.results] == ["random read 4 KiB, in 1 GiB"]
    assert kinds(comparison) == ["better"]
    assert comparison.choices.params == {"iodepth": "Queue depth"}


def test_nothing_shared(owner: User) -> None:
    runs = [
        create_measured_run(Setup(owner, tunings=("Host defaults",), points=DEPTHS[:1])).pk,
        create_measured_run(Setup(owner, tunings=("Scheduler none",), points=DEPTHS[1:])).pk,
    ]
    comparison = compare_runs(runs=runs)
    assert not comparison.results
    assert comparison.alone == 12


def test_hosts_are_separate_and_can_be_restricted(owner: User) -> None:
    disks = [create_target(owner, name) for name in ("alpha", "beta")]
    runs = [create_measured_run(Setup(owner, disk=disk)).pk for disk in disks]
    assert [r.group.where for r in compare_runs(runs=runs).results] == [
        "alpha · /dev/nvme0n1",
        "beta · /dev/nvme0n1",
    ]
    alone = compare_runs(runs=runs, host=disks[1].host_id)
    assert len(alone.results) == 1
    assert alone.choices.hosts == ((disks[0].host_id, "alpha"), (disks[1].host_id, "beta"))
    assert compare_runs(runs=runs, target=alone.choices.targets[0]).used == 12
    assert compare_runs(runs=runs, tuning="Host defaults").levels == ("Host defaults",)
    assert compare_runs(runs=runs, operation="write").used == 0


def test_all_runs_of_a_plan(owner: User) -> None:
    plan = TestPlan.objects.create(name="plan", owner=owner)
    disk = create_target(owner)
    for _ in range(2):
        create_measured_run(Setup(owner, plan=plan, disk=disk, repeats=2))
    create_measured_run(Setup(owner, disk=disk))
    assert compare_runs(plan=plan.pk).used == 8


def test_equal_labels_become_unique(owner: User) -> None:
    points = [PARAMS, PARAMS | {"runtime": 30, "size": 2**31}]
    run = create_measured_run(Setup(owner, points=points))
    assert [r.group.label for r in compare_runs(runs=[run.pk]).results] == [
        "random read 4 KiB, QD 32, in 1 GiB",
        "random read 4 KiB, QD 32, in 2 GiB",
    ]
