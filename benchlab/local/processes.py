"""Servers as child processes: start, wait, restart, stop."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from types import FrameType
from typing import IO, Any

from benchlab.local.errors import StartError

Process = subprocess.Popen[bytes]
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
RESTART_SECONDS = 2.0
LOG_LIMIT = 16 * 1024 * 1024  # bytes; one older file stays


@dataclass(frozen=True)
class Service:
    """Program to run.

    `prepare` removes leftovers of an earlier process; `ready` returns True once it responds; the
    kernel sends `death_signal` when this process ends.
    """

    name: str
    argv: tuple[str, ...]
    log: Path
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    stop_signal: Signals = signal.SIGTERM
    death_signal: Signals = signal.SIGKILL
    stop_seconds: float = 10.0
    prefix: tuple[str, ...] = ()
    prepare: Callable[[], None] = lambda: None
    ready: Callable[[], bool] = lambda: True


def spawn(service: Service) -> Process:
    """Start a service in a new session. Call from the main thread.

    The kernel sends `death_signal` when the calling thread ends (man 2 prctl, PR_SET_PDEATHSIG).
    setpriv follows `prefix`, because a change of the user resets the signal.
    """
    service.prepare()
    with open_log(service.log) as log:
        return subprocess.Popen(
            [*service.prefix, *_setpriv(service.death_signal), *service.argv],
            env=dict(service.env),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _setpriv(number: Signals) -> list[str]:
    return ["setpriv", "--pdeathsig", number.name.removeprefix("SIG"), "--"]


def wait_ready(service: Service, process: Process) -> None:
    """Wait until the service responds. Raises: StartError if it ends."""
    while not service.ready():
        if process.poll() is not None:
            raise StartError(
                f"{service.name} ended with code {process.returncode}:\n{log_tail(service.log)}"
            )
        time.sleep(0.02)


def stop(service: Service, process: Process) -> None:
    """Send `stop_signal`; after `stop_seconds` send SIGKILL to the process and its children."""
    if process.poll() is None:
        process.send_signal(service.stop_signal)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(service.stop_seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def running(service: Service) -> Generator[Process]:
    """Run a service inside the context and yield its process once it responds."""
    process = spawn(service)
    try:
        wait_ready(service, process)
        yield process
    finally:
        stop(service, process)


class Stopped(BaseException):
    """Signal to stop was received."""


@dataclass
class Child:
    service: Service
    process: Process
    restart_at: float | None = None

    def wait_ready(self) -> None:
        wait_ready(self.service, self.process)


class Supervisor:
    """Restarts services that end; stops all in reverse order at exit. Use in the main thread."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.children: list[Child] = []
        self._handlers: dict[Signals, Any] = {}

    def __enter__(self) -> Supervisor:
        self._handlers = {number: signal.signal(number, _stop) for number in STOP_SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        while self.children:
            child = self.children.pop()
            stop(child.service, child.process)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def start(self, service: Service) -> Child:
        child = Child(service, spawn(service))
        self.children.append(child)
        return child

    def step(self, argv: Sequence[str], env: Mapping[str, str]) -> int:
        """Run a command in the foreground; return its exit code."""
        process = subprocess.Popen([*_setpriv(signal.SIGKILL), *argv], env=dict(env))
        try:
            return self.watch(until=process)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()

    def watch(self, until: Process | None = None) -> int:
        """Restart children that end; return the exit code of `until` when it ends."""
        while until is None or until.poll() is None:
            for child in self.children:
                self._restart(child)
                rotate(child.service.log, LOG_LIMIT)
            time.sleep(0.05)
        return until.returncode

    def _restart(self, child: Child) -> None:
        if child.process.poll() is None:
            return
        if child.restart_at is None:
            child.restart_at = time.monotonic() + RESTART_SECONDS
            self.say(
                f"{child.service.name} ended with code {child.process.returncode} and starts again "
                f"in {RESTART_SECONDS:g} s. Its log: {child.service.log}"
            )
        elif time.monotonic() >= child.restart_at:
            stop(child.service, child.process)  # the rest of its group
            child.process, child.restart_at = spawn(child.service), None


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


def end_processes(directory: Path, name: str, stop_signal: Signals, seconds: float) -> None:
    """End the processes of a data folder; after `seconds` with SIGKILL."""
    kill_at = time.monotonic() + seconds
    for pid in processes_in(directory, name):
        _kill(pid, stop_signal)
    while pids := processes_in(directory, name):
        for pid in pids if time.monotonic() > kill_at else ():
            _kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def processes_in(directory: Path, name: str) -> set[int]:
    """Return the processes named `name` (man 5 proc: 15 bytes) in this working directory.

    A server's pid file may name another program's process, and omits back ends of a killed server.
    """
    expected = f"{name[:15]}\n", directory.resolve()
    pids = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended
            if ((folder / "comm").read_text(), (folder / "cwd").readlink()) == expected:
                pids.add(int(folder.name))
    return pids


def _kill(pid: int, number: Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def open_log(path: Path) -> IO[bytes]:
    """Open a log of mode 0600 for appending."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    rotate(path, LOG_LIMIT)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with contextlib.suppress(PermissionError):
        os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "ab")


def rotate(path: Path, limit: int) -> None:
    """Copy a log above the limit to NAME.log.1 and truncate it; servers append to the open file.

    On a full disk the copy is skipped.
    """
    older = path.with_name(f"{path.name}.1")
    with contextlib.suppress(OSError):
        if path.stat().st_size > limit:
            try:
                shutil.copyfile(path, older)
                older.chmod(0o600)
            except OSError:
                older.unlink(missing_ok=True)
            os.truncate(path, 0)


def log_tail(path: Path, lines: int = 12) -> str:
    """Return the last lines of a log, for an error message."""
    try:
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - 8192))
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
