"""A worker that no longer drives a run says truly why."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.engine.handover import why_not_ours
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


def taken_up_by(run: Run, worker: str) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert run_lease(run_id=run.pk, worker=worker) is not None


def test_a_stalled_worker_that_took_it_up_again_itself(run: Run, fence: int) -> None:
    taken_up_by(run, THIS)
    assert why_not_ours(run.pk, fence) == (
        "was taken up anew by this worker: its lease had lapsed, so this process had stalled"
    )


@pytest.mark.parametrize(
    ("worker", "said"),
    [
        (f"{HERE}:{os.getpid() + 1}:ab", f"{HERE}:{os.getpid() + 1}:ab, on this machine too"),
        ("elsewhere:1:ab", "elsewhere:1:ab"),
    ],
    ids=["here", "elsewhere"],
)
def test_another_worker_is_named(run: Run, fence: int, worker: str, said: str) -> None:
    taken_up_by(run, worker)
    assert why_not_ours(run.pk, fence) == f"was taken over by worker {said}"


def test_a_run_that_ended_was_not_taken_over(run: Run, fence: int) -> None:
    with fenced(run.pk, fence) as held:
        run_finish(held, RunState.SUCCEEDED, "")
    assert why_not_ours(run.pk, fence) == "has ended meanwhile (succeeded)"


def test_a_run_that_is_gone(run: Run, fence: int) -> None:
    Run.objects.filter(pk=run.pk).delete()
    assert why_not_ours(run.pk, fence) == "is no longer there"
