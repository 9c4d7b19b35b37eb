"""The reason why a worker lost the lease of a run."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease, lease_loss_reason
from apps.execution.selectors.runs import lease_row
from apps.runs.models import Run, RunState
from apps.runs.selectors.heartbeats import process_name
from apps.runs.services.leases import fenced, run_lease, run_try_start
from apps.runs.services.runs import run_finish
from apps.runs.tests.factories import create_run

HERE = socket.gethostname()
THIS = f"{process_name()}:abcdef"


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner)


@pytest.fixture
def fence(run: Run) -> int:
    fence = run_try_start(run_id=run.pk, worker=THIS)
    assert fence is not None
    return fence


def reason(run_id: int, fence: int) -> str:
    return lease_loss_reason(RunLease(run_id, fence), lease_row(run_id), process_name())


def taken_up_by(run: Run, worker: str) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert run_lease(run_id=run.pk, worker=worker) is not None


def test_a_stalled_worker_that_took_it_up_again_itself(run: Run, fence: int) -> None:
    taken_up_by(run, THIS)
    assert "this process stalled" in reason(run.pk, fence)


@pytest.mark.parametrize(
    ("worker", "same_host"),
    [(f"{HERE}:{os.getpid() + 1}:ab", True), ("elsewhere:1:ab", False)],
    ids=["here", "elsewhere"],
)
def test_another_worker_is_named(run: Run, fence: int, worker: str, same_host: bool) -> None:
    taken_up_by(run, worker)
    assert f"worker {worker}" in reason(run.pk, fence)
    assert ("same host" in reason(run.pk, fence)) is same_host


def test_a_run_that_ended_was_not_taken_over(run: Run, fence: int) -> None:
    with fenced(run.pk, fence) as held:
        run_finish(held, RunState.SUCCEEDED, "")
    assert reason(run.pk, fence) == "the run has ended (succeeded)"


def test_a_run_that_is_gone(run: Run, fence: int) -> None:
    Run.objects.filter(pk=run.pk).delete()
    assert reason(run.pk, fence) == "the run was deleted"
