"""benchlab as it really runs: a web server and workers as processes, a real database and broker,
connected as the role that owns no table.

Tests talk to it as scripts do, through the API, and kill its processes as fate does.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.e2e.broker import own_broker
from tests.e2e.template import PASSWORD, ROOT, Template, as_role
from tests.e2e.warm import Forked, Warm
from tests.harness.net import free_port

START_SECONDS = 60.0
JSON = dict[str, Any]
WORKER = ["-A", "benchlab", "worker", "--pool=threads", "--concurrency=2", "--without-mingle"]
WORKER += ["--loglevel=INFO"]
Process = Forked


class ApiError(Exception):
    """The API said no: its status and its words."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


@dataclass
class Stack:
    """One benchlab over a database of its own. Use as a context manager. With `shipped` its hosts
    get the agent exactly as benchlab ships it (warm.py).
    """

    home: Path
    template: Template
    environment: dict[str, str] = field(default_factory=dict)
    shipped: bool = False
    port: int = 0
    web: Process = field(init=False)
    _processes: list[Process] = field(default_factory=list)
    _warm: Warm | None = None
    _ending: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Stack:
        self.home.mkdir(parents=True, exist_ok=True)
        name = f"e2e_{uuid.uuid4().hex[:12]}"
        server = os.environ["DATABASE_URL"]
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{self.template.database}"')
        self.port = free_port()
        broker = self._ending.enter_context(own_broker())
        self.environment = surroundings(self.home, as_role(name, self.template.role), broker)
        self.start_web()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            kill(process)
        if self._warm:
            self._warm.stop()
        self._ending.close()

    def manage(self, *words: str) -> str:
        """Run a management command to its end; its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"manage.py {words[0]}: {done.stdout}{done.stderr}"
        return done.stdout

    def start_web(self) -> Process:
        """The web server, quick to start (warm.py); returns when it answers."""
        words = ["gunicorn", "--config", "python:benchlab.gunicorn", "benchlab.wsgi"]
        words += ["--bind", f"127.0.0.1:{self.port}"]
        web = self.web = self._fork("web", words)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return web
            assert web.poll() is None, self.log("web")
            time.sleep(0.1)
        raise AssertionError(self.log("web"))

    def start_worker(self, crash_point: str = "") -> Process:
        """Fork a worker (warm.py). It kills itself at `crash_point`, if given."""
        return self._fork("worker", ["celery", *WORKER], _crashing(crash_point))

    def start_beat(self) -> Process:
        """The clock of schedules, quick to start."""
        scheduler = "django_celery_beat.schedulers:DatabaseScheduler"
        words = ["celery", "-A", "benchlab", "beat", "--scheduler", scheduler, "--pidfile="]
        return self._fork("beat", words)

    @contextlib.contextmanager
    def worker(self, crash_point: str = "") -> Iterator[Process]:
        """A worker that is killed at the end."""
        process = self.start_worker(crash_point)
        try:
            yield process
        finally:
            kill(process)

    def _fork(self, name: str, words: list[str], more: dict[str, str] | None = None) -> Forked:
        if self._warm is None or self._warm.environment != self.environment:
            if self._warm:
                self._warm.stop()
            self._warm = Warm(self.environment, self.home / "warm.log", self.shipped)
        process = self._warm.start(words, more or {}, self.home / f"{name}.log")
        self._processes.append(process)
        return process

    def log(self, name: str) -> str:
        """The end of a process's log."""
        return (self.home / f"{name}.log").read_text(errors="replace")[-6000:]

    @property
    def token(self) -> str:
        """The first admin's."""
        return self.template.token

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def api(self, method: str, path: str, body: JSON | None = None, **headers: str) -> Any:
        """One request to /api/v1/. Raises ApiError for 4xx and 5xx."""
        request = urllib.request.Request(
            f"{self.address}/api/v1/{path}",
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
            | {name.replace("_", "-"): value for name, value in headers.items()},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                content = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            with contextlib.suppress(ValueError):
                raise ApiError(error.code, json.loads(text)) from None
            raise ApiError(error.code, text[:500]) from None
        kind = answer.headers.get_content_type()
        return json.loads(content) if kind == "application/json" else content

    def get(self, path: str) -> Any:
        return self.api("GET", path)

    def post(self, path: str, body: JSON | None = None, **headers: str) -> Any:
        return self.api("POST", path, body or {}, **headers)

    def download(self, path: str) -> bytes:
        """A file, byte for byte, whatever it holds."""
        headers = {"Authorization": f"Token {self.token}"}
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            content: bytes = answer.read()
        return content

    def rows(self, path: str) -> list[JSON]:
        """Every row of a list."""
        mark = "&" if "?" in path else "?"
        answer = self.get(f"{path}{mark}page_size=500")
        assert answer["next"] is None, "more than 500 rows"
        rows: list[JSON] = answer["results"]
        return rows


def surroundings(home: Path, database: str, broker: str) -> dict[str, str]:
    """The environment of a benchlab with this home, as a role that works with rows."""
    plain = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
    return plain | {
        "DATABASE_URL": database,
        "REDIS_URL": broker,
        "BENCHLAB_HOME": str(home),
        "BENCHLAB_ADMIN_PASSWORD": PASSWORD,
        "BENCHLAB_AGENT_DIR": str(home / "agent"),
        "BENCHLAB_LEASE_SECONDS": "4",
        "BENCHLAB_RECONCILE_SECONDS": "1",
        "DJANGO_SETTINGS_MODULE": "benchlab.settings",
    }


def _crashing(boundary: str) -> dict[str, str]:
    return {"BENCHLAB_CRASH_POINT": boundary} if boundary else {}


def kill(process: Process) -> None:
    """kill -9 the process and everything in its session. Where it ended by itself, its number may
    be another's by now: a server's of the tests, which has a group of its own.
    """
    taken = process.poll() is not None and Path(f"/proc/{process.pid}").exists()
    if not taken:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)
