"""Approvals and policies on pages and in the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, Team, User
from apps.accounts.tests.factories import create_team
from apps.inventory.models import Disk, Host
from apps.plans.models import TestPlan
from apps.plans.selectors.workload_names import workload_name
from apps.runs.models import ApprovalPolicy, Run, RunState
from apps.runs.selectors.effects import run_effects
from apps.runs.services.approvals import (
    approval_policy_delete,
    approval_policy_save,
)
from apps.runs.services.runs import run_finish
from apps.runs.tests.approvals import (
    approved,
    approver,
    digest_of,
    disk,
    launched,
    plan,
    policy,
    starts,
)
from apps.runs.tests.factories import create_plan

__all__ = ["approver", "disk", "plan", "policy"]

Api = Callable[[User | None], APIClient]
pytestmark = pytest.mark.django_db


def test_policies_ask_by_act_and_scope(plan: TestPlan, owner: User, admin: User) -> None:
    run = launched(plan, owner)

    def asks(**fields: Any) -> bool:
        row = approval_policy_save(user=admin, fields={"name": "x"} | fields)
        waits = not starts(run)
        approval_policy_delete(user=admin, policy=row)
        if not waits:
            run_finish(run, RunState.CANCELLED, "")
            Run.objects.filter(pk=run.pk).update(state="queued", finished_at=None, started_at=None)
        return waits

    effects = run_effects(run)
    assert (effects.writes_disks, effects.effects.bytes_written, effects.sets_ceph) == (
        False,
        0,
        False,
    )
    assert not asks(on_wipe=True)
    assert not asks(on_ceph=True)
    assert not asks(over_terabytes=0.0)
    assert not asks(over_hours=1.0)
    assert asks(over_hours=0.0)
    assert not asks(over_hours=0.0, enabled=False)
    assert not asks(over_hours=0.0, host_tag="production")
    assert not asks(over_hours=0.0, team=Team.objects.create(name="other"))
    Host.objects.update(tags=["production"])
    assert asks(over_hours=0.0, host_tag="production")


def test_writing_is_an_act(owner: User, disk: Disk, admin: User) -> None:
    plan = create_plan(owner=owner, target=disk)
    run = launched(plan, owner)
    workload = run.cases.all()[0].workload
    type(workload).objects.filter(pk=workload.pk).update(
        params=workload.params | {"rw": "randwrite"}
    )
    effects = run_effects(Run.objects.get(pk=run.pk))
    assert effects.writes_disks
    assert effects.bytes_limit > 0


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, "on_wipe"), ({"over_hours": -1}, "over_hours"), ({"over_hours": "x"}, "over_hours"),
        ({"over_terabytes": 1e12}, "over_terabytes"), ({"team": 99, "on_wipe": True}, "team"),
        ({"host_tag": "a b", "on_wipe": True}, "host_tag"), ({"name": "", "on_wipe": True}, "name"),
    ],
)  # fmt: skip
def test_bad_policies_are_refused(
    admin: User, api: Api, fields: dict[str, Any], wrong: str
) -> None:
    body = {"name": "x"} | fields
    answer = api(admin).post("/api/v1/approval-policies/", body, format="json")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["error"]["fields"]) == [wrong]


def test_api_wants_the_digest_that_was_read(
    plan: TestPlan, owner: User, approver: User, policy: ApprovalPolicy, api: Api
) -> None:
    run = launched(plan, owner)
    address = f"/api/v1/runs/{run.pk}/approval/"
    read = api(approver).get(address).json()
    assert (read["state"], read["policies"]) == ("waiting", ["long runs"])
    assert read["effects"]["cases"] == run.case_count
    body = {"digest": "0" * 64, "approve": True}
    assert api(approver).post(address, body, format="json").status_code == 409
    for bad in ({"approve": True}, {"digest": "x", "approve": True}, {"digest": read["digest"]}):
        assert api(approver).post(address, bad, format="json").status_code == 400
    body = {"digest": read["digest"], "approve": True}
    assert api(owner).post(address, body, format="json").status_code == 403
    assert api(None).post(address, body, format="json").status_code == 401
    done = api(approver).post(address, body, format="json")
    assert (done.status_code, done.json()["state"]) == (200, "approved")
    assert api(approver).post(address, body, format="json").status_code == 409
    assert AuditEntry.objects.filter(action="attempt approval").count() == 3


def test_two_users_in_the_browser(
    plan: TestPlan,
    owner: User,
    approver: User,
    policy: ApprovalPolicy,
    owner_client: Client,
    page_client: Callable[[User], Client],
) -> None:
    run = launched(plan, owner)
    starts(run)
    page = reverse("run_approval", args=[run.pk])
    second = page_client(approver)
    assert page in owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert page in second.get(reverse("approval_list")).content.decode()
    own = owner_client.get(page).content.decode()
    assert "Somebody else approves it" in own
    assert 'value="approve"' not in own
    html = second.get(page).content.decode()
    digest = digest_of(run)
    assert f'name="digest" value="{digest}"' in html
    data = {"digest": digest, "decision": "approve", "note": "ok"}
    assert owner_client.post(page, data).status_code == 403
    assert second.post(page, data | {"digest": "z"}).status_code == 400
    stale = second.post(page, data | {"digest": "0" * 64}, follow=True).content.decode()
    assert "effects of the run changed" in stale
    assert second.post(page, data).status_code == 302
    assert starts(run)
    assert "approver" in second.get(page).content.decode()


@pytest.mark.parametrize("name", ["run_list", "queue", "calendar", "booking_list"])
def test_pages_of_the_queue_link_to_approvals(viewer_client: Client, name: str) -> None:
    page = viewer_client.get(reverse(name)).content.decode()
    assert f'<a class="nav-link" href="{reverse("approval_list")}"' in page


@pytest.mark.parametrize(("role", "count"), [("viewer", 0), ("admin", 1)])
def test_tab_of_policies_is_for_admins(
    request: pytest.FixtureRequest, role: str, count: int
) -> None:
    client = request.getfixturevalue(f"{role}_client")
    page = client.get(reverse("approval_list")).content.decode()
    assert page.count(f'<a class="nav-link" href="{reverse("approval_policy_list")}"') == count


def test_page_names_the_tests_of_the_run(
    plan: TestPlan,
    owner: User,
    approver: User,
    policy: ApprovalPolicy,
    page_client: Callable[[User], Client],
) -> None:
    run = launched(plan, owner)
    html = page_client(approver).get(reverse("run_approval", args=[run.pk])).content.decode()
    workload = run.cases.select_related("workload").order_by("sequence")[0].workload
    assert workload_name(workload) in html


def test_page_shows_differences_from_the_last_approved_run(
    plan: TestPlan,
    owner: User,
    approver: User,
    policy: ApprovalPolicy,
    page_client: Callable[[User], Client],
) -> None:
    first = launched(plan, owner)
    approved(first, approver)
    second = launched(plan, owner)
    second.targets.get().members.update(identity="wwn-0xother")
    html = page_client(approver).get(reverse("run_approval", args=[second.pk])).content.decode()
    assert f"Differences from run {first.pk}" in html
    assert "Target: + disk wwn-0xother" in html


def test_policies_are_managed_on_pages(admin_client: Client, policy: ApprovalPolicy) -> None:
    form = {"name": "wipes", "enabled": "on", "on_wipe": "on", "over_terabytes": "2.5"}
    assert admin_client.post(reverse("approval_policy_add"), form).status_code == 302
    text = admin_client.get(reverse("approval_policy_list")).content.decode()
    assert "writing more than 2.5 TB" in text
    edit = reverse("approval_policy_edit", args=[policy.pk])
    assert admin_client.post(edit, {"name": "long runs"}).status_code == 400
    assert admin_client.post(edit, {"name": "wipes", "on_wipe": "on"}).status_code == 400
    away = reverse("approval_policy_delete", args=[policy.pk])
    assert admin_client.post(away).status_code == 302
    assert [row.name for row in ApprovalPolicy.objects.all()] == ["wipes"]


def test_team_is_not_deleted_while_a_policy_is_for_its_runs(
    admin: User, admin_client: Client, policy: ApprovalPolicy
) -> None:
    team = create_team()
    approval_policy_save(user=admin, fields={"team": team}, policy=policy)
    away = reverse("team_delete", args=[team.pk])
    page = admin_client.post(away, follow=True).content.decode()
    assert policy.name in page
    assert Team.objects.filter(pk=team.pk).exists()
    assert not AuditEntry.objects.filter(action="delete").exists()
    approval_policy_delete(user=admin, policy=policy)
    admin_client.post(away)
    assert not Team.objects.filter(pk=team.pk).exists()
    deleted = AuditEntry.objects.filter(action="delete").order_by("pk")
    assert [row.object_type for row in deleted] == ["approvalpolicy", "team"]
