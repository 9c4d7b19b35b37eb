"""A paused run keeps its approval while the rest of its effects is part of the approved ones."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from apps.accounts.models import User
from apps.bookings.tests.factories import create_booking
from apps.inventory.models import Disk
from apps.runs.domain.remaining_effects import is_part_of
from apps.runs.models import ApprovalPolicy, Case, CaseState, Run
from apps.runs.presenters.approvals import approval_values
from apps.runs.schemas import (
    CaseCount,
    Effects,
    MemberEffect,
    TargetEffect,
    TuningEffect,
    WorkloadEffect,
)
from apps.runs.selectors.effects import run_effects
from apps.runs.services.approvals import approval_decide
from apps.runs.services.leases import run_try_start
from apps.runs.services.pauses import run_pause
from apps.runs.services.runs import run_launch
from apps.runs.tests.approvals import approver, digest_of, disk, policy, starts
from apps.runs.tests.factories import create_plan

__all__ = ["approver", "disk", "policy"]

MEMBER = MemberEffect("1 h:22", "disk", "client", "wwn-1", 10, content="0a")
TARGET = TargetEffect("disk", "", (MEMBER,))
TUNING = TuningEffect((), 0.0)
APPROVED = Effects(
    workloads=(WorkloadEffect("fio", '{"rw":"read"}'), WorkloadEffect("fio", '{"rw":"write"}')),
    targets=(TARGET,),
    tunings=(TUNING,),
    cases=5,
    counts=(CaseCount(0, 0, 0, 3), CaseCount(1, 0, 0, 2)),
    repeats=3,
    order="a",
    further="{}",
    bytes_written=100,
    wipe=True,
)


def changed(**fields: Any) -> Effects:
    return msgspec.structs.replace(APPROVED, **fields)


def member(**fields: Any) -> tuple[TargetEffect, ...]:
    return (TargetEffect("disk", "", (msgspec.structs.replace(MEMBER, **fields),)),)


@pytest.mark.parametrize(
    "rest",
    [
        APPROVED,
        changed(wipe=False, order="b", repeats=2),
        changed(cases=4, counts=(CaseCount(0, 0, 0, 2), CaseCount(1, 0, 0, 2)), bytes_written=99),
        changed(workloads=APPROVED.workloads[1:], counts=(CaseCount(0, 0, 0, 2),)),
        changed(targets=member(content="test")),
    ],
)
def test_rest_of_approved_effects_is_part_of_them(rest: Effects) -> None:
    assert is_part_of(rest, APPROVED)


@pytest.mark.parametrize(
    "rest",
    [
        changed(counts=(CaseCount(0, 0, 0, 4), CaseCount(1, 0, 0, 2))),
        changed(counts=(CaseCount(0, 0, 0, 1), CaseCount(1, 0, 0, 3))),
        changed(bytes_written=101),
        changed(bytes_written=None),
        changed(further='{"blocks":[1]}'),
        changed(workloads=(WorkloadEffect("fio", '{"rw":"trim"}'), APPROVED.workloads[1])),
        changed(targets=member(content="0b")),
        changed(targets=member(host="1 other:22")),
        changed(targets=member(identity="wwn-2")),
        changed(tunings=(TuningEffect((), 1.0),)),
        changed(tunings=(TuningEffect((("queue", "scheduler", "none", "", ""),), 0.0),)),
    ],
)
def test_anything_more_is_not_part_of_approved_effects(rest: Effects) -> None:
    assert not is_part_of(rest, APPROVED)


def test_permission_to_wipe_needs_its_own_approval() -> None:
    assert not is_part_of(APPROVED, changed(wipe=False))


def test_load_search_may_go_on_with_another_value_of_its_parameter_alone() -> None:
    def searched(params: str) -> Effects:
        workload = WorkloadEffect("fio", params)
        rule = '{"load_search":["iodepth",1]}'
        return changed(workloads=(workload,), counts=(CaseCount(0, 0, 0, 2),), further=rule)

    before = searched('{"iodepth":1,"rw":"read"}')
    assert is_part_of(searched('{"iodepth":7,"rw":"read"}'), before)
    assert not is_part_of(searched('{"iodepth":7,"rw":"write"}'), before)


@pytest.mark.django_db
def test_booking_that_pauses_a_run_leaves_its_approval(
    owner: User, stranger: User, approver: User, policy: ApprovalPolicy, disk: Disk
) -> None:
    plan = create_plan(owner=owner, target=disk, repeats=3)
    run = run_launch(plan=plan, user=owner, confirm_wipe=True)
    row = approval_decide(run=run, user=approver, digest=digest_of(run), approve=True)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    run.cases.filter(sequence=0).update(state=CaseState.SUCCEEDED)
    booking = create_booking(stranger, disk.host)
    assert run_pause(run_id=run.pk, fence=fence, reason="because")
    booking.delete()
    run.refresh_from_db()
    assert digest_of(run) != row.digest
    values = approval_values(run)
    assert (values["state"], values["effects"].cases, values["effects"].wipe) == (
        *("approved", 2),
        False,
    )
    assert starts(run)
    assert run.approvals.get().state == "approved"


@pytest.mark.django_db
def test_paused_run_with_more_cases_needs_another_approval(
    owner: User, approver: User, policy: ApprovalPolicy, disk: Disk
) -> None:
    run = run_launch(plan=create_plan(owner=owner, target=disk, repeats=2), user=owner)
    approval_decide(run=run, user=approver, digest=digest_of(run), approve=True)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    assert run_pause(run_id=run.pk, fence=fence, reason="because")
    first = run.cases.all()[0]
    Case.objects.create(
        run=run, sequence=9, repeat=3, workload=first.workload, run_target=first.run_target,
        run_tuning=first.run_tuning,
    )  # fmt: skip
    run = Run.objects.get(pk=run.pk)
    assert run_effects(run).effects.counts[0].count == 3
    assert not starts(run)
    assert [one.state for one in run.approvals.order_by("pk")] == ["void", "waiting"]
