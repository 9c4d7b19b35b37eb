"""The agent on this machine inherits from the worker its own variables, never a secret."""

from __future__ import annotations

import pytest

from apps.remote.local import LocalTransport


async def test_the_workers_secrets_stay_with_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "canary")
    monkeypatch.setenv("DATABASE_URL", "postgresql://canary@/db")
    monkeypatch.setenv("BENCHLAB_ENCRYPTION_KEYS", "canary")
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", "/somewhere")
    channel = await LocalTransport("here").open(["env"])
    said = b""
    while piece := await channel.read(4096):
        said += piece
    await channel.close()
    assert b"canary" not in said
    assert b"BENCHLAB_AGENT_DIR=/somewhere" in said
    assert b"PATH=" in said
