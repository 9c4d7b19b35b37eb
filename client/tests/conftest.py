"""The people of apps/conftest.py, and the command line against a real server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from apps.accounts.models import User
from apps.accounts.services import token_create
from apps.conftest import (  # noqa: F401 # fixtures are found by their names
    _fast_and_local,
    _nothing_cached,
    admin,
    operator,
    owner,
    viewer,
)
from pytest_django.live_server_helper import LiveServer

from benchlab_client import Client
from benchlab_client.cli import main


class Done(NamedTuple):
    """End of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Done]


@pytest.fixture
def server(transactional_db: None, admin: User) -> Iterator[str]:  # noqa: F811 # the fixture
    """The address of a server; its rows are those of the test."""
    running = LiveServer("127.0.0.1")
    yield running.url
    running.stop()


@pytest.fixture
def token(server: str, admin: User) -> str:  # noqa: F811 # the fixture, by its name
    return token_create(user=admin, name="client", may_wipe=True, days=1)[1]


@pytest.fixture
def login(server: str, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of a pipeline, without a configuration of this machine."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BENCHLAB_URL", server)
    monkeypatch.setenv("BENCHLAB_TOKEN", token)
    monkeypatch.setattr("benchlab_client.transport.RETRY_DELAYS", (0.01,))


@pytest.fixture
def client(login: None) -> Iterator[Client]:
    with Client() as opened:
        yield opened


@pytest.fixture
def benchlab(login: None, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command to its end."""

    def run(*words: object) -> Done:
        capfd.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:  # argparse
            code = int(str(ended.code))
        return Done(code, *capfd.readouterr())

    return run
