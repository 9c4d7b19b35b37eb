"""The folder of a host's owner in tests, and an agent that obeys it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import Client

Write = Callable[[Any], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The owner's folder, in place of /etc/benchlab."""
    path = tmp_path / "owner"
    path.mkdir(mode=0o755)
    return path


@pytest.fixture
def write(folder: Path) -> Write:
    """Writes the owner's file."""

    def limits(document: Any) -> None:
        file = folder / "limits.json"
        file.write_text(document if isinstance(document, str) else json.dumps(document))
        file.chmod(0o644)

    return limits


@pytest.fixture
def guarded(base: Path, folder: Path) -> Iterator[Client]:
    with Client(base, {"BENCHLAB_LIMITS_DIR": str(folder)}) as session:
        yield session


def refusal(client: Client, *commands: list[str], **spec: Any) -> str:
    """Why the job is refused; nothing of it was started."""
    done = client.run(*(commands or (["true"],)), **spec)
    assert done["state"] == "refused", done
    assert done["exit"] is None
    return " ".join(done["refused"]["reasons"])
