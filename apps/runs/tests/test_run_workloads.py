"""A run offers its curves where a parameter varies while all else is equal."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.runs.models import Run
from apps.runs.presenters.workloads import labels_of, run_workloads, swept
from apps.runs.tests.factories import create_case
from apps.tools.values import Parameters


def run_with(owner: User, *points: Parameters) -> Run:
    run = Run.objects.create(name="run", owner=owner)
    host = Host.objects.create(name="node1", kind=Host.Kind.LOCAL)
    for position, params in enumerate(points):
        workload = Workload.objects.create(key=str(position), tool="fio", params=params, label="x")
        create_case(run, workload, host)
    return run


@pytest.mark.parametrize(
    ("points", "names"),
    [
        ([{"rw": "read", "iodepth": 1}, {"rw": "read", "iodepth": 8}], {"iodepth"}),
        ([{"rw": "read", "bs": 4096}, {"rw": "write", "bs": 4194304}], set()),
        ([{"bs": 1, "iodepth": 1}, {"bs": 2, "iodepth": 1}, {"bs": 2, "iodepth": 2}],
         {"bs", "iodepth"}),
        ([{"direct": True}, {"direct": False}], set()),
        ([{"iodepth": 1}], set()),
    ],
)  # fmt: skip
def test_what_is_swept(owner: User, points: list[Parameters], names: set[str]) -> None:
    assert swept(run_workloads(run_with(owner, *points))) == names


def test_a_label_follows_what_else_is_measured_and_what_is_stored(owner: User) -> None:
    """Labels that are kept are never said of other workloads, nor of the same ones changed."""
    run = run_with(owner, {"rw": "read", "bs": 4096}, {"rw": "read", "bs": 8192})
    first, second = (labels_of(run_workloads(Run.objects.get(pk=run.pk))) for _ in range(2))
    assert first == second
    Workload.objects.filter(key="1").update(params={"rw": "read", "bs": 16384})
    changed = labels_of(run_workloads(Run.objects.get(pk=run.pk)))
    assert changed != first
    assert [new == old for new, old in zip(changed.values(), first.values(), strict=True)] == [
        True,
        False,
    ]
