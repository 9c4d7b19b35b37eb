"""Launching a plan by the clock, in UTC."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django_celery_beat.models import PeriodicTask

from apps.accounts.models import User
from apps.plans.errors import PlanError
from apps.plans.schedules import next_time, schedule_clear, schedule_of, schedule_set
from apps.plans.services import plan_archive, plan_delete
from apps.plans.tests.factories import create_plan

MONDAY_NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "weekday", "expected"),
    [
        (time(13, 0), None, (5, 13)),
        (time(12, 0), None, (6, 12)),
        (time(2, 30), None, (6, 2)),
        (time(13, 0), 0, (5, 13)),
        (time(2, 30), 0, (12, 2)),
        (time(2, 30), 6, (11, 2)),
    ],
)
def test_next_time(at: time, weekday: int | None, expected: tuple[int, int]) -> None:
    moment = next_time(at, weekday, MONDAY_NOON)
    assert (moment.day, moment.hour, moment.minute) == (*expected, at.minute)
    assert weekday is None or moment.weekday() == weekday


def test_beat_gets_the_plan_only(owner: User) -> None:
    plan = create_plan(owner=owner)
    schedule_set(plan=plan, user=owner, at=time(2, 30))
    task = PeriodicTask.objects.get()
    assert task.task == "runs.launch_plan"
    assert json.loads(task.args) == [plan.pk]
    assert task.expire_seconds == 3600
    assert plan.schedule.set_by == owner
    assert (task.crontab.hour, task.crontab.minute, str(task.crontab.timezone)) == (
        "2",
        "30",
        "UTC",
    )


@pytest.mark.parametrize(("weekday", "cron"), [(0, "1"), (5, "6"), (6, "0"), (None, "*")])
def test_cron_counts_from_sunday(owner: User, weekday: int | None, cron: str) -> None:
    plan = create_plan(owner=owner)
    schedule_set(plan=plan, user=owner, at=time(2), weekday=weekday)
    assert PeriodicTask.objects.get().crontab.day_of_week == cron
    found = schedule_of(plan)
    assert found is not None
    assert (found.weekday, found.at, found.set_by) == (weekday, time(2), owner)


def test_a_new_schedule_replaces_the_old(owner: User) -> None:
    plan = create_plan(owner=owner)
    schedule_set(plan=plan, user=owner, at=time(2))
    schedule = schedule_set(plan=plan, user=owner, at=time(3), weekday=2)
    assert PeriodicTask.objects.count() == 1
    assert schedule.words == "every Wednesday at 03:00 UTC"


def test_it_ends_when_asked_and_with_the_plan(owner: User) -> None:
    for end in (
        lambda plan: schedule_clear(plan=plan, user=owner),
        lambda plan: plan_archive(plan=plan, user=owner),
        lambda plan: plan_delete(plan=plan, user=owner),
    ):
        plan = create_plan(owner=owner)
        schedule_set(plan=plan, user=owner, at=time(2))
        end(plan)
        assert not PeriodicTask.objects.exists()


def test_a_stranger_sets_nothing(owner: User, stranger: User) -> None:
    plan = create_plan(owner=owner)
    with pytest.raises(PermissionDenied):
        schedule_set(plan=plan, user=stranger, at=time(2))
    assert schedule_of(plan) is None


def test_an_archived_plan_and_a_made_up_day_are_refused(owner: User) -> None:
    plan = create_plan(owner=owner)
    with pytest.raises(PlanError):
        schedule_set(plan=plan, user=owner, at=time(2), weekday=7)
    plan_archive(plan=plan, user=owner)
    with pytest.raises(PlanError):
        schedule_set(plan=plan, user=owner, at=time(2))


def test_the_list_shows_the_plans_launched_by_the_clock(owner: User, viewer_client: Client) -> None:
    create_plan(owner=owner, name="by hand")
    nightly = create_plan(owner=owner, name="nightly")
    schedule_set(plan=nightly, user=owner, at=time(2, 30))
    page = viewer_client.get("/plans/", {"scheduled": "on"})
    assert [plan.name for plan in page.context["page"].rows] == ["nightly"]
