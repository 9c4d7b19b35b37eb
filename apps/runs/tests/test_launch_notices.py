"""What the launch card warns of: approvals, bookings and maintenance windows."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.bookings.tests.factories import create_booking, create_maintenance
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.plans.selectors.plans import plan_data
from apps.runs.models import ApprovalPolicy
from apps.runs.selectors.launch_notices import LaunchNotices, launch_notices, planned_resources
from apps.runs.selectors.resources import resources_of
from apps.runs.services.approvals import approval_policy_save
from apps.runs.tests.approvals import approved, approver, disk, launched, plan, policy
from apps.runs.tests.factories import PARAMS, create_plan

__all__ = ["approver", "disk", "plan", "policy"]

pytestmark = pytest.mark.django_db


def test_launch_notices_without_policy_and_booking_are_empty(plan: TestPlan, owner: User) -> None:
    assert launch_notices(plan, owner) == LaunchNotices()


def test_launch_notices_with_policy_of_the_plan_name_it(
    plan: TestPlan, owner: User, admin: User, approver: User, policy: ApprovalPolicy
) -> None:
    approval_policy_save(user=admin, fields={"name": "wipes", "on_wipe": True})
    approval_policy_save(user=admin, fields={"name": "weeks", "over_hours": 100.0})
    notices = launch_notices(plan, owner)
    assert (notices.policies, notices.may_reuse) == (("long runs",), False)
    approved(launched(plan, owner), approver)
    assert launch_notices(plan, owner).may_reuse


@pytest.mark.parametrize(
    ("fields", "requires"),
    [
        ({"on_wipe": True}, True),
        ({"over_terabytes": 0.0}, True),
        ({"over_terabytes": 100.0}, False),
        ({"on_ceph": True}, False),
        ({"on_wipe": True, "host_tag": "production"}, False),
    ],
)
def test_launch_notices_of_a_writing_plan_follow_the_act_and_scope(
    owner: User, admin: User, disk: Disk, fields: dict[str, object], requires: bool
) -> None:
    writing = create_plan(owner=owner, target=disk, params=PARAMS | {"rw": "randwrite"})
    approval_policy_save(user=admin, fields={"name": "x"} | fields)
    assert bool(launch_notices(writing, owner).policies) == requires


def test_planned_resources_equal_those_of_the_run(plan: TestPlan, owner: User) -> None:
    run = launched(plan, owner)
    assert sorted(planned_resources(plan_data(plan))) == resources_of(run)


def test_launch_notices_name_bookings_of_others_within_the_expected_time(
    plan: TestPlan, owner: User, stranger: User, admin: User, disk: Disk
) -> None:
    create_booking(stranger, disk.host, start=0, end=1)
    create_maintenance(admin, disk.host, start=5, end=6)
    (one,) = launch_notices(plan, owner).closures
    assert (one.what, one.closure.holder, one.has_begun) == (disk.host.name, "stranger", True)
    assert not launch_notices(plan, stranger)


def test_plan_page_fetches_the_notices_for_operators_only(
    plan: TestPlan,
    stranger: User,
    disk: Disk,
    policy: ApprovalPolicy,
    owner_client: Client,
    viewer_client: Client,
) -> None:
    create_booking(stranger, disk.host)
    page, part = (reverse(name, args=[plan.pk]) for name in ("plan_detail", "run_launch_notices"))
    assert part in owner_client.get(page).content.decode()
    assert part not in viewer_client.get(page).content.decode()
    html = owner_client.get(part).content.decode()
    assert "long runs" in html
    assert "stranger has booked" in html
    assert viewer_client.get(part).status_code == 403
