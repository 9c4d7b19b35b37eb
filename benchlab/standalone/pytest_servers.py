"""A pytest plugin: throw-away PostgreSQL and Valkey for one test session.

Loaded with `-p` (pyproject.toml), because pytest-django reads the settings before any conftest.py
is imported. The first process starts the servers; xdist's workers inherit the addresses, and
pytest-django gives each of them a database of its own.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from benchlab.standalone.testing import TestServers

SERVERS = pytest.StashKey[TestServers]()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Start before pytest-django's own part of this hook looks at the settings."""
    names = early_config.known_args_namespace
    if not (names.help or names.version):
        early_config.stash[SERVERS] = TestServers().start()
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop them after everything else has let go of its connections."""
    servers = config.stash.get(SERVERS, None)
    if servers:
        servers.stop()
