"""Large output is read by a process of its own; what that cannot read is kept, and says so."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from apps.execution.attempt import parse_subprocess, writer
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.lease import RunLease
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.runtime.database import close_connections
from apps.execution.tests.several import opened
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES
from apps.remote.responses import Exit
from apps.results.models import Measurement
from apps.runs.models import Attempt, AttemptState, Case, FailureCause, JobState
from apps.runs.services.artifacts import artifact_bytes, artifact_of
from apps.runs.services.leases import LeaseLost

pytestmark = pytest.mark.django_db(transaction=True)
LARGE = b"x" * (3 << 20)


class Nobody(LivePublisher):
    """Nobody looks."""

    def __init__(self) -> None:
        pass

    async def publish(self, run_id: int, kind: str, data: Mapping[str, Any]) -> None:
        pass


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(writer, "IN_PROCESS_LIMIT", 0)
    yield
    close_connections()
    connections.close_all()


@pytest.fixture
def attempt(lease: RunLease) -> Attempt:
    """Its files are stored, and one of them is large."""
    attempt = opened(lease, Case.objects.get(run=lease.run_id).pk)
    attempt.state = AttemptState.PARSING
    attempt.save()
    store_exit(attempt, GOOD_EXIT)
    for name, content in (GOOD_FILES | {"stdout": LARGE}).items():
        artifact_of(attempt, name, content).save()
    return attempt


def store_exit(attempt: Attempt, exit_: Exit) -> None:
    """Its only host said this in the end."""
    (job,) = attempt.jobs.all()
    job.exit, job.state = exit_, JobState.DONE
    job.save()


def published(attempt: Attempt, lease: RunLease) -> Attempt:
    asyncio.run(AttemptWriter(attempt, lease, Nobody()).publish())
    assert attempt == Attempt.objects.get(pk=attempt.pk)
    return attempt


def test_it_is_read_as_it_is_read_here(attempt: Attempt, lease: RunLease) -> None:
    ended = published(attempt, lease)
    assert (ended.state, ended.reason, ended.valid) == (AttemptState.SUCCEEDED, "", True)
    assert ended.case.state == "succeeded"
    assert Measurement.objects.get(attempt=attempt).iops == 100.0


def test_output_beyond_the_memory_limit_is_stored_and_reparsed(
    attempt: Attempt, lease: RunLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_subprocess, "MEMORY_LIMIT", 1 << 20)
    ended = published(attempt, lease)
    assert (ended.state, ended.failure_cause) == (AttemptState.FAILED, FailureCause.BENCHLAB)
    assert ended.reason == (
        "the output of 3 MiB is stored and was not read: "
        "it could not be read within 1 MiB of memory"
    )
    assert ended.case.reason == ended.reason
    assert artifact_bytes(ended.artifacts.get(name="stdout")) == LARGE
    assert not Measurement.objects.exists()
    call_command("reparse", run=lease.run_id)
    assert Measurement.objects.get(attempt=attempt).iops == 100.0


def test_the_tools_own_failure_comes_first(
    attempt: Attempt, lease: RunLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_exit(attempt, {**GOOD_EXIT, "over_limit": True})
    monkeypatch.setattr(parse_subprocess, "MEMORY_LIMIT", 1 << 20)
    ended = published(attempt, lease)
    assert (ended.state, ended.failure_cause) == (AttemptState.FAILED, FailureCause.TOOL)
    assert ended.reason == "ended by benchlab: it wrote more output than allowed"


def test_reading_that_takes_for_ever_is_ended(
    attempt: Attempt, lease: RunLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_subprocess, "TIMEOUT_SECONDS", 0.05)
    assert "was not read: it could not be read within" in published(attempt, lease).reason


def test_a_reader_that_dies_says_so(
    attempt: Attempt, lease: RunLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert published(attempt, lease).reason.endswith("reading it failed (exit code 1)")


def test_an_overtaken_workers_reader_writes_nothing(attempt: Attempt, lease: RunLease) -> None:
    late = RunLease(lease.run_id, lease.fence - 1)
    record_ = AttemptWriter(attempt, late, Nobody())
    asyncio.run(record_.publish())
    attempt.refresh_from_db()
    assert attempt.state == AttemptState.PARSING
    assert not Measurement.objects.exists()
    with pytest.raises(LeaseLost):
        asyncio.run(record_.close(AttemptOutcome(AttemptState.FAILED, "late"), touched=True))
