"""Whatever goes wrong in it, the engine is there again and drives what there is to drive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection, connections

from apps.accounts.models import User
from apps.execution.engine import loop as engine_module
from apps.execution.engine import reconciler
from apps.execution.engine.loop import Engine
from apps.execution.engine.run_driver import RunDriver
from apps.execution.runtime.database import run_in_thread
from apps.execution.runtime.log_throttle import LogThrottle
from apps.inventory.models import Directory
from apps.runs.models import Heartbeat, Run
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_host, create_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def engine(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "agent"))
    monkeypatch.setattr(engine_module, "MIN_BACKOFF", 0.1)
    monkeypatch.setattr(reconciler, "INTERVAL_SECONDS", 0.0)
    settings.BENCHLAB_RECONCILE_SECONDS, settings.BENCHLAB_LEASE_SECONDS = 0.1, 1
    engine = Engine()
    yield engine
    engine.stop()
    connections.close_all()


@pytest.fixture
def run(owner: User, tmp_path: Path) -> Run:
    (tmp_path / "scratch").mkdir()
    place = Directory.objects.create(
        host=create_host(), path=str(tmp_path / "scratch"), owner=owner
    )
    return create_run(owner=owner, target=place)


def until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 90
    while not (seen := look()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
    return seen


def has_ended(run: Run) -> bool:
    run.refresh_from_db()
    return run.is_final


@contextmanager
def table_away(name: str) -> Iterator[None]:
    """As during a restore: the table is not there."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {name}_away")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {name}_away RENAME TO {name}")


def test_a_table_that_is_away_for_a_while_ends_nothing(
    engine: Engine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[str] = []
    monkeypatch.setattr(LogThrottle, "log", lambda _, about, *a, **k: logged.append(about))
    with table_away("runs_run"):
        engine.start()
        until(lambda: any("queued runs" in text for text in logged))
    until(lambda: has_ended(run))
    assert run.state == "succeeded", run.reason


def test_one_run_that_cannot_be_started_does_not_keep_others_waiting(
    engine: Engine, run: Run, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = create_run(owner=owner)
    Run.objects.filter(pk=bad.pk).update(queued_at="2026-01-01T00:00:00Z")

    def starts(*, run_id: int, worker: str) -> int | None:
        if run_id == bad.pk:
            raise ZeroDivisionError("a defect")
        return run_try_start(run_id=run_id, worker=worker)

    monkeypatch.setattr(reconciler, "run_try_start", starts)
    engine.start()
    until(lambda: has_ended(run))
    assert run.state == "succeeded", run.reason


def test_a_life_that_ends_is_followed_by_another(
    engine: Engine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives: list[int] = []
    sweep = reconciler.Reconciler._sweep

    async def dies_twice(self: reconciler.Reconciler) -> None:
        lives.append(1)
        if len(lives) < 3:
            raise MemoryError("nobody expected this")
        await sweep(self)

    monkeypatch.setattr(reconciler.Reconciler, "_sweep", dies_twice)
    engine.start()
    until(lambda: has_ended(run))
    assert run.state == "succeeded", run.reason


def test_engine_records_heartbeat_until_it_stops(engine: Engine) -> None:
    engine.start()
    first = until(lambda: Heartbeat.objects.filter(component="engine").first())
    until(lambda: Heartbeat.objects.get(pk=first.pk).last_seen_at > first.last_seen_at)
    engine.stop()
    assert not Heartbeat.objects.exists()


def test_a_run_that_is_no_longer_there_is_let_go(
    engine: Engine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database restored to before it."""
    drives = RunDriver.drive
    driven: list[int] = []

    async def drive(self: RunDriver) -> None:
        driven.append(self.run_id)
        await run_in_thread(Run.objects.filter(pk=self.run_id).delete)
        await drives(self)
        driven.append(0)

    monkeypatch.setattr(RunDriver, "drive", drive)
    engine.start()
    until(lambda: driven[-1:] == [0])
    until(lambda: Heartbeat.objects.exists())


def test_once_stop_iteration_reaches_the_caller() -> None:
    async def ask() -> None:
        async with asyncio.timeout(10):
            await run_in_thread(next, iter(()))

    with pytest.raises(RuntimeError):
        asyncio.run(ask())
