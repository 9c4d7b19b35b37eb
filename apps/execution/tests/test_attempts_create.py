"""Attempts whose cases may begin at the same time are opened at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from django.db import connections

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease
from apps.execution.runtime.batcher import Batcher
from apps.execution.runtime.database import close_connections
from apps.execution.services.attempts import AttemptOver
from apps.execution.services.attempts_create import OpenedAttempt, attempts_create
from apps.runs.models import Attempt, Case
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_run


@pytest.fixture
def lease(owner: User) -> Iterator[RunLease]:
    run = create_run(owner=owner, repeats=3)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    yield RunLease(run.pk, fence)
    close_connections()
    connections.close_all()


def test_items_added_meanwhile_go_into_the_next_call() -> None:
    calls: list[list[int]] = []

    async def double(numbers: Sequence[int]) -> list[int | Exception]:
        calls.append(list(numbers))
        await asyncio.sleep(0.01)
        return [ValueError(n) if n == 3 else 2 * n for n in numbers]

    async def ask() -> list[int | BaseException]:
        together: Batcher[int, int] = Batcher(double, limit=4)
        works = [together.do(n) for n in range(6)]
        return await asyncio.gather(*works, return_exceptions=True)

    found = asyncio.run(ask())
    assert calls == [[0, 1, 2, 3], [4, 5]]
    assert [str(each) for each in found] == ["0", "2", "4", "3", "8", "10"]


@pytest.mark.django_db(transaction=True)
def test_attempts_are_opened_once_and_joined_later(lease: RunLease) -> None:
    ended, *cases = Case.objects.filter(run=lease.run_id).order_by("sequence")
    Case.objects.filter(pk=ended.pk).update(state="cancelled")
    ids = [ended.pk, *(case.pk for case in cases)]
    over, *new = attempts_create(lease, ids)
    assert isinstance(over, AttemptOver)
    assert all(isinstance(each, OpenedAttempt) and each.is_new for each in new)
    again = attempts_create(lease, ids[1:])
    assert all(isinstance(each, OpenedAttempt) and not each.is_new for each in again)
    pks = [each.attempt.pk for each in (*new, *again) if isinstance(each, OpenedAttempt)]
    assert pks[:2] == pks[2:]
    assert Attempt.objects.filter(case__run=lease.run_id).count() == 2
    assert {a.state for a in Attempt.objects.filter(case__run=lease.run_id)} == {"preflight"}
