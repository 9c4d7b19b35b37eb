"""Servers of benchlab, started unless environment variables name others."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import os
import sys
from collections.abc import Generator, Mapping

from benchlab.local.errors import StartError
from benchlab.local.locks import BusyError, FileLock
from benchlab.local.paths import PROJECT, Home
from benchlab.local.postgres import Postgres
from benchlab.local.postgres_fit import fitted
from benchlab.local.processes import Service, Supervisor
from benchlab.local.tools import tool_path
from benchlab.local.valkey import Valkey

SERVERS_LOCK = "servers.lock"
DEFAULT_BIND, DEFAULT_PORT = "127.0.0.1", 8000
# Default maximum: each process uses database connections, of which PostgreSQL has 100.
MAX_WEB_PROCESSES = 8


def say(text: str) -> None:
    """Print a line; a full disk does not stop the process."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


@contextlib.contextmanager
def servers_lock(home: Home) -> Generator[None]:
    """Lock the servers' folders for their lifetime."""
    lock = FileLock(home.root / SERVERS_LOCK)
    try:
        lock.acquire()
    except BusyError as busy:
        say(f"Another command uses the database ({busy.holder}); waiting for it to end.")
        lock.acquire(wait=True)
    try:
        yield
    finally:
        lock.release()


def start_servers(supervisor: Supervisor, home: Home) -> None:
    """Start PostgreSQL and Valkey unless configured; set their URLs in the environment."""
    valkey = None
    if not os.environ.get("REDIS_URL"):
        valkey = Valkey.at(home)
        broker = supervisor.start(valkey.service())  # loads while PostgreSQL starts
        os.environ["REDIS_URL"] = valkey.url
    if not os.environ.get("DATABASE_URL"):
        start_postgres(supervisor, home)
    if valkey:
        broker.wait_ready()


def start_postgres(supervisor: Supervisor, home: Home) -> str:
    """Start the embedded PostgreSQL, create the database, set both URLs; return the owner's."""
    postgres = Postgres.at(home, fitted(home.postgres))
    supervisor.start(postgres.service()).wait_ready()
    postgres.create_database()
    os.environ["DATABASE_URL"] = postgres.application_url
    os.environ["DATABASE_OWNER_URL"] = postgres.url
    return postgres.url


def project_environment() -> dict[str, str]:
    """Return the environment of benchlab's processes."""
    return os.environ | {"DJANGO_SETTINGS_MODULE": "benchlab.settings", "PYTHONUNBUFFERED": "1"}


def owner_environment() -> dict[str, str]:
    """Return the environment with the owner's URL, for migrations."""
    env = project_environment()
    owner = env.pop("DATABASE_OWNER_URL", "")
    return env | ({"DATABASE_URL": owner} if owner else {})


def manage_command(*arguments: str) -> list[str]:
    """Return the argv of a management command."""
    return [sys.executable, str(PROJECT / "manage.py"), *arguments]


def worker(home: Home, env: Mapping[str, str]) -> Service:
    """Return the service of the Celery worker, with threads, because it waits for SSH and SQL."""
    return _python_service(
        home,
        "worker",
        ["celery", "-A", "benchlab", "worker", "--pool=threads", "--concurrency=4"],
        # The local agent searches tools in the second.
        {**env, "PATH": tool_path(home), "BENCHLAB_TOOLS_PATH": str(home.tools / "bin")},
    )


def beat(home: Home, env: Mapping[str, str]) -> Service:
    """Return the service of Celery beat, for users' schedules."""
    scheduler = "apps.runs.services.beat:Scheduler"
    words = ["celery", "-A", "benchlab", "beat", "--scheduler", scheduler, "--pidfile="]
    return _python_service(home, "beat", words, env)


def web(home: Home, env: Mapping[str, str], bind: str, port: int) -> Service:
    """Return the service of the web server, which listens on `bind` and `port`."""
    host = f"[{bind}]" if ":" in bind else bind
    command = ["gunicorn", "--config", "python:benchlab.gunicorn", "--bind", f"{host}:{port}"]
    command += ["--workers", str(web_processes()), "benchlab.wsgi"]
    service = _python_service(home, "web", command, env)
    return dataclasses.replace(service, ready=lambda: _responds(bind, port))


def web_bind() -> str:
    """Return the configured address of the web server."""
    return os.environ.get("BENCHLAB_BIND") or DEFAULT_BIND


def web_port() -> int:
    """Return the configured port of the web server. Raises: StartError."""
    port = os.environ.get("BENCHLAB_PORT") or str(DEFAULT_PORT)
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise StartError(f"BENCHLAB_PORT must be a port number, not {port!r}.")
    return int(port)


def web_processes() -> int:
    """Return the configured number of processes, else one per core because of the GIL."""
    given = os.environ.get("BENCHLAB_WEB_PROCESSES") or os.environ.get("WEB_CONCURRENCY", "")
    if not given:
        return min(len(os.sched_getaffinity(0)), MAX_WEB_PROCESSES)
    if not given.isdigit() or not 0 < int(given) < 1000:
        raise StartError(f"BENCHLAB_WEB_PROCESSES must be a number of processes, not {given!r}.")
    return int(given)


def _python_service(home: Home, name: str, words: list[str], env: Mapping[str, str]) -> Service:
    argv = (sys.executable, "-m", *words)
    return Service(name=name, argv=argv, log=home.logs / f"{name}.log", env=env)


def _responds(bind: str, port: int) -> bool:
    """Return True if any HTTP response arrives from the address."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)
    connection = http.client.HTTPConnection(host, port, timeout=30)
    try:
        connection.request("HEAD", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
