"""Approvals are bound to the effects of a run, and given by somebody without a part in it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from apps.accounts.models import AuditEntry, Role, Team, User
from apps.accounts.tests.factories import create_user
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.inventory.services.groups import GroupDraft, group_save
from apps.inventory.tests.factories import create_group
from apps.plans.models import TestPlan
from apps.runs.models import ApprovalPolicy, Run, RunApproval, RunState
from apps.runs.selectors.queue import queue_level
from apps.runs.services.approvals import (
    approval_policy_delete,
    approval_policy_save,
)
from apps.runs.services.runs import run_cancel, run_finish, run_retry
from apps.runs.tests.approvals import (
    approved,
    approver,
    disk,
    launched,
    plan,
    policy,
    starts,
)
from apps.runs.tests.factories import create_disk, create_host, create_plan

__all__ = ["approver", "disk", "plan", "policy"]

pytestmark = pytest.mark.django_db


def test_run_without_policy_starts(plan: TestPlan, owner: User) -> None:
    assert starts(launched(plan, owner))
    assert not RunApproval.objects.exists()


def test_run_waits_until_it_is_approved(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    assert not starts(run)
    assert (run.state, run.reason) == ("queued", "waits for an approval: long runs")
    assert not starts(run)
    assert RunApproval.objects.get().state == "waiting"
    row = approved(run, approver, note=" fine ")
    run.refresh_from_db()
    assert run.reason == ""
    assert (row.state, row.decided_by, row.note) == ("approved", approver, "fine")
    assert starts(run)
    assert run.reason == ""
    entry = AuditEntry.objects.get(action="approve")
    assert (entry.user, entry.detail["digest"]) == (approver, row.digest)


def test_refused_run_is_cancelled(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    approved(run, approver, approve=False)
    run.refresh_from_db()
    assert (run.state, run.reason) == ("cancelled", "refused by approver")
    with pytest.raises(ServiceError, match="waits for no approval"):
        approved(run, approver)


def test_reason_of_refused_run_has_the_note(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    approved(run, approver, approve=False, note="n" * 2000)
    run.refresh_from_db()
    assert run.reason == "refused by approver: " + "n" * 300


def test_waiting_run_does_not_hold_up_others(
    plan: TestPlan, owner: User, admin: User, disk: Disk
) -> None:
    team = Team.objects.create(name="storage")
    approval_policy_save(user=admin, fields={"name": "x", "team": team, "over_hours": 0})
    TestPlan.objects.filter(pk=plan.pk).update(team=team)
    plan.refresh_from_db()
    first = launched(plan, owner)
    TestPlan.objects.filter(pk=plan.pk).update(team=None)
    plan.refresh_from_db()
    second = launched(plan, owner)
    assert not starts(first)
    assert starts(second)


def test_approved_effects_that_change_before_the_start_are_void(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy, disk: Disk
) -> None:
    run = launched(plan, owner)
    approved(run, approver)
    changed = {"version": 1, "size": 5, "blocks": "0" * 8, "written": False, "discarded": False}
    Disk.objects.filter(pk=disk.pk).update(fingerprint=changed | {"backing": None})
    assert not starts(run)
    assert [row.state for row in run.approvals.order_by("pk")] == ["void", "waiting"]
    old = run.approvals.order_by("pk")[0].digest
    with pytest.raises(ServiceError, match="effects of the run changed"):
        approved(run, approver, digest=old)
    approved(run, approver)
    assert starts(run)


def test_equal_relaunch_within_a_week_needs_no_other_approval(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    first = launched(plan, owner)
    approved(first, approver)
    assert starts(first)
    run_finish(first, RunState.SUCCEEDED, "")
    again = launched(plan, owner)
    assert starts(again)
    row = again.approvals.get()
    assert (row.state, row.decided_by, row.reused) == ("approved", approver, first.approvals.get())
    run_finish(again, RunState.SUCCEEDED, "")
    by_approver = launched(plan, approver)
    assert not starts(by_approver)
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert not starts(launched(plan, owner))


def test_retry_long_after_the_approval_needs_another_one(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    approved(run, approver)
    assert starts(run)
    run_finish(run, RunState.FAILED, "")
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        run_retry(run=run, user=owner)
        assert not starts(run)
        assert [row.state for row in run.approvals.order_by("pk")] == ["void", "waiting"]


@pytest.mark.parametrize("name", ["viewer", "operator", "owner"])
def test_who_may_not_approve(
    plan: TestPlan, owner: User, policy: ApprovalPolicy, name: str, request: Any
) -> None:
    user = request.getfixturevalue(name)
    run = launched(plan, owner)
    with pytest.raises(PermissionDenied):
        approved(run, user)
    entry = AuditEntry.objects.get(action="attempt approval")
    assert (entry.user, entry.object_id) == (user, str(run.pk))
    assert not starts(run)


def test_admin_who_launched_does_not_approve(
    plan: TestPlan, admin: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, admin)
    with pytest.raises(PermissionDenied, match="Somebody else"):
        approved(run, admin)
    approved(run, approver)


def test_whoever_changed_the_plan_since_the_last_approval_does_not_approve(
    plan: TestPlan, owner: User, admin: User, approver: User, policy: ApprovalPolicy
) -> None:
    AuditEntry.objects.create(
        user=admin, username="admin", action="change", object_type="testplan", object_id=plan.pk
    )
    run = launched(plan, owner)
    with pytest.raises(PermissionDenied, match="changed the plan"):
        approved(run, admin)
    approved(run, approver)
    run_finish(run, RunState.CANCELLED, "")
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        approved(launched(plan, owner), admin)


def test_whoever_changed_the_group_since_the_last_approval_does_not_approve(
    owner: User, approver: User, policy: ApprovalPolicy
) -> None:
    host = create_host()
    disks = [create_disk(host=host, owner=owner) for _number in range(3)]
    team = Team.objects.create(name="storage")
    approver.teams.add(team)
    group = create_group(owner=owner, disks=disks[:2])
    group.team = team
    group.save()
    plan = create_plan(owner=owner, target=disks[2])
    plan.targets.update(target_id=group.pk)
    group_save(user=approver, group=group, draft=GroupDraft(group.name, disks, team))
    run = launched(plan, owner)
    with pytest.raises(PermissionDenied, match="changed a group"):
        approved(run, approver)
    approved(run, create_user(role=Role.DISK_OWNER, username="another"))


def test_approval_of_a_run_before_a_change_of_the_plan_does_not_cover_the_change(
    plan: TestPlan, owner: User, admin: User, approver: User, policy: ApprovalPolicy
) -> None:
    earlier = launched(plan, owner)
    assert not starts(earlier)
    AuditEntry.objects.create(
        user=admin, username="admin", action="change", object_type="testplan", object_id=plan.pk
    )
    run = launched(plan, owner)
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        approved(earlier, approver)
        with pytest.raises(PermissionDenied, match="changed the plan"):
            approved(run, admin)


def test_request_of_a_run_that_no_policy_includes_any_more_is_void(
    plan: TestPlan, disk: Disk, owner: User, admin: User
) -> None:
    host = disk.host
    host.tags = ["prod"]
    host.save()
    fields = {"name": "production", "over_hours": 0.0, "host_tag": "prod"}
    approval_policy_save(user=admin, fields=fields)
    run = launched(plan, owner)
    assert not starts(run)
    host.tags = []
    host.save()
    assert starts(run)
    assert RunApproval.objects.get().state == "void"


def test_run_of_a_member_without_a_team_needs_the_approval_of_the_team(
    plan: TestPlan, owner: User, admin: User
) -> None:
    team = Team.objects.create(name="storage")
    owner.teams.add(team)
    approval_policy_save(user=admin, fields={"name": "x", "team": team, "over_hours": 0.0})
    assert not starts(launched(plan, owner))


def test_whoever_retried_the_run_does_not_approve(
    plan: TestPlan, owner: User, admin: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    run_cancel(run=run, user=owner)
    run.refresh_from_db()
    run_retry(run=run, user=admin)
    run.refresh_from_db()
    with pytest.raises(PermissionDenied, match="launched or changed"):
        approved(run, admin)


def level_of(run: Run) -> int:
    """Return the level of a queued run."""
    runs = Run.objects.annotate(level=queue_level(timezone.now()))
    return int(runs.values_list("level", flat=True).get(pk=run.pk))


@pytest.mark.parametrize("way", ["approve", "policy"])
def test_waiting_for_an_approval_is_no_waiting_for_a_host(
    plan: TestPlan, owner: User, admin: User, approver: User, policy: ApprovalPolicy, way: str
) -> None:
    run = launched(plan, owner)
    Run.objects.filter(pk=run.pk).update(forecast_start_at=timezone.now())
    hours = timezone.now() - timedelta(hours=25)
    Run.objects.filter(pk=run.pk).update(waiting_since=hours)
    assert not starts(run)
    assert run.forecast_start_at is None
    before = run.priority + 1
    assert level_of(run) == before
    with time_machine.travel(timezone.now() + timedelta(hours=48)):
        assert level_of(run) == before
        if way == "approve":
            approved(run, approver)
        else:
            approval_policy_delete(user=admin, policy=policy)
        assert level_of(run) == before
        run.refresh_from_db()
        assert timezone.now() - run.waiting_since < timedelta(hours=26)
        with time_machine.travel(timezone.now() + timedelta(hours=24)):
            assert level_of(run) == before + 1


def test_old_request_of_a_cancelled_run_takes_nothing_from_its_retry(
    plan: TestPlan, owner: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    assert not starts(run)
    run_cancel(run=run, user=owner)
    with time_machine.travel(timezone.now() + timedelta(hours=48)):
        run.refresh_from_db()
        run_retry(run=run, user=owner)
        assert level_of(run) == run.priority
