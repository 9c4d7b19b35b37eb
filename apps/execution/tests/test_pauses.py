"""A running run pauses between its blocks for a booking; a running case is not ended."""

from __future__ import annotations

import shutil
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.bookings.models import Booking
from apps.bookings.services.bookings import booking_end
from apps.bookings.tests.factories import create_booking, create_maintenance
from apps.execution.domain.lease import RunLease
from apps.execution.engine.loop import Engine
from apps.execution.services.attempts import RunHeld
from apps.execution.services.attempts_create import OpenedAttempt, attempts_create
from apps.inventory.models import Directory
from apps.inventory.tests.factories import create_host
from apps.runs.models import Case, CaseState, Claim, Purpose, Run, RunState
from apps.runs.services.leases import LeaseLost, run_renew, run_try_start
from apps.runs.services.pauses import run_pause
from apps.runs.services.runs import run_cancel
from apps.runs.tests.factories import PARAMS, create_disk, create_run
from apps.runs.tests.factories import create_host as this_machine


def running(owner: User, repeats: int = 3, **fields: object) -> tuple[Run, RunLease]:
    """A running run of blocks of ten minutes."""
    run = create_run(
        owner=owner, target=create_disk(host=create_host(), owner=owner), repeats=repeats
    )
    run.cases.update(expected_seconds=600)
    Run.objects.filter(pk=run.pk).update(**fields)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    return run, RunLease(run.pk, fence)


def ids(run: Run) -> list[int]:
    return list(run.cases.order_by("sequence").values_list("pk", flat=True))


def test_case_that_would_reach_into_a_booking_is_not_started(owner: User, stranger: User) -> None:
    run, lease = running(owner)
    create_booking(stranger, run.cases.all()[0].host, start=0.1, end=1)
    (held,) = attempts_create(lease, ids(run)[:1])
    assert isinstance(held, RunHeld)
    assert "reach into the booking" in str(held)
    assert not Case.objects.filter(run=run, attempts__isnull=False).exists()


def test_case_that_ends_before_the_booking_is_started(owner: User, stranger: User) -> None:
    run, lease = running(owner)
    create_booking(stranger, run.cases.all()[0].host, start=1, end=2)
    (opened,) = attempts_create(lease, ids(run)[:1])
    assert isinstance(opened, OpenedAttempt)


def test_attempt_that_exists_goes_on_during_the_booking(owner: User, stranger: User) -> None:
    run, lease = running(owner)
    first, second, _third = ids(run)
    (opened,) = attempts_create(lease, [first])
    create_booking(stranger, run.cases.all()[0].host)
    again, held = attempts_create(lease, [first, second])
    assert isinstance(opened, OpenedAttempt)
    assert isinstance(again, OpenedAttempt)
    assert again.attempt.pk == opened.attempt.pk
    assert isinstance(held, RunHeld)
    assert not run_pause(run_id=run.pk, fence=lease.fence, reason=str(held))


def test_own_booking_holds_no_case(owner: User) -> None:
    run, lease = running(owner)
    create_booking(owner, run.cases.all()[0].host)
    assert isinstance(attempts_create(lease, ids(run)[:1])[0], OpenedAttempt)


def test_pause_releases_claims_and_fences_the_worker(owner: User, stranger: User) -> None:
    run, lease = running(owner, wipe_confirmed_by=owner)
    run.cases.filter(sequence=0).update(state=CaseState.SUCCEEDED, purpose=Purpose.PRECONDITION)
    run.cases.filter(sequence=1).update(state=CaseState.SUCCEEDED)
    booking = create_booking(stranger, run.cases.all()[0].host)
    assert run_pause(run_id=run.pk, fence=lease.fence, reason="because")
    run.refresh_from_db()
    assert (run.state, run.lease_until, run.wipe_confirmed_by) == (RunState.QUEUED, None, None)
    assert run.reason == "is paused after 1 of 3 cases: because"
    assert not Claim.objects.filter(run=run, released_at__isnull=True).exists()
    states = list(run.cases.order_by("sequence").values_list("state", flat=True))
    assert states == [CaseState.PENDING, CaseState.SUCCEEDED, CaseState.PENDING]
    with pytest.raises(LeaseLost):
        run_renew(run_id=run.pk, fence=lease.fence)
    theirs = create_run(
        owner=stranger, target=create_disk(host=run.cases.all()[0].host, owner=stranger)
    )
    assert run_try_start(run_id=run.pk, worker="w") is None
    assert run_try_start(run_id=theirs.pk, worker="w")
    run.refresh_from_db()
    assert run.reason.startswith("is paused after 1 of 3 cases: waits until ")
    Booking.objects.filter(pk=booking.pk).update(ended_at=timezone.now())
    Claim.objects.filter(run=theirs).update(released_at=timezone.now())
    Run.objects.filter(pk=theirs.pk).update(state=RunState.CANCELLED, lease_until=None)
    assert run_try_start(run_id=run.pk, worker="w")


def test_cancelled_run_is_not_paused(owner: User, stranger: User) -> None:
    run, lease = running(owner)
    create_booking(stranger, run.cases.all()[0].host)
    run_cancel(run=run, user=owner)
    assert not run_pause(run_id=run.pk, fence=lease.fence, reason="because")


def test_run_that_passed_others_yields_at_the_end_of_its_booking(
    owner: User, stranger: User
) -> None:
    host = create_host()
    older = create_run(owner=stranger, target=create_disk(host=host, owner=stranger))
    booking = create_booking(owner, host)
    run = create_run(owner=owner, target=create_disk(host=host, owner=owner), repeats=3)
    run.cases.update(expected_seconds=600)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    lease = RunLease(run.pk, fence)
    assert isinstance(attempts_create(lease, ids(run)[:1])[0], OpenedAttempt)
    almost = timezone.now() + timedelta(minutes=5)
    Booking.objects.filter(pk=booking.pk).update(ends_at=almost)
    Run.objects.filter(pk=run.pk).update(yields_at=almost)
    (held,) = attempts_create(lease, ids(run)[1:2])
    assert isinstance(held, RunHeld)
    assert str(held).startswith(f"lets in run {older.pk} at the end of the booking")
    run_cancel(run=older, user=stranger)
    assert isinstance(attempts_create(lease, ids(run)[1:2])[0], OpenedAttempt)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here")
@pytest.mark.django_db(transaction=True)
def test_engine_pauses_lets_the_case_end_and_goes_on(
    engine: Engine, owner: User, admin: User, tmp_path: Path
) -> None:
    path = tmp_path / "scratch"
    path.mkdir()
    scratch = Directory.objects.create(host=this_machine(), path=str(path), owner=owner)
    run = create_run(owner=owner, target=scratch, repeats=3, params=PARAMS | {"runtime": 3})
    engine.start()
    until(lambda: run.cases.filter(attempts__state="running").exists())
    window = create_maintenance(admin, scratch.host)
    until(lambda: state_of(run) == RunState.QUEUED)
    states = list(run.cases.order_by("sequence").values_list("state", flat=True))
    assert states == [CaseState.SUCCEEDED, CaseState.PENDING, CaseState.PENDING]
    assert not run.claims.filter(released_at__isnull=True).exists()
    booking_end(booking=window, user=admin)
    until(lambda: state_of(run) == RunState.SUCCEEDED)
    assert [case.attempts.count() for case in run.cases.all()] == [1, 1, 1]
    assert run.events.filter(kind="pause").count() == 1


def state_of(run: Run) -> str:
    return Run.objects.values_list("state", flat=True).get(pk=run.pk)


def until(done: object, seconds: float = 60.0) -> None:
    assert callable(done)
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)
