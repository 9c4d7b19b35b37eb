"""The worker of a run: the lease, the fence that keeps an overtaken one out, and the claims."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_user
from apps.inventory.models import Disk
from apps.plans.tests.factories import add_target
from apps.runs.models import Claim, Run, RunState
from apps.runs.services.leases import (
    LeaseLost,
    claims_release,
    fenced,
    run_lease,
    run_release,
    run_renew,
    run_try_start,
)
from apps.runs.services.runs import run_finish, run_launch
from apps.runs.tests.factories import create_disk, create_host, create_plan, create_run


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_disk(host=create_host(), owner=owner)


@pytest.fixture
def run(owner: User, disk: Disk) -> Run:
    return create_run(owner=owner, target=disk)


def started(run: Run, worker: str = "first") -> int:
    fence = run_try_start(run_id=run.pk, worker=worker)
    assert fence is not None
    return fence


def lapse(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def reason_of(run: Run) -> str:
    return Run.objects.values_list("reason", flat=True).get(pk=run.pk)


def test_a_started_run_holds_its_host_and_disk(run: Run, disk: Disk) -> None:
    started(run)
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert run.started_at is not None
    held = set(run.claims.filter(released_at__isnull=True).values_list("resource", flat=True))
    assert held == {f"host:{disk.host_id}", f"disk:{disk.identity}@{disk.host_id}"}


def test_a_run_starts_once(run: Run) -> None:
    started(run)
    assert run_try_start(run_id=run.pk, worker="second") is None


def test_a_live_lease_is_not_taken(run: Run) -> None:
    started(run)
    assert run_lease(run_id=run.pk, worker="second") is None


def test_a_lapsed_lease_is_taken_with_a_higher_fence(run: Run) -> None:
    first = started(run)
    lapse(run)
    second = run_lease(run_id=run.pk, worker="second")
    assert second is not None
    assert second > first
    run.refresh_from_db()
    assert run.worker == "second"


def test_an_overtaken_worker_can_neither_renew_nor_write(run: Run) -> None:
    first = started(run)
    lapse(run)
    run_lease(run_id=run.pk, worker="second")
    with pytest.raises(LeaseLost):
        run_renew(run_id=run.pk, fence=first)
    with pytest.raises(LeaseLost), fenced(run.pk, first):
        pytest.fail("entered with an old fence")


def test_the_release_of_an_overtaken_worker_changes_nothing(run: Run) -> None:
    first = started(run)
    lapse(run)
    run_lease(run_id=run.pk, worker="second")
    run_release(run_id=run.pk, fence=first)
    run.refresh_from_db()
    assert run.lease_until is not None


def test_a_released_run_may_be_taken_at_once(run: Run) -> None:
    run_release(run_id=run.pk, fence=started(run))
    assert run_lease(run_id=run.pk, worker="second") is not None


def test_renewing_says_whether_to_cancel(run: Run) -> None:
    fence = started(run)
    assert not run_renew(run_id=run.pk, fence=fence)
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
    assert run_renew(run_id=run.pk, fence=fence)


def test_an_ended_run_is_nobodys(run: Run) -> None:
    fence = started(run)
    with fenced(run.pk, fence) as held:
        run_finish(held, RunState.SUCCEEDED, "")
    with pytest.raises(LeaseLost):
        run_renew(run_id=run.pk, fence=fence)
    assert run_lease(run_id=run.pk, worker="second") is None


def test_a_second_run_waits_and_says_for_whom(run: Run, owner: User, disk: Disk) -> None:
    started(run)
    second = create_run(owner=owner, target=disk)
    assert run_try_start(run_id=second.pk, worker="w") is None
    assert f"run {run.pk} holds" in reason_of(second)


def test_a_run_gets_all_it_needs_or_nothing(run: Run, owner: User, disk: Disk) -> None:
    started(run)
    free = create_disk(host=create_host(), owner=owner)
    plan = create_plan(owner=owner, target=free)
    add_target(plan, disk)
    both = run_launch(plan=plan, user=owner)
    assert run_try_start(run_id=both.pk, worker="w") is None
    assert not both.claims.exists()


def test_nobody_overtakes_an_older_run_that_waits(run: Run, owner: User, disk: Disk) -> None:
    started(run)
    second, third = (create_run(owner=owner, target=disk) for _ in range(2))
    claims_release(run)
    assert run_try_start(run_id=third.pk, worker="w") is None
    assert reason_of(third) == f"waits its turn behind run {second.pk}"
    assert run_try_start(run_id=second.pk, worker="w") is not None


def test_a_run_on_other_hosts_need_not_wait(run: Run, owner: User) -> None:
    started(run)
    assert run_try_start(run_id=create_run(owner=owner).pk, worker="w") is not None


def test_the_database_itself_refuses_a_second_owner(run: Run, owner: User) -> None:
    started(run)
    other = create_run(owner=owner)
    resource = run.claims.all()[0].resource
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.create(resource=resource, run=other)


@pytest.mark.django_db(transaction=True)
def test_fifty_starts_at_once_give_one_owner() -> None:
    owner = create_user(role=Role.DISK_OWNER)
    disk = create_disk(host=create_host(), owner=owner)
    runs = [create_run(owner=owner, target=disk).pk for _ in range(50)]
    together = threading.Barrier(10)

    def start(pk: int) -> int | None:
        try:
            together.wait(30)
            return run_try_start(run_id=pk, worker=f"worker {pk}")
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=10) as pool:
        fences = list(pool.map(start, runs))
    assert sum(fence is not None for fence in fences) == 1
    assert fences[0] is not None, "the oldest is first"
    assert Claim.objects.filter(released_at__isnull=True).values("run").distinct().count() == 1
    assert Run.objects.filter(state=RunState.RUNNING).count() == 1
