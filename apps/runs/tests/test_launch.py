"""Launching a plan: what is frozen, what is refused, and once is once."""

from __future__ import annotations

from unittest import mock

import msgspec
import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import StepSpec
from apps.plans.services.plans import plan_clone
from apps.runs.models import Run, RunState
from apps.runs.services import runs as services
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_disk, create_host, create_plan
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_disk(host=create_host(), owner=owner)


@pytest.fixture
def plan(owner: User, disk: Disk) -> TestPlan:
    return create_plan(owner=owner, target=disk, repeats=3)


def test_a_launch_freezes_the_plan_into_cases(plan: TestPlan, owner: User, disk: Disk) -> None:
    profile = TuningProfile.objects.create(
        name="none", owner=owner, settings=(Setting("queue", "scheduler", "none"),)
    )
    plan.tunings.set([profile])
    run = run_launch(plan=plan, user=owner, note="why")
    assert (run.state, run.case_count, run.note) == (RunState.QUEUED, 3, "why")
    cases = list(run.cases.order_by("sequence"))
    assert [case.repeat for case in cases] == [1, 2, 3]
    assert {case.target for case in cases} == {disk}
    profile.delete()
    plan.delete()
    run.refresh_from_db()
    assert run.plan is None
    assert run.spec.steps[0].params["rw"] == "randread"
    assert run.cases.all()[0].tuning_settings[0].value == "none"
    assert run.cases.all()[0].tuning_name == "none"


def test_a_launch_is_recorded(plan: TestPlan, owner: User) -> None:
    run = run_launch(plan=plan, user=owner)
    assert [event.kind for event in run.events.all()] == ["queued"]
    entry = AuditEntry.objects.get(action="launch")
    assert (entry.username, entry.detail["cases"]) == ("owner", 3)


def test_the_hint_is_sent_after_the_commit(
    plan: TestPlan, owner: User, django_capture_on_commit_callbacks: mock.Mock
) -> None:
    with mock.patch.object(services, "send") as sent:
        with django_capture_on_commit_callbacks(execute=True):
            run = run_launch(plan=plan, user=owner)
            sent.assert_not_called()
        sent.assert_called_once_with("execution.reconcile_run", run.pk)


def test_the_same_key_is_the_same_run(plan: TestPlan, owner: User) -> None:
    first = run_launch(plan=plan, user=owner, idempotency_key="once")
    assert run_launch(plan=plan, user=owner, idempotency_key="once") == first
    assert Run.objects.count() == 1


def test_concurrent_launches_with_one_key_create_one_run(plan: TestPlan, owner: User) -> None:
    first = run_launch(plan=plan, user=owner, idempotency_key="once")
    # The other request was not to be seen yet when this one looked.
    with mock.patch.object(services, "_earlier", side_effect=[None, first]):
        assert run_launch(plan=plan, user=owner, idempotency_key="once") == first
    assert Run.objects.count() == 1


def test_key_of_another_plan_is_refused(plan: TestPlan, owner: User) -> None:
    run_launch(plan=plan, user=owner, idempotency_key="once")
    other = plan_clone(plan=plan, user=owner)
    with pytest.raises(ServiceError, match="idempotency key"):
        run_launch(plan=other, user=owner, idempotency_key="once")


def test_key_of_another_user_launches_own_run(plan: TestPlan, owner: User, stranger: User) -> None:
    theirs = run_launch(plan=plan, user=owner, idempotency_key="once")
    other = plan_clone(plan=plan, user=stranger)
    own = run_launch(plan=other, user=stranger, idempotency_key="once")
    assert own != theirs
    assert own.owner == stranger
    assert run_launch(plan=other, user=stranger, idempotency_key="once") == own
    assert run_launch(plan=plan, user=owner, idempotency_key="once") == theirs


def test_same_key_of_one_user_twice_violates_constraint(plan: TestPlan, owner: User) -> None:
    run_launch(plan=plan, user=owner, idempotency_key="once")
    second = run_launch(plan=plan, user=owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=second.pk).update(idempotency_key="once")


def test_launches_without_a_key_are_two(plan: TestPlan, owner: User) -> None:
    assert run_launch(plan=plan, user=owner) != run_launch(plan=plan, user=owner)


def test_a_plan_with_problems_is_not_launched(plan: TestPlan, owner: User, disk: Disk) -> None:
    Disk.objects.filter(pk=disk.pk).update(enrolled_at=None)
    step = StepSpec("fio", {"rw": "randwrite", "bs": "4k", "size": "16M"})
    plan.spec = msgspec.structs.replace(plan.spec, steps=(step,))
    plan.save()
    with pytest.raises(PlanError, match="cannot be launched yet"):
        run_launch(plan=plan, user=owner)
    assert not Run.objects.exists()


def test_only_a_disk_owner_confirms_a_wipe(plan: TestPlan, owner: User, operator: User) -> None:
    with pytest.raises(ServiceError, match="disk owner"):
        run_launch(plan=plan, user=operator, confirm_wipe=True)
    assert run_launch(plan=plan, user=owner, confirm_wipe=True).wipe_confirmed_by == owner
    assert run_launch(plan=plan, user=owner).wipe_confirmed_by is None


def post(client: Client, plan: TestPlan, **fields: str) -> str:
    answer = client.post(reverse("run_launch", args=[plan.pk]), fields)
    assert answer.status_code == 302
    return answer.headers["Location"]


def test_the_page_launches_once_for_two_clicks(plan: TestPlan, owner_client: Client) -> None:
    first = post(owner_client, plan, idempotency_key="click", note="from the page")
    assert post(owner_client, plan, idempotency_key="click") == first
    run = Run.objects.get()
    assert first == reverse("run_detail", args=[run.pk])
    assert run.note == "from the page"


def test_the_page_wants_the_word_itself(plan: TestPlan, owner_client: Client) -> None:
    assert post(owner_client, plan, confirm_wipe="wype") == reverse("plan_detail", args=[plan.pk])
    assert not Run.objects.exists()
    post(owner_client, plan, confirm_wipe="wipe")
    assert Run.objects.get().wipe_confirmed_by is not None


def test_the_page_says_what_stands_in_the_way(plan: TestPlan, operator_client: Client) -> None:
    address = post(operator_client, plan, confirm_wipe="wipe")
    assert address == reverse("plan_detail", args=[plan.pk])
    said = operator_client.get(reverse("run_list")).content.decode()
    assert "Only a disk owner may confirm a wipe." in said


def test_a_viewer_does_not_launch(plan: TestPlan, viewer_client: Client, client: Client) -> None:
    address = reverse("run_launch", args=[plan.pk])
    assert viewer_client.post(address).status_code == 403
    assert client.post(address).status_code == 302
    assert viewer_client.get(address).status_code == 302
    assert not Run.objects.exists()
