"""A worker that died on this machine is known at once, a living or unknown one is left alone."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.execution.engine import presence
from apps.execution.engine.presence import Presence, died_here
from apps.execution.selectors import runs_without_worker, workers_with_runs
from apps.inventory.tests.factories import create_directory
from apps.runs.claims.leases import run_lease
from apps.runs.models import Run, RunState
from apps.runs.tests.factories import create_run

HOLD = """
import os, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "benchlab.settings"
from pathlib import Path
from apps.execution.engine.presence import Presence
Presence(sys.argv[1], Path(sys.argv[2])).take()
print("held", flush=True)
time.sleep(600)
"""


@contextmanager
def working(name: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock of that name."""
    command = [sys.executable, "-c", HOLD, name, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_only_a_killed_worker_is_dead(tmp_path: Path) -> None:
    names = ["a:1:x", "b:2:y", "never:3:seen", ""]
    with working("a:1:x", tmp_path) as killed, working("b:2:y", tmp_path) as stalled:
        assert died_here(names, tmp_path) == []
        stalled.send_signal(signal.SIGSTOP)
        killed.kill()
        killed.wait(30)
        assert died_here(names, tmp_path) == ["a:1:x"]


def test_another_boot_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with working("a:1:x", tmp_path):
        pass
    assert died_here(["a:1:x"], tmp_path) == ["a:1:x"]
    monkeypatch.setattr(presence, "BOOT_ID", tmp_path / "boot")
    (tmp_path / "boot").write_text("another boot\n")
    assert died_here(["a:1:x"], tmp_path) == []


def test_an_orderly_end_leaves_no_file(tmp_path: Path) -> None:
    mine = Presence("a:1:x", tmp_path)
    mine.take()
    assert [path.name for path in tmp_path.iterdir()] == ["a_1_x.lock"]
    mine.leave()
    assert list(tmp_path.iterdir()) == []
    assert died_here(["a:1:x"], tmp_path) == []


@pytest.mark.django_db
def test_the_lease_of_a_dead_worker_is_taken_before_it_lapses() -> None:
    owner = create_user(role=Role.OPERATOR)
    run = create_run(owner=owner, target=create_directory(owner=owner))
    until = timezone.now() + timedelta(seconds=60)
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, worker="dead", lease_until=until)
    assert workers_with_runs() == ["dead"]
    assert runs_without_worker() == []
    assert run_lease(run_id=run.pk, worker="next") is None
    assert runs_without_worker(["dead"]) == [run.pk]
    assert run_lease(run_id=run.pk, worker="next", gone=["dead"]) == run.fence + 1
    assert run_lease(run_id=run.pk, worker="third", gone=["dead"]) is None
