"""Three priorities: who may give them, their order in the queue, and what waiting adds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.factories import create_team
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host
from apps.runs.models import Priority, Run, RunState
from apps.runs.selectors.queue import runs_queued
from apps.runs.services.extension import repeats_add
from apps.runs.services.leases import run_try_start
from apps.runs.services.priorities import run_prioritise
from apps.runs.services.runs import run_cancel, run_launch, run_retry
from apps.runs.tests.factories import create_disk, create_plan, create_run, end_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(db: None) -> Host:
    return create_host()


def order() -> list[int]:
    return [run.pk for run in runs_queued(timezone.now())]


def run_of(user: User, host: Host, priority: int = Priority.NORMAL, hours: float = 0) -> Run:
    run = create_run(owner=user, target=create_disk(host=host, owner=user))
    since = timezone.now() - timedelta(hours=hours)
    Run.objects.filter(pk=run.pk).update(priority=priority, waiting_since=since)
    return run


def test_higher_priority_starts_first(owner: User, stranger: User, host: Host) -> None:
    low, normal = run_of(owner, host, Priority.LOW), run_of(stranger, host)
    high = run_of(owner, host, Priority.HIGH)
    assert order() == [high.pk, normal.pk, low.pk]
    assert run_try_start(run_id=normal.pk, worker="w") is None
    normal.refresh_from_db()
    assert normal.reason == f"waits its turn behind run {high.pk}"
    assert run_try_start(run_id=high.pk, worker="w")


def test_waiting_raises_a_run_by_one_level_a_day(owner: User, host: Host) -> None:
    low = run_of(owner, host, Priority.LOW, hours=23.9)
    high = run_of(owner, host, Priority.HIGH)
    assert order() == [high.pk, low.pk]
    old = run_of(owner, host, Priority.LOW, hours=72.1)
    assert order() == [old.pk, high.pk, low.pk]


def test_hours_of_a_level_are_a_setting(owner: User, host: Host, settings: LazySettings) -> None:
    settings.BENCHLAB_QUEUE_AGING_HOURS = 2
    normal, low = run_of(owner, host), run_of(owner, host, Priority.LOW, hours=4.1)
    assert order() == [low.pk, normal.pk]


def test_operators_choose_low_and_normal_and_admins_high(owner: User, admin: User) -> None:
    run = create_run(owner=owner)
    assert run_prioritise(run=run, user=owner, priority=Priority.LOW).priority == Priority.LOW
    with pytest.raises(ServiceError) as caught:
        run_prioritise(run=run, user=owner, priority=Priority.HIGH)
    assert caught.value.status == 403
    assert run_prioritise(run=run, user=admin, priority=Priority.HIGH).priority == Priority.HIGH
    assert run_prioritise(run=run, user=owner, priority=Priority.NORMAL).priority == 1
    assert AuditEntry.objects.filter(action="prioritise").count() == 3
    texts = run.events.filter(kind="priority").order_by("pk").values_list("text", flat=True)
    assert texts[0] == "owner sets the priority to low"


def test_strangers_and_viewers_change_no_priority(
    owner: User, stranger: User, viewer: User
) -> None:
    run = create_run(owner=owner)
    for user in (stranger, viewer):
        with pytest.raises(PermissionDenied):
            run_prioritise(run=run, user=user, priority=Priority.LOW)


@pytest.mark.parametrize("priority", [-1, 3, 10**6])
def test_unknown_priority_is_refused(owner: User, priority: int) -> None:
    with pytest.raises(ServiceError) as caught:
        run_prioritise(run=create_run(owner=owner), user=owner, priority=priority)
    assert caught.value.status == 400


def test_priority_of_an_ended_run_is_refused(owner: User) -> None:
    run = end_run(create_run(owner=owner), RunState.SUCCEEDED)
    with pytest.raises(ServiceError):
        run_prioritise(run=run, user=owner, priority=Priority.LOW)


def test_launch_with_a_high_priority_needs_an_admin(owner: User, admin: User) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    with pytest.raises(ServiceError):
        run_launch(plan=plan, user=owner, priority=Priority.HIGH)
    assert run_launch(plan=plan, user=owner, priority=Priority.LOW).priority == Priority.LOW
    assert run_launch(plan=plan, user=admin, priority=Priority.HIGH).priority == Priority.HIGH


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("operator", Priority.HIGH, Priority.NORMAL),
        ("owner", Priority.HIGH, Priority.NORMAL),
        ("admin", Priority.HIGH, Priority.HIGH),
        ("operator", Priority.LOW, Priority.LOW),
    ],
)
@pytest.mark.parametrize("act", ["retry", "repeats"])
def test_run_that_is_queued_again_has_a_priority_of_that_user(
    owner: User, host: Host, name: str, before: int, after: int, act: str, request: Any
) -> None:
    user = request.getfixturevalue(name)
    user.teams.add(team := create_team())
    run = run_of(owner, host, before)
    Run.objects.filter(pk=run.pk).update(team=team)
    run_cancel(run=run, user=owner)
    run.refresh_from_db()
    run_retry(run=run, user=user) if act == "retry" else repeats_add(run=run, user=user, repeats=1)
    run.refresh_from_db()
    assert (run.state, run.priority) == (RunState.QUEUED, after)
