"""A launch by the clock: once for each slot, whatever the messages say, with today's rights."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller, travel

from apps.accounts.models import Role, User
from apps.plans.models import TestPlan
from apps.plans.services.schedules import schedule_clear, schedule_set
from apps.runs.models import Priority, Run, RunState
from apps.runs.tasks import launch_plan
from apps.runs.tests.factories import create_disk, create_host, create_plan


def slot_time(day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, 1, day, hour, minute, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with travel(slot_time(5, 12, 0), tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def plan(owner: User, clock: Traveller) -> TestPlan:
    """Scheduled on Monday noon for 02:30 every day."""
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    schedule_set(plan=plan, user=owner, at=time(2, 30))
    return plan


def test_slot_launches_once(plan: TestPlan, owner: User, clock: Traveller) -> None:
    for minute in (30, 31, 33):
        clock.move_to(slot_time(6, 2, minute))
        launch_plan(plan.pk)
    run = Run.objects.get()
    assert run.owner == owner
    assert run.idempotency_key == f"schedule:{plan.pk}:2026-01-06T02:30Z"
    Run.objects.update(state=RunState.SUCCEEDED)
    clock.move_to(slot_time(7, 2, 30))
    launch_plan(plan.pk)
    assert Run.objects.count() == 2


def test_slot_is_left_out_while_the_last_run_waits(plan: TestPlan, clock: Traveller) -> None:
    for day in (6, 7, 8):
        clock.move_to(slot_time(day, 2, 30))
        launch_plan(plan.pk)
    first = Run.objects.get()
    Run.objects.filter(pk=first.pk).update(started_at=first.queued_at)
    clock.move_to(slot_time(9, 2, 30))
    launch_plan(plan.pk)
    assert Run.objects.count() == 2


@pytest.mark.parametrize(("low", "priority"), [(True, Priority.LOW), (False, Priority.NORMAL)])
def test_schedule_has_the_priority_of_its_runs(
    plan: TestPlan, owner: User, clock: Traveller, *, low: bool, priority: Priority
) -> None:
    schedule_set(plan=plan, user=owner, at=time(2, 30), low_priority=low)
    clock.move_to(slot_time(6, 2, 30))
    launch_plan(plan.pk)
    assert Run.objects.get().priority == priority


def test_launch_by_fast_clock_uses_next_slot(plan: TestPlan, clock: Traveller) -> None:
    clock.move_to(slot_time(6, 2, 29))
    launch_plan(plan.pk)
    clock.move_to(slot_time(6, 2, 30))
    launch_plan(plan.pk)
    assert Run.objects.get().idempotency_key == f"schedule:{plan.pk}:2026-01-06T02:30Z"


def test_slot_of_a_schedule_set_again_by_another_user_launches_once(
    plan: TestPlan, admin: User, clock: Traveller
) -> None:
    clock.move_to(slot_time(6, 2, 30))
    launch_plan(plan.pk)
    Run.objects.update(started_at=timezone.now())
    schedule_set(plan=plan, user=admin, at=time(2, 30))
    launch_plan(plan.pk)
    assert Run.objects.count() == 1


@pytest.mark.parametrize(("hour", "minute"), [(1, 0), (3, 31), (14, 0)])
def test_a_message_at_another_time_launches_nothing(
    plan: TestPlan, clock: Traveller, hour: int, minute: int
) -> None:
    clock.move_to(slot_time(6, hour, minute))
    launch_plan(plan.pk)
    assert not Run.objects.exists()


def test_a_schedule_that_was_just_set_launches_nothing_of_the_past(
    plan: TestPlan, owner: User, clock: Traveller
) -> None:
    schedule_set(plan=plan, user=owner, at=time(11, 45))
    launch_plan(plan.pk)
    assert not Run.objects.exists()


def test_a_message_cannot_say_for_whom(plan: TestPlan, admin: User, clock: Traveller) -> None:
    clock.move_to(slot_time(6, 2, 30))
    task: Any = launch_plan
    with pytest.raises(TypeError):
        task(plan.pk, admin.pk)
    assert not Run.objects.exists()


def test_a_plan_nobody_scheduled_is_not_launched_by_a_message(
    plan: TestPlan, owner: User, clock: Traveller
) -> None:
    schedule_clear(plan=plan, user=owner)
    clock.move_to(slot_time(6, 2, 30))
    launch_plan(plan.pk)
    assert not Run.objects.exists()


@pytest.mark.parametrize("change", [{"role": Role.VIEWER}, {"is_active": False}])
def test_launch_checks_current_permissions(
    plan: TestPlan, owner: User, clock: Traveller, change: dict[str, object]
) -> None:
    User.objects.filter(pk=owner.pk).update(**change)
    clock.move_to(slot_time(6, 2, 30))
    launch_plan(plan.pk)
    assert not Run.objects.exists()
