"""The plan form's second button: save the plan and launch it."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.plans.tests.factories import create_disk, create_plan
from apps.plans.tests.test_plan_form import plan, step
from apps.runs.models import Priority, Run

NEW = "/plans/new/launch/"


def sent(disk: Disk, **values: object) -> dict[str, object]:
    return plan("a", targets=[f"disk:{disk.pk}"], **values) | step("a")


def test_a_form_becomes_a_plan_and_a_run(owner_client: Client) -> None:
    answer = owner_client.post(NEW, sent(create_disk(), idempotency_key="once"))
    run = Run.objects.get()
    assert answer.headers["Location"] == reverse("run_detail", args=[run.pk])
    assert (run.plan, run.idempotency_key) == (TestPlan.objects.get(), "once")


def test_a_changed_plan_is_saved_and_launched(owner: User, owner_client: Client) -> None:
    made = create_plan(owner=owner)
    address = reverse("plan_edit_launch", args=[made.pk])
    owner_client.post(address, sent(create_disk(), name="renamed", repeats="2"))
    assert TestPlan.objects.get().name == "renamed"
    assert Run.objects.get().plan == made


def test_a_refused_form_launches_nothing(owner_client: Client) -> None:
    answer = owner_client.post(NEW, sent(create_disk(), repeats="0"))
    assert answer.status_code == 400
    assert 'action="/plans/new/"' in answer.content.decode()
    assert not TestPlan.objects.exists()
    assert not Run.objects.exists()


def test_a_plan_with_problems_is_saved_and_its_page_names_them(owner_client: Client) -> None:
    answer = owner_client.post(NEW, plan("a") | step("a"), follow=True)
    saved = TestPlan.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("plan_detail", args=[saved.pk])
    assert list(answer.context["messages"])
    assert not Run.objects.exists()


def test_it_confirms_nothing_destructive(owner_client: Client) -> None:
    """Words of the launch form have no effect here, so no fresh login is needed."""
    typed = {"confirm_wipe": "wipe", "confirm_disturbance": "pool", "priority": "10"}
    owner_client.post(NEW, sent(create_disk(), **typed))
    run = Run.objects.get()
    assert run.wipe_confirmed_by is None
    assert run.priority == Priority.NORMAL
