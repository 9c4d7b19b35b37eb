"""An error in benchlab itself: said in words, tried again, and never for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.accounts.models import User
from apps.execution.attempt import host_facts
from apps.execution.engine.loop import Engine
from apps.execution.engine.reconciler import MAX_DEFECTS
from apps.inventory.models import Directory
from apps.runs.models import Run
from apps.runs.tests.factories import create_host, create_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def engine(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "agent"))
    settings.BENCHLAB_RECONCILE_SECONDS, settings.BENCHLAB_LEASE_SECONDS = 0.1, 1
    engine = Engine()
    yield engine
    engine.stop()
    connections.close_all()


def test_a_run_that_we_cannot_drive_fails_and_says_so(
    engine: Engine, owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    async def broken(*_: object) -> None:
        tries.append(1)
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(host_facts, "facts_fresh", broken)
    (tmp_path / "scratch").mkdir()
    host = create_host()
    place = Directory.objects.create(host=host, path=str(tmp_path / "scratch"), owner=owner)
    run = create_run(owner=owner, target=place)
    engine.start()
    run = _ended(run)
    assert run.state == "failed"
    assert "ZeroDivisionError" in run.reason
    # On a busy machine the lease may expire while the run is given up, so that it is driven again.
    assert len(tries) >= MAX_DEFECTS
    case = run.cases.get()
    assert (case.state, case.failure_cause) == ("failed", "benchlab")
    assert not run.claims.filter(released_at__isnull=True).exists()


def _ended(run: Run) -> Run:
    deadline = time.monotonic() + 60
    while not run.is_final:
        assert time.monotonic() < deadline, run.state
        time.sleep(0.1)
        run.refresh_from_db()
    return run
