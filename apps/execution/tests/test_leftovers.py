"""Leftovers of faults on a host are given back and removed with its checks, on the real stack: an
engine, the agent, a loop disk, a file system that is full.
"""

from __future__ import annotations

import os
import signal
import subprocess
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.execution.engine.loop import Engine
from apps.execution.selectors import work
from apps.execution.selectors.leftovers import leftovers
from apps.execution.selectors.work import hosts_to_check
from apps.inventory.models import Directory, Host
from apps.inventory.schemas.unrestored_settings import UnrestoredSettings
from apps.inventory.services import host_cleanup_pending, host_restore_settings_request
from apps.remote import session
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, attach, until
from apps.remote.agent_tests.processes import supervisor
from apps.remote.agent_tests.test_agent_folder_errors import tuned, without_reserve
from apps.remote.build import agent
from apps.runs.models import Attempt, AttemptState
from apps.runs.tests.factories import create_attempt, create_host, create_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_root]


@pytest.fixture(autouse=True)
def _one_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's is the one that a test has put on the host, where there is no room for two."""
    monkeypatch.setattr(session, "agent", agent)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of 8 MiB in memory, with the folder of this machine's agent."""
    if os.geteuid() != 0:
        pytest.skip("mounts, which only root may")
    point = tmp_path / "small"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(point)], check=True)
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(point / "base"))
    yield point
    subprocess.run(["umount", "-l", str(point)], check=True)


@pytest.fixture
def loop(tmp_path: Path, small: Path) -> Iterator[Loop]:
    """A loop disk."""
    made = attach(tmp_path / "disk.img", 32)
    yield made
    made.detach()


@pytest.fixture
def engine(small: Path, settings: LazySettings) -> Iterator[Engine]:
    settings.BENCHLAB_RECONCILE_SECONDS = 0.2
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()
    connections.close_all()


def seen(host: Host, wanted: Callable[[Host], Any]) -> Host:
    """The host as soon as its row is so."""
    until(lambda: wanted(Host.objects.get(pk=host.pk)))
    return Host.objects.get(pk=host.pk)


def recovered(host: Host, user: User) -> Host:
    """The host after somebody pressed the button."""
    host_restore_settings_request(host=host, user=user)
    return seen(host, lambda row: not row.is_being_checked)


def test_unrestored_setting_is_shown_until_it_is_restored(
    small: Path, loop: Loop, engine: Engine, operator: User, tmp_path: Path
) -> None:
    host, before, gate = create_host(), loop.settings(), Gate(tmp_path / "gate")
    with Client(small / "base", program_bytes=agent().data) as client:
        attempt = tuned(client, loop, gate)
        room = without_reserve(client, attempt, small)
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
        client.good("wait", attempt=attempt)
    host = recovered(host, operator)
    assert loop.settings() == before
    assert (host.health, host.health_kind) == ("warning", "unrestored")
    assert "No space left on device" in host.health_text
    (loan,) = host.unrestored_settings
    assert (loan["attempt"], loan["settings"], loan["case"]) == (attempt, [], None)
    room.unlink()
    host = recovered(host, operator)
    # The file system is small, which is said of it as long as nothing worse is.
    assert (host.health_kind, host.unrestored_settings) == ("low_space", [])


def test_unreported_job_is_a_leftover(owner: User) -> None:
    run = create_run(owner=owner)
    case = run.cases.get()
    silent: dict[str, object] = {
        "state": AttemptState.FAILED,
        "contact_at": None,
        "host_files_removed_at": None,
    }
    launched = create_attempt(case, spec={"commands": []}, **silent)
    create_attempt(case, jobs=[], **silent)
    assert leftovers(case.host_id) == [str(launched.pk)]


def test_a_host_with_something_left_is_looked_at_again_by_itself(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago, now = timezone.now() - timedelta(hours=1), timezone.now()
    loan: UnrestoredSettings = {"attempt": "a", "since": None, "why": "", "settings": []}
    tidy = create_host(checked_at=long_ago)
    untidy = create_host(checked_at=long_ago, cleanup_pending_since=long_ago)
    lent = create_host(checked_at=long_ago, unrestored_settings=[loan])
    create_host(checked_at=now, cleanup_pending_since=long_ago)
    create_host(checked_at=long_ago, cleanup_pending_since=long_ago, enabled=False)
    assert sorted(hosts_to_check()) == [untidy.pk, lent.pk]
    host_cleanup_pending(host_id=tidy.pk)
    assert tidy.pk in hosts_to_check()


def lost_attempt(pk: uuid.UUID, owner: User, place: Directory) -> Attempt:
    """The attempt of a lost run, whose job is on the host all the same. The engine, which takes
    what is queued, sees the run when it has ended.
    """
    with transaction.atomic():
        run = create_run(owner=owner, target=place)
        run.cases.update(state="lost")
        run.__class__.objects.filter(pk=run.pk).update(state="lost")
        run.claims.update(released_at=timezone.now())
        fields = {
            "state": AttemptState.LOST,
            "contact_at": timezone.now(),
            "host_files_removed_at": None,
        }
        return create_attempt(run.cases.get(), pk=pk, **fields)


def test_what_a_run_left_is_removed_with_the_next_check(
    small: Path,
    engine: Engine,
    owner: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A job's folder and test files that could not be removed at the run's end."""
    monkeypatch.setattr(work, "RETRY_DELAY", timedelta(0))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    host = create_host(checked_at=timezone.now())
    place = Directory.objects.create(host=host, path=str(scratch), owner=owner)
    attempt_id = uuid.uuid4()
    with Client(small / "base", program_bytes=agent().data) as client:
        spec = {"kind": "directory", "path": str(scratch), "needs": 0, "write": True}
        client.run(["touch", "{target}/file"], attempt=str(attempt_id), target=spec)
    attempt = lost_attempt(attempt_id, owner, place)
    host_cleanup_pending(host_id=host.pk)
    host = seen(host, lambda row: row.cleanup_pending_since is None)
    attempt.refresh_from_db()
    assert attempt.host_files_removed_at is not None
    assert not list((small / "base" / "jobs").iterdir())
    assert not list(scratch.iterdir())
