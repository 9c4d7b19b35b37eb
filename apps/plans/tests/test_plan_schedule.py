"""Launching a plan by the clock of a place, in summer and winter."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django_celery_beat.models import PeriodicTask
from msgspec.structs import replace

from apps.accounts.models import User
from apps.plans.schemas.disturbance import Disturbance
from apps.plans.schemas.errors import PlanError
from apps.plans.selectors.schedules import last_time, next_time, schedule_of
from apps.plans.services.plans import plan_archive, plan_delete
from apps.plans.services.schedules import schedule_clear, schedule_set
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


# Europe/Berlin goes to summer time on 29 March 2026 at 01:00 UTC, back on 25 October at 01:00 UTC
# (tzdata): 02:30 is skipped on the one day and there twice on the other.
@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-28T02:00Z", "2026-03-29T01:30Z"),
        ("2026-03-29T02:00Z", "2026-03-30T00:30Z"),
        ("2026-10-24T02:00Z", "2026-10-25T00:30Z"),
        ("2026-10-25T00:45Z", "2026-10-26T01:30Z"),
    ],
)
def test_a_place_keeps_its_time_through_the_year(now: str, expected: str) -> None:
    at, asked = time(2, 30), datetime.fromisoformat(now)
    moment = datetime.fromisoformat(expected)
    assert next_time(at, None, asked, "Europe/Berlin") == moment
    assert last_time(at, None, moment, "Europe/Berlin") == moment
    assert last_time(at, None, moment - timedelta(minutes=1), "Europe/Berlin") < asked


def test_the_day_is_that_of_the_place() -> None:
    """01:30 of a Wednesday in Auckland is Tuesday 12:30 in UTC (13 hours in January)."""
    found = next_time(time(1, 30), 2, MONDAY_NOON, "Pacific/Auckland")
    assert found == datetime(2026, 1, 6, 12, 30, tzinfo=UTC)


def test_the_form_asks_for_the_persons_own_time(owner: User, owner_client: Client) -> None:
    User.objects.filter(pk=owner.pk).update(time_zone="Europe/Berlin")
    plan = create_plan(owner=owner)
    page = owner_client.get(f"/plans/{plan.pk}/").content.decode()
    assert "Time (Europe/Berlin)" in page
    answer = owner_client.post(f"/plans/{plan.pk}/schedule/", {"at": "02:30"}, follow=True)
    assert "every day at 02:30 Europe/Berlin" in answer.content.decode()
    assert str(PeriodicTask.objects.get().crontab.timezone) == "Europe/Berlin"
    found = schedule_of(plan)
    assert found is not None
    assert (found.at, found.zone) == (time(2, 30), "Europe/Berlin")


def test_there_is_no_such_place(owner: User) -> None:
    with pytest.raises(PlanError, match="no such time zone"):
        schedule_set(plan=create_plan(owner=owner), user=owner, at=time(2), zone="Mars/Olympus")


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


def test_schedule_ends_on_request_and_with_the_plan(owner: User) -> None:
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


def test_a_plan_with_a_disturbance_is_not_scheduled(owner: User, owner_client: Client) -> None:
    disturbance = Disturbance(kind="deep_scrub")
    plan = create_plan(owner=owner)
    plan.spec = replace(plan.spec, disturbance=disturbance)
    plan.save()
    with pytest.raises(PlanError):
        schedule_set(plan=plan, user=owner, at=time(2))
    page = owner_client.get(f"/plans/{plan.pk}/").content.decode()
    assert f"/plans/{plan.pk}/schedule/" not in page


def test_the_list_shows_the_plans_launched_by_the_clock(owner: User, viewer_client: Client) -> None:
    create_plan(owner=owner, name="by hand")
    nightly = create_plan(owner=owner, name="nightly")
    schedule_set(plan=nightly, user=owner, at=time(2, 30))
    page = viewer_client.get("/plans/", {"scheduled": "on"})
    assert [plan.name for plan in page.context["page"].rows] == ["nightly"]
