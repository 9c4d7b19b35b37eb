"""Advice of the preview: shown, taken with one click, stored with the run if it was not taken."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.tests.factories import create_disk
from apps.plans.domain.advice import plan_advice, take_advice
from apps.plans.domain.expand import plan_expand
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.planned import PlannedPlan
from apps.plans.schemas.targets import PlannedHost, PlannedTarget
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import plan_preview
from apps.plans.services.plans import plan_create
from apps.plans.tests.factories import a_plan
from apps.plans.tests.test_plan_form import plan as posted
from apps.plans.tests.test_plan_form import step

GIB = 1024**3
FLASH = PlannedTarget(
    "disk", 1, "wwn:1", "sdb", PlannedHost(1, "h"), 4000 * GIB, is_rotational=False
)
GOOD = {"rw": "randread", "size": None, "runtime": 300, "ramp_time": 10}


def advised(plan: PlannedPlan) -> list[tuple[int | None, str]]:
    return [advice.key for advice in plan_advice(plan, plan_expand(plan).cases)]


def test_each_step_has_its_own_advice_once_for_all_repeats() -> None:
    steps = [StepSpec("fio", {**GOOD, "direct": False}), StepSpec("fio", {**GOOD, "size": "1G"})]
    assert advised(a_plan(*steps, targets=(FLASH,), repeats=6)) == [(0, "direct"), (1, "size")]


def test_parameter_of_a_sweep_is_not_advised() -> None:
    step = StepSpec("fio", {**GOOD, "size": ["1G", "10G"]})
    assert advised(a_plan(step, targets=(FLASH,))) == []


def test_writes_to_flash_want_preconditioning() -> None:
    plan = a_plan(StepSpec("fio", {**GOOD, "rw": "randwrite"}), targets=(FLASH,))
    assert advised(plan) == [(None, "preconditioning")]
    (advice,) = plan_advice(plan, plan_expand(plan).cases)
    taken = take_advice(plan.spec, advice)
    assert taken.preconditioning.sequential_fills == 1
    assert advised(PlannedPlan(taken, plan.targets)) == []


def test_taken_advice_is_gone() -> None:
    plan = a_plan(StepSpec("fio", {**GOOD, "size": "1G"}), targets=(FLASH,))
    (advice,) = plan_advice(plan, plan_expand(plan).cases)
    assert advised(PlannedPlan(take_advice(plan.spec, advice), plan.targets)) == []


@pytest.fixture
def plan(owner: User) -> TestPlan:
    spec = PlanSpec(steps=(StepSpec("fio", {**GOOD, "ramp_time": 0}),), repeats=6)
    return plan_create(user=owner, draft=PlanDraft("p", spec=spec, targets=[create_disk()]))


def test_page_takes_advice_with_one_click(owner_client: Client, plan: TestPlan) -> None:
    address = reverse("plan_advice", args=[plan.pk])
    assert address in owner_client.get(reverse("plan_detail", args=[plan.pk])).content.decode()
    owner_client.post(address, {"step": "0", "field": "ramp_time"})
    plan.refresh_from_db()
    assert plan.spec.steps[0].params["ramp_time"] == 10
    assert plan_preview(plan).advice == ()
    again = owner_client.post(address, {"step": "0", "field": "ramp_time"})
    assert again.status_code == 302


def test_viewer_and_stranger_take_no_advice(
    viewer_client: Client, stranger_client: Client, plan: TestPlan
) -> None:
    address = reverse("plan_advice", args=[plan.pk])
    for client in (viewer_client, stranger_client):
        assert client.post(address, {"step": "0", "field": "ramp_time"}).status_code == 403
    plan.refresh_from_db()
    assert plan.spec.steps[0].params["ramp_time"] == 0


def test_form_offers_the_value_for_its_input(owner_client: Client, plan: TestPlan) -> None:
    form = posted("k", targets=[f"disk:{plan.targets.get().target_id}"])
    form |= step("k", runtime="300", size="")
    page = owner_client.post(reverse("plan_live_preview"), form).content.decode()
    assert 'data-advice-input="step-k-p-ramp_time" data-advice-value="10"' in page


def test_api_preview_has_message_reason_and_value(owner_client: Client, plan: TestPlan) -> None:
    preview = owner_client.get(f"/api/v1/plans/{plan.pk}/preview/").json()
    (advice,) = preview["advice"]
    assert (advice["step"], advice["field"], advice["value"]) == (0, "ramp_time", 10)
    assert advice["message"]
    assert advice["reason"]
