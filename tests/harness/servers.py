"""A pytest plugin: a throw-away PostgreSQL and Valkey for one test session.

Loaded with `-p` (pyproject.toml), because pytest-django reads the settings before any conftest.py
is imported. xdist's workers inherit the addresses; pytest-django gives each worker a database.
After kill -9 the kernel ends the servers, and the next session removes their folder, which is not
locked any more.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from benchlab.local.locks import BusyError, FileLock
from benchlab.local.paths import Home
from benchlab.local.postgres import NO_DURABILITY, Postgres
from benchlab.local.postgres_fit import GIB, memory
from benchlab.local.processes import running
from benchlab.local.valkey import Valkey

PREFIX = "benchlab-test-"
MEMORY = Path("/dev/shm")
# Of the machine, and free in MEMORY. Both calls of `bin/test` have 2 GiB of databases at most.
MIN_MEMORY, MIN_FREE = 12 * GIB, 6 * GIB
STACK = pytest.StashKey[contextlib.ExitStack]()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Start before pytest-django's own part of this hook reads the settings."""
    options = early_config.known_args_namespace
    if not (options.help or options.version):
        stack = early_config.stash[STACK] = contextlib.ExitStack()
        try:
            start(stack)
        except BaseException:
            stack.close()
            raise
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop after every other plugin has closed its connections."""
    if stack := config.stash.get(STACK, None):
        stack.close()


def start(stack: contextlib.ExitStack) -> None:
    """Start the servers that DATABASE_URL and REDIS_URL do not name; set both variables."""
    if {"DATABASE_URL", "REDIS_URL"} <= os.environ.keys():
        return
    home = _temporary_home(stack)
    if "DATABASE_URL" not in os.environ:
        postgres = Postgres.at(home, NO_DURABILITY | {"max_connections": "200"})
        stack.enter_context(running(postgres.service()))
        postgres.create_database()
        os.environ["DATABASE_URL"] = postgres.url
    if "REDIS_URL" not in os.environ:
        valkey = Valkey.at(home)
        stack.enter_context(running(valkey.service()))
        os.environ["REDIS_URL"] = valkey.url


def _temporary_home(stack: contextlib.ExitStack) -> Home:
    folder = _folder()
    _remove_abandoned(folder)
    root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
    stack.enter_context(FileLock(root / "lock"))
    stack.callback(shutil.rmtree, root, ignore_errors=True)
    return Home(root).make()


def _folder() -> Path:
    """In memory, where the machine has enough. Each database is two thousand files: on a disk,
    making and removing them takes longer than the tests.
    """
    disk = Path(tempfile.gettempdir())
    if memory() < MIN_MEMORY or not os.access(MEMORY, os.W_OK | os.X_OK):
        return disk
    return MEMORY if shutil.disk_usage(MEMORY).free >= MIN_FREE else disk


def _remove_abandoned(folder: Path) -> None:
    """Remove the folders of sessions that were killed: this user's, and not locked."""
    for root in folder.glob(f"{PREFIX}*"):
        lock = root / "lock"
        if not lock.exists() or root.stat().st_uid != os.geteuid():
            continue
        with contextlib.suppress(BusyError, OSError), FileLock(lock):
            shutil.rmtree(root, ignore_errors=True)
