"""A PostgreSQL and a Valkey that can be killed and come back with what they held."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import redis

from benchlab.local.paths import Home
from benchlab.local.postgres import Postgres
from benchlab.local.processes import Service, spawn, stop, wait_ready
from benchlab.local.valkey import Valkey

# Commits are written before they are answered; as no power is cut, no disk is waited for.
SETTINGS = {"fsync": "off", "max_connections": "200"}


class Servers:
    """Both, of one home; `DATABASE_URL` and `REDIS_URL` of this process name them."""

    def __init__(self, root: Path) -> None:
        home = Home(root).make()
        self.postgres = Postgres.at(home, SETTINGS)
        self.valkey = Valkey.at(home)
        self._services: dict[str, Service] = {
            "postgres": self.postgres.service(),
            "valkey": self.valkey.service(),
        }
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> Servers:
        """Start what does not run; returns when both answer. Call from the main thread."""
        for name in self._services:
            self.start_one(name)
        self.postgres.create_database()
        os.environ["DATABASE_URL"], os.environ["REDIS_URL"] = self.postgres.url, self.valkey.url
        return self

    def start_one(self, name: str) -> None:
        """Start "postgres" or "valkey" and wait until it answers."""
        service = self._services[name]
        if name in self._running and self._running[name].poll() is None:
            return
        process = self._running[name] = spawn(service)
        wait_ready(service, process)

    def kill(self, name: str) -> None:
        """kill -9 of the server and all its processes."""
        process = self._running[name]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)

    def query(self, statement: str, database: str) -> list[str]:
        """The first column of a statement's rows."""
        return self.postgres.query(statement, database)

    def valkey_flush(self) -> None:
        """Remove everything that Valkey holds."""
        redis.Redis(unix_socket_path=str(self.valkey.socket)).flushall()

    def stop(self) -> None:
        """End both."""
        for name, process in self._running.items():
            stop(self._services[name], process)
