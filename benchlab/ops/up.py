"""bin/up and bin/demo: run everything on this machine until stopped.

The web server listens on BENCHLAB_BIND and BENCHLAB_PORT; `benchlab.local.stack.web` passes both to
gunicorn as `--bind`. In a container the `CMD` of the Dockerfile sets `--bind`.
"""

from __future__ import annotations

import os
import socket

from benchlab.local.errors import StartError
from benchlab.local.locks import BusyError, FileLock
from benchlab.local.paths import PROJECT, Home
from benchlab.local.processes import Stopped, Supervisor
from benchlab.local.stack import (
    beat,
    manage_command,
    project_environment,
    say,
    servers_lock,
    start_servers,
    web,
    web_bind,
    web_port,
    worker,
)
from benchlab.local.tools import ensure_fio
from benchlab.ops.demo.loopdisk import demo_disk_detach
from benchlab.ops.setup import setup


def up(home: Home, *, demo: bool, leave: bool) -> int:
    """Start everything; with `demo` run the demonstration, with `leave` stop after it.

    Return the exit code.
    """
    bind, port = web_bind(), web_port()
    address = f"http://{_browser_host(bind)}:{port}/"
    try:
        with FileLock(home.root / "up.lock", note=f"process {os.getpid()}, {address}"):
            _check_free(bind, port)
            return _run(home, bind, port, demo=demo, leave=leave)
    except BusyError as busy:
        raise StartError(f"benchlab already runs from {home.root}: {busy.holder}") from None


def _run(home: Home, bind: str, port: int, *, demo: bool, leave: bool) -> int:
    os.chdir(PROJECT)
    try:
        with servers_lock(home), Supervisor(say) as supervisor:
            ensure_fio(home)
            say("Starting the database and the broker")
            start_servers(supervisor, home)
            return _serve(supervisor, home, bind, port, demo=demo, leave=leave)
    except Stopped:
        say("Stopped.")
        return 130 if demo and leave else 0
    finally:
        if demo:
            demo_disk_detach(home.root, say)


def _serve(
    supervisor: Supervisor, home: Home, bind: str, port: int, *, demo: bool, leave: bool
) -> int:
    setup(supervisor, home)
    env = project_environment()
    env.pop("DATABASE_OWNER_URL", None)
    supervisor.start(web(home, env, bind, port)).wait_ready()
    # After the web server is ready: each loads the whole project and would delay it.
    for service in (worker(home, env), beat(home, env)):
        supervisor.start(service)
    say(
        f"benchlab is at http://{_browser_host(bind)}:{port}/  (logs: {home.logs}; Ctrl-C stops it)"
    )
    if not demo:
        return supervisor.watch()
    code = supervisor.step(manage_command("demo"), env)
    if leave:
        return code
    if code:
        say(f"The demonstration ended with code {code}.")
    say("benchlab stays up; Ctrl-C stops it.")
    return supervisor.watch()


def _check_free(bind: str, port: int) -> None:
    """Raise StartError if another program uses the port."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except OSError as error:
            raise StartError(
                f"{bind} port {port} cannot be used ({error.strerror}); set BENCHLAB_PORT (and "
                "BENCHLAB_BIND) to another."
            ) from None


def _browser_host(bind: str) -> str:
    """Return the address for a browser on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)
    return f"[{host}]" if ":" in host else host
