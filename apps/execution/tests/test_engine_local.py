"""The engine against this machine: a real agent, a real fio, no sshd in between."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from apps.accounts.models import User
from apps.execution.engine.loop import Engine
from apps.inventory.models import Directory, Host
from apps.inventory.services import host_check_request
from apps.results.models import Series
from apps.runs.models import AttemptState, Case, CaseState, Run, RunState
from apps.runs.services.extension import repeats_add
from apps.runs.services.runs import run_cancel, run_retry
from apps.runs.tests.factories import PARAMS, create_host, create_run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]


@pytest.fixture
def engine(engine: Engine) -> Engine:
    """A running engine."""
    engine.start()
    return engine


@pytest.fixture
def scratch(tmp_path: Path, owner: User) -> Directory:
    path = tmp_path / "scratch"
    path.mkdir()
    return Directory.objects.create(host=create_host(), path=str(path), owner=owner)


@pytest.fixture
def broken_fio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fio that ends with an error, in front of the real one."""
    fio = tmp_path / "tools" / "fio"
    fio.parent.mkdir()
    fio.write_text("#!/bin/sh\necho 'fio: no such engine' >&2\nexit 3\n")
    fio.chmod(0o755)
    monkeypatch.setenv("BENCHLAB_TOOLS_PATH", str(fio.parent))
    return fio


def until(run: Run, *states: str, seconds: float = 60.0) -> Run:
    """The run as soon as it is in one of these states."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        run.refresh_from_db()
        if run.state in states:
            return run
        time.sleep(0.05)
    told = "\n".join(f"{e.occurred_at:%H:%M:%S} {e.text}" for e in run.events.all())
    raise AssertionError(f"run is {run.state} ({run.reason}), wanted {states}\n{told}")


def test_a_run_measures_and_publishes(engine: Engine, owner: User, scratch: Directory) -> None:
    run = until(
        create_run(owner=owner, target=scratch, repeats=2, params=PARAMS | {"runtime": 3}),
        RunState.SUCCEEDED,
    )
    attempts = [case.attempts.get() for case in run.cases.all()]
    assert [attempt.state for attempt in attempts] == [AttemptState.SUCCEEDED] * 2
    assert all(a.valid and a.facts and a.argv and a.host_files_removed_at for a in attempts)
    row = attempts[0].measurements.get()
    assert row.operation == "read"
    assert row.iops
    assert row.bandwidth
    assert row.latency_p99
    assert sum(row.histogram.counts) == row.values["total_ios"]
    assert attempts[0].series.filter(source=Series.Source.TOOL, metric="iops").exists()
    assert {a.name for a in attempts[0].artifacts.all()} >= {"result.json", "stdout", "stderr"}
    assert not run.claims.filter(released_at__isnull=True).exists()


def test_a_cancelled_run_ends_its_tool(engine: Engine, owner: User, scratch: Directory) -> None:
    run = create_run(owner=owner, target=scratch, params=PARAMS | {"runtime": 120}, repeats=3)
    deadline = time.monotonic() + 60
    while not Case.objects.filter(run=run, attempts__state=AttemptState.RUNNING).exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    run_cancel(run=run, user=owner)
    engine.wake(run.pk)
    until(run, RunState.CANCELLED)
    assert {case.state for case in run.cases.all()} == {CaseState.CANCELLED}


def test_failed_case_reason_contains_stderr(
    broken_fio: Path, engine: Engine, owner: User, scratch: Directory
) -> None:
    run = until(create_run(owner=owner, target=scratch), RunState.FAILED)
    case = run.cases.get()
    assert case.failure_cause == "tool"
    assert case.reason == "the tool ended with exit code 3; its output: fio: no such engine"
    assert not case.measurements.exists()


def test_bytes_that_no_database_takes_fail_only_their_case(
    broken_fio: Path, engine: Engine, owner: User, scratch: Directory
) -> None:
    """A NUL in what a dying tool said used to end the whole run as a defect of ours."""
    broken_fio.write_text("#!/bin/sh\nprintf 'core\\000dump' >&2\nexit 3\n")
    run = until(create_run(owner=owner, target=scratch, repeats=2), RunState.FAILED)
    cases = list(run.cases.all())
    assert [case.failure_cause for case in cases] == ["tool", "tool"]
    assert {case.reason[-9:] for case in cases} == {"core\N{REPLACEMENT CHARACTER}dump"}
    assert {len(case.attempts.all()) for case in cases} == {1}


def test_a_refused_case_can_be_retried(engine: Engine, owner: User, scratch: Directory) -> None:
    Path(scratch.path).rmdir()
    run = until(create_run(owner=owner, target=scratch), RunState.FAILED)
    case = run.cases.get()
    assert case.failure_cause == "host"
    assert scratch.path in case.reason
    Path(scratch.path).mkdir()
    until(run_retry(run=run, user=owner), RunState.SUCCEEDED)
    assert [a.state for a in case.attempts.order_by("number")] == ["failed", "succeeded"]


def test_a_check_collects_facts(engine: Engine, admin: User) -> None:
    host = create_host()
    host_check_request(host=host, user=admin)
    deadline = time.monotonic() + 60
    while host.checked_at is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
        host.refresh_from_db()
    assert host.health in (Host.Health.OK, Host.Health.WARNING)
    assert host.facts is not None
    assert host.facts.facts["tools"]["fio"]
    assert host.round_trip_seconds is not None
    assert host.round_trip_seconds > 0


def test_repeats_are_added_to_a_run_that_succeeded(
    engine: Engine, owner: User, scratch: Directory
) -> None:
    run = until(create_run(owner=owner, target=scratch, repeats=2), RunState.SUCCEEDED)
    run = until(repeats_add(run=run, user=owner, repeats=3), RunState.SUCCEEDED)
    rows = run.cases.order_by("sequence").values_list("repeat", "block", "state")
    assert list(rows) == [(number, number, CaseState.SUCCEEDED) for number in range(1, 6)]
    assert all(case.attempts.get().valid for case in run.cases.all())
    assert run.finished_at is not None
