"""Forecasts from rows: resources of many runs, running cases, cache, and the error of forecasts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.bookings.services.bookings import booking_end
from apps.bookings.tests.factories import create_booking
from apps.inventory.models import Host
from apps.inventory.services import host_cluster_store
from apps.inventory.tests.factories import create_host, create_pool, public_line
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.runs.models import Attempt, AttemptState, Claim, Run, RunState
from apps.runs.selectors.forecasts import forecast_error, forecast_now, queue_forecast
from apps.runs.selectors.queue_resources import resources_of_runs
from apps.runs.selectors.resources import resources_of
from apps.runs.services.forecasts import forecasts_record
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_launch
from apps.runs.tasks import forecast as forecast_task
from apps.runs.tests.factories import create_disk, create_plan, create_run
from apps.runs.tests.queued_runs import run_of
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

FSID = "4f0c1e6a-9d1b-4c54-8a54-6a3c5b1f2d10"


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def minutes(run: Run) -> tuple[int, int]:
    """The expected and the latest start, in minutes from now."""
    row = forecast_now()[run.pk]
    both = ((one - timezone.now()) / timedelta(minutes=1) for one in (row.start, row.latest))
    first, latest = (round(one) for one in both)
    return first, latest


def test_queue_of_one_host_is_forecast_one_after_another(owner: User, host: Host) -> None:
    running, first, second = (run_of(owner, host) for _ in range(3))
    fence = run_try_start(run_id=running.pk, worker="w")
    assert fence
    assert minutes(first) == (10, 15)
    assert minutes(second) == (20, 30)
    assert forecast_now()[second.pk].after_run == first.pk
    case = running.cases.get()
    attempt = Attempt.objects.create(case=case, state=AttemptState.RUNNING)
    running.cases.update(state="running")
    Attempt.objects.filter(pk=attempt.pk).update(created_at=timezone.now() - timedelta(minutes=4))
    assert minutes(first) == (6, 11)


def test_forecast_changes_at_once_with_a_booking(owner: User, stranger: User, host: Host) -> None:
    run = run_of(stranger, host)
    assert queue_forecast()[run.pk].booking is None
    booking = create_booking(owner, host, end=2)
    row = queue_forecast()[run.pk]
    assert (row.start, row.booking) == (booking.ends_at, booking.pk)
    booking_end(booking=booking, user=owner)
    assert queue_forecast()[run.pk].booking is None


def test_resources_of_many_runs_are_those_of_each(owner: User) -> None:
    hosts = [create_host(host_key=public_line()) for _ in range(3)]
    host_cluster_store(host=hosts[1], fsid=FSID)
    hosts[1].refresh_from_db()
    setting = Setting("ceph", "osd_max_backfills", "1", section="osd")
    tuning = TuningProfile.objects.create(name="osds", owner=owner, settings=(setting,))
    disk = create_disk(host=hosts[1], owner=owner, identity="wwn:naa.600508b1001c5e3d")
    plan = TestPlan.objects.create(
        name="pool",
        owner=owner,
        spec=PlanSpec(
            steps=(
                StepSpec("rados", {"operations": "write", "bs": "4k", "threads": 1, "seconds": 1}),
            )
        ),
    )
    add_target(plan, create_pool(owner=owner, host=hosts[1]))
    runs = [
        run_of(owner, hosts[0]),
        create_run(owner=owner, target=disk),
        run_launch(plan=create_plan(owner=owner, target=disk, tunings=(tuning,)), user=owner),
        run_launch(plan=plan, user=owner),
    ]
    rows = resources_of_runs([run.pk for run in runs])
    assert rows == {run.pk: frozenset(resources_of(run)) for run in runs}
    assert any(name.startswith("ceph:") for name in rows[runs[2].pk])


def test_queries_do_not_grow_with_the_queue(
    owner: User, host: Host, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        run_of(owner, host)
    with django_assert_max_num_queries(15):
        assert len(forecast_now()) == 12


def test_error_of_forecasts_is_that_of_the_first_one(owner: User, host: Host) -> None:
    assert forecast_error() is None
    run = run_of(owner, host)
    forecast_task()
    run.refresh_from_db()
    first = run.forecast_start_at
    assert first is not None
    assert forecasts_record() == 0
    late = first + timedelta(minutes=30)
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, started_at=late, lease_until=late)
    error = forecast_error()
    assert error is not None
    assert (error.count, round(error.median), round(error.p90)) == (1, 30, 30)


def test_run_that_waits_for_an_abandoned_attempt_has_no_forecast(owner: User, host: Host) -> None:
    ended, waiting, later = (run_of(owner, host) for _ in range(3))
    other = run_of(owner, create_host())
    Claim.objects.create(resource=f"host:{host.pk}", run=ended)
    Run.objects.filter(pk=ended.pk).update(state=RunState.LOST)
    assert set(forecast_now()) == {other.pk}
    assert waiting.pk not in queue_forecast()
    assert later.pk not in queue_forecast()
