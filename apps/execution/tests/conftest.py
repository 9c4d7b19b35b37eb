"""An engine for tests that play on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.execution.engine.loop import Engine


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
