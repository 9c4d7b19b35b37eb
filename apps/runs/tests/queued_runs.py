"""Runs with an expected time, and their start and end, for tests of the queue."""

from __future__ import annotations

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.runs.models import Run, RunState
from apps.runs.services.leases import claims_release, run_try_start
from apps.runs.tests.factories import create_disk, create_run


def run_of(user: User, host: Host, seconds: float = 600.0, repeats: int = 1) -> Run:
    """Return a run of blocks that are expected to take so many seconds each."""
    run = create_run(owner=user, target=create_disk(host=host, owner=user), repeats=repeats)
    run.cases.update(expected_seconds=seconds)
    return run


def start_reason(run: Run) -> str:
    """Try to start the run. Return why it waits; empty if it starts."""
    run_try_start(run_id=run.pk, worker="w")
    run.refresh_from_db()
    return run.reason if run.state == RunState.QUEUED else ""


def run_end(run: Run) -> None:
    claims_release(run)
    Run.objects.filter(pk=run.pk).update(state=RunState.SUCCEEDED, lease_until=None)
