"""An engine for tests that play on this machine, and a started run for those without one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease
from apps.execution.engine.loop import Engine
from apps.remote.connection import HostSpec
from apps.remote.pool import Sessions
from apps.remote.session import Session
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_run

TEST_NET = "192.0.2."
"""Addresses of hosts that factories make (RFC 5737)."""


@pytest.fixture
def engine(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Engine]:
    """One that is not started yet, whose agent lives in a folder of the test's own.

    Hosts of the factories are this machine, so that a test of several hosts needs no sshd.
    """
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "agent"))
    get = Sessions.get

    async def get_local(self: Sessions, name: Hashable, spec: HostSpec) -> Session:
        is_made = spec.address.startswith(TEST_NET)
        return await get(self, name, HostSpec(local=True, become=spec.become) if is_made else spec)

    monkeypatch.setattr(Sessions, "get", get_local)
    settings.BENCHLAB_RECONCILE_SECONDS = 0.2
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
