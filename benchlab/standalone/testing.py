"""Throw-away servers for tests: a temporary home, no durability, gone with the process.

Also after kill -9: the kernel ends the servers with their parent, and the next session removes the
folder, which nobody holds locked any more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchlab.standalone.errors import StartError
from benchlab.standalone.locks import BusyError, FileLock
from benchlab.standalone.logfiles import log_tail
from benchlab.standalone.paths import Home
from benchlab.standalone.postgres import NO_DURABILITY, Postgres
from benchlab.standalone.postgres_fit import GIB, memory
from benchlab.standalone.service import Service, spawn, stop
from benchlab.standalone.valkey import Valkey

PREFIX = "benchlab-test-"
MEMORY = Path("/dev/shm")
LEAST_MEMORY, LEAST_ROOM = 12 * GIB, 6 * GIB
"""Of the machine, and free in MEMORY. Two halves of the tests have 2 GiB of databases at most."""


class TestServers:
    """PostgreSQL and Valkey where DATABASE_URL and REDIS_URL name none; sets both variables."""

    __test__ = False  # not a test class, whatever its name begins with

    def __init__(self) -> None:
        self._running: list[tuple[Service, subprocess.Popen[bytes]]] = []
        self._lock: FileLock | None = None
        self._home: Home | None = None

    def start(self) -> TestServers:
        """Start what is missing. Call from the main thread (see service.spawn)."""
        if "DATABASE_URL" not in os.environ:
            settings = NO_DURABILITY | {"max_connections": "200"}
            postgres = Postgres.at(self._make_home(), settings)
            self._run(postgres.service())
            postgres.create_database()
            os.environ["DATABASE_URL"] = postgres.url
        if "REDIS_URL" not in os.environ:
            valkey = Valkey.at(self._make_home())
            self._run(valkey.service())
            os.environ["REDIS_URL"] = valkey.url
        return self

    def stop(self) -> None:
        """Stop what `start` started and remove its folder."""
        while self._running:
            stop(*self._running.pop())
        if self._home and self._lock:
            shutil.rmtree(self._home.root, ignore_errors=True)
            self._lock.release()

    def _make_home(self) -> Home:
        if self._home is None:
            remove_abandoned()
            root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder()))
            self._lock = FileLock(root / "lock").acquire()
            self._home = Home(root).make()
        return self._home

    def _run(self, service: Service) -> None:
        process = spawn(service)
        self._running.append((service, process))
        while not service.ready():
            if process.poll() is not None:
                raise StartError(f"{service.name} did not start:\n{log_tail(service.log)}")
            time.sleep(0.01)


def folder() -> Path:
    """The folder for the servers: in memory, where the machine has enough. Each database is two
    thousand files, and on a disk making and removing them takes longer than what tests do in it.
    """
    disk = Path(tempfile.gettempdir())
    if memory() < LEAST_MEMORY or not os.access(MEMORY, os.W_OK | os.X_OK):
        return disk
    return MEMORY if shutil.disk_usage(MEMORY).free >= LEAST_ROOM else disk


def remove_abandoned() -> None:
    """Remove folders of sessions that were killed: ours, and locked by nobody."""
    for root in folder().glob(f"{PREFIX}*"):
        lock = root / "lock"
        if not lock.exists() or root.stat().st_uid != os.geteuid():
            continue
        try:
            with FileLock(lock):
                shutil.rmtree(root, ignore_errors=True)
        except (BusyError, OSError):
            continue
