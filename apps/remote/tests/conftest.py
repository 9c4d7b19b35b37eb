"""An agent of the test's own on this machine, and a pool that is closed afterwards."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from apps.remote.agent_tests.gate import Gate
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.pool import Sessions

LOCAL = HostSpec(local=True, become="user")


@pytest.fixture(autouse=True)
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The base folder of every agent this test starts, and the interpreter of the tests as its
    Python.
    """
    folder = tmp_path / "base"
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(folder))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.defpath}:/usr/sbin:/sbin")
    return folder


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    """A closed gate; open at the end, so that nobody is left waiting."""
    gate = Gate(tmp_path / "gate")
    yield gate
    gate.open()


@pytest_asyncio.fixture
async def sessions() -> AsyncIterator[Sessions]:
    """A pool."""
    pool = Sessions()
    yield pool
    await pool.close()


@pytest_asyncio.fixture
async def local(sessions: Sessions) -> Client:
    """This machine, by its real agent."""
    return Client.of(sessions, "local", LOCAL)
