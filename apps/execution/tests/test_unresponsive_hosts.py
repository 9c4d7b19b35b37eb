"""The end of a run whose host loses the folder, or the process that should say how it went."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.accounts.models import User
from apps.execution.attempt import hosted_job as job_module
from apps.execution.engine.loop import Engine
from apps.inventory.models import Directory, Host
from apps.remote.client import Client
from apps.remote.errors import host_error
from apps.remote.pool import Sessions
from apps.runs.models import AbandonedAttempt, Attempt, Run, RunState
from apps.runs.services.abandonment import run_abandon
from apps.runs.tests.factories import PARAMS, create_host, create_run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The base folder of this test's agent."""
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "agent"))
    return tmp_path / "agent"


@pytest.fixture
def engine(base: Path, settings: LazySettings) -> Iterator[Engine]:
    settings.BENCHLAB_RECONCILE_SECONDS = 0.2
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()
    connections.close_all()


@pytest.fixture
def run(owner: User, tmp_path: Path) -> Run:
    """Four seconds of reading."""
    (tmp_path / "scratch").mkdir()
    path = str(tmp_path / "scratch")
    place = Directory.objects.create(host=create_host(), path=path, owner=owner)
    return create_run(owner=owner, target=place, params=PARAMS | {"runtime": 4})


def wait_for(look: Callable[[], Any], seconds: float = 60.0) -> Any:
    """The value of `look` as soon as it gives one."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
    return seen


def ended(run: Run) -> bool:
    run.refresh_from_db()
    return run.is_final


def is_running(base: Path) -> list[Path]:
    """Folders of jobs whose tool has been started."""
    return [p.parent for p in base.glob("jobs/*/phase") if p.read_text() == "running"]


def test_a_folder_that_vanished_is_a_lost_attempt(engine: Engine, base: Path, run: Run) -> None:
    """It used to be asked for again and again, for ever."""
    folder = wait_for(lambda: is_running(base))[0]
    supervisor = int((folder / "supervisor").read_text())
    folder.rename(base.parent / "taken away")
    wait_for(lambda: ended(run))
    assert run.state == RunState.LOST
    attempt = run.cases.get().attempts.get()
    assert "no longer has" in attempt.reason
    assert attempt.host_files_removed_at is not None
    wait_for(lambda: not Path(f"/proc/{supervisor}").exists())


def test_a_killed_reader_on_the_host_costs_no_result(engine: Engine, base: Path, run: Run) -> None:
    """Out of memory may take it; the answer that never comes must not be waited for."""
    folder = wait_for(lambda: is_running(base))[0]
    wait_for(lambda: readers(base, folder))
    for pid in readers(base, folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait_for(lambda: ended(run))
    assert run.state == RunState.SUCCEEDED


def test_a_stream_that_never_ends_is_not_waited_for(
    engine: Engine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever holds it up: the host says by itself that the attempt is over."""

    async def stalled(*_: Any) -> Any:
        await asyncio.sleep(3600)
        yield

    monkeypatch.setattr(Client, "follow", stalled)
    monkeypatch.setattr(job_module, "RENEW_EVERY", 0.5)
    wait_for(lambda: ended(run))
    assert run.state == RunState.SUCCEEDED


def test_another_host_key_is_shown_until_the_known_one_is_back(
    engine: Engine, base: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for(lambda: is_running(base))
    sessions = Sessions.get
    other = True

    async def refused(self: Sessions, host_id: Any, spec: Any) -> Any:
        if other:
            self.drop(host_id)
            raise host_error("key_changed", "this machine", "SHA256:b instead of SHA256:a")
        return await sessions(self, host_id, spec)

    monkeypatch.setattr(Sessions, "get", refused)
    monkeypatch.setattr(job_module, "RENEW_EVERY", 0.5)
    host = Host.objects.get()
    wait_for(lambda: Host.objects.get(pk=host.pk).key_changed)
    wait_for(lambda: run.events.filter(kind="contact", text__contains="SHA256:b").count() == 1)
    other = False
    wait_for(lambda: ended(run))
    assert run.state == RunState.SUCCEEDED
    wait_for(lambda: not Host.objects.get(pk=host.pk).key_changed)


def readers(base: Path, folder: Path) -> list[int]:
    """The agent's processes below the session's own: those that answer a request now."""
    supervisor = (folder / "supervisor").read_text()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != supervisor and _is_request(entry, str(base)):
            found.append(int(entry.name))
    return found


def _is_request(entry: Path, base: str) -> bool:
    try:
        stat = (entry / "stat").read_text().rpartition(")")[2].split()
        own = (entry / "cmdline").read_bytes()
        above = Path(f"/proc/{stat[1]}/cmdline").read_bytes()
    except OSError:
        return False
    return base.encode() in own and own == above


def test_a_test_given_up_is_ended_and_proven_when_its_host_is_back(
    engine: Engine, base: Path, run: Run, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = wait_for(lambda: is_running(base))[0]
    sessions = Sessions.get
    away = True

    async def gone(self: Sessions, host_id: Any, spec: Any) -> Any:
        if away:
            self.drop(host_id)
            raise host_error("unreachable", "this machine", "it is switched off")
        return await sessions(self, host_id, spec)

    monkeypatch.setattr(Sessions, "get", gone)
    monkeypatch.setattr(job_module, "RENEW_EVERY", 0.5)
    attempt = run.cases.get().attempts.get()
    wait_for(lambda: Attempt.objects.get(pk=attempt.pk).contact_lost_since)
    run_abandon(run=run, user=admin, reason="it burns")
    assert ended(run)
    row = AbandonedAttempt.objects.get()
    assert run.claims.filter(released_at__isnull=True).exists()
    away = False
    wait_for(lambda: AbandonedAttempt.objects.get(pk=row.pk).confirmed)
    assert not run.claims.filter(released_at__isnull=True).exists()
    assert not folder.exists() or not (folder / "spec.json").exists()
    attempt.refresh_from_db()
    assert attempt.state == "unconfirmed"
