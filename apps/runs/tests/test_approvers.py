"""Nobody approves own work: not by way of a copy, a retry, a token or somebody else's launch."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from rest_framework.test import APIClient

from apps.accounts.models import Role, User
from apps.accounts.services import token_create
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.plans.selectors.plans import plan_draft
from apps.plans.services.plans import plan_clone, plan_update
from apps.runs.models import ApprovalPolicy, Run, RunState
from apps.runs.presenters.approvals import approval_values
from apps.runs.services.annotations import run_annotate
from apps.runs.services.runs import run_finish, run_retry
from apps.runs.tests.approvals import (
    approved,
    approver,
    disk,
    launched,
    plan,
    policy,
    starts,
)
from apps.runs.tests.factories import create_plan
from apps.tuning.services import TuningDraft, tuning_clone, tuning_create

__all__ = ["approver", "disk", "plan", "policy"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(approver: User) -> User:
    """An admin, who may change the plans of others."""
    approver.role = Role.ADMIN
    approver.save()
    return approver


def refuses(run: Run, user: User) -> None:
    with pytest.raises(PermissionDenied, match="Somebody else"):
        approved(run, user)


@pytest.mark.parametrize("copies", [1, 3])
def test_author_of_a_copied_plan_does_not_approve(
    plan: TestPlan, owner: User, admin: User, author: User, policy: ApprovalPolicy, copies: int
) -> None:
    plan_update(plan=plan, user=author, draft=plan_draft(plan))
    copy = plan
    for _time in range(copies):
        copy = plan_clone(plan=copy, user=owner)
    run = launched(copy, owner)
    refuses(run, author)
    approved(run, admin)


def test_change_of_a_plan_after_its_copy_is_no_part_in_the_copy(
    plan: TestPlan, owner: User, author: User, policy: ApprovalPolicy
) -> None:
    copy = plan_clone(plan=plan, user=owner)
    plan_update(plan=plan, user=author, draft=plan_draft(plan))
    approved(launched(copy, owner), author)


def test_author_of_a_copied_tuning_does_not_approve(
    owner: User, approver: User, admin: User, policy: ApprovalPolicy, disk: Disk
) -> None:
    theirs = tuning_create(user=approver, draft=TuningDraft("x"))
    mine = tuning_clone(tuning=theirs, user=owner)
    run = launched(create_plan(owner=owner, target=disk, tunings=(mine,)), owner)
    refuses(run, approver)
    approved(run, admin)


def test_retry_by_the_approver_needs_another_approval(
    plan: TestPlan, owner: User, admin: User, approver: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    approved(run, admin)
    assert starts(run)
    run_finish(run, RunState.FAILED, "")
    run_retry(run=run, user=admin)
    run.refresh_from_db()
    assert approval_values(run)["state"] == "waiting"
    assert not starts(run)
    assert [row.state for row in run.approvals.order_by("pk")] == ["void", "waiting"]
    refuses(run, admin)
    approved(run, approver)
    assert starts(run)


def test_relaunch_and_copy_by_the_approver_need_another_approval(
    plan: TestPlan, owner: User, admin: User, policy: ApprovalPolicy
) -> None:
    first = launched(plan, owner)
    approved(first, admin)
    assert starts(first)
    run_finish(first, RunState.SUCCEEDED, "")
    for again in (plan, plan_clone(plan=plan, user=admin)):
        run = launched(again, admin)
        assert not starts(run)
        refuses(run, admin)
        run_finish(run, RunState.CANCELLED, "")


def test_note_of_the_approver_is_no_part_in_the_run(
    plan: TestPlan, owner: User, approver: User, admin: User, policy: ApprovalPolicy
) -> None:
    run = launched(plan, owner)
    run_annotate(run=run, user=admin, note="The host is free.", tags=["night"])
    approved(run, admin)
    assert starts(run)


def test_change_by_an_api_token_is_a_change_of_its_user(
    plan: TestPlan,
    owner: User,
    author: User,
    policy: ApprovalPolicy,
) -> None:
    _token, text = token_create(user=author, name="script")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    address = f"/api/v1/plans/{plan.pk}/"
    changed = client.patch(address, {"description": "by a script"}, format="json")
    assert changed.status_code == 200, changed.content
    run = launched(plan, owner)
    refuses(run, author)
