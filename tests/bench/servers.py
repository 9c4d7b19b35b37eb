"""The servers of a benchmark, started as bin/up starts them, each in a folder of the benchmark."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchlab.local import stack
from benchlab.local.paths import PROJECT, Home
from benchlab.local.postgres import Postgres
from benchlab.local.postgres_fit import fitted
from benchlab.local.processes import running
from benchlab.local.valkey import Valkey
from tests.bench.figure import CannotMeasure


@contextmanager
def servers(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """PostgreSQL and Valkey in `folder`, with benchlab's tables and an administrator; the address
    of the database. Both addresses are in the environment meanwhile. `settings`: of PostgreSQL,
    beside those that fit this machine.
    """
    folder.mkdir(mode=0o711, exist_ok=True)
    home = Home(folder).make()
    given = fitted(home.postgres) | dict(settings or {})
    postgres, valkey = Postgres.at(home, given), Valkey.at(home)
    with running(postgres.service()), running(valkey.service()):
        postgres.create_database()
        os.environ |= {"DATABASE_URL": postgres.url, "REDIS_URL": valkey.url}
        manage("migrate", "--verbosity=0")
        manage("create_first_admin")
        yield postgres.url


@contextmanager
def web(folder: Path) -> Iterator[int]:
    """The web server; its port."""
    manage("collectstatic", "--noinput", "--verbosity=0")
    port = free_port()
    home = Home(folder).make()
    with running(stack.web(home, stack.project_environment(), "127.0.0.1", port)):
        yield port


@contextmanager
def worker(folder: Path) -> Iterator[None]:
    """The Celery worker."""
    with running(stack.worker(Home(folder).make(), stack.project_environment())):
        yield


def manage(*words: str) -> None:
    """Run a command of manage.py in a process of its own."""
    _output([sys.executable, "manage.py", *words])


def answer(module: str, *words: str, given: Any = None) -> Any:
    """The JSON document that a module prints, run in a process with Django."""
    return json.loads(_output([sys.executable, "-m", module, *words], json.dumps(given)))


def _output(argv: list[str], given: str = "") -> str:
    done = subprocess.run(
        argv, cwd=PROJECT, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        words = " ".join(argv[1:4])
        raise CannotMeasure(f"{words} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
