"""An engine for tests that play on this machine, and a started run for those without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease
from apps.execution.engine.loop import Engine
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_run


@pytest.fixture
def engine(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """One that is not started yet, whose agent lives in a folder of the test's own."""
    monkeypatch.setenv("BENCHLAB_AGENT_BASE", str(tmp_path / "agent"))
    settings.BENCHLAB_SWEEP_SECONDS = 0.2
    engine = Engine()
    yield engine
    engine.stop()
    connections.close_all()


@pytest.fixture
def lease(owner: User) -> RunLease:
    """A worker's hold of a run of one case, which has started."""
    run = create_run(owner=owner)
    fence = run_try_start(run_id=run.pk, worker="w")
    assert fence is not None
    return RunLease(run.pk, fence)
