"""Keep a handful of processes running, and leave none behind."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from benchlab.local.errors import StartError
from benchlab.local.logfiles import log_tail, rotate
from benchlab.local.service import Service, signal_group, spawn, stop

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
RESTART = 2.0  # seconds between the end of a child and its next start
LOOK = 0.05  # seconds between two looks at the children
SAY_AGAIN = 15.0  # seconds between two "still waiting" lines


class Stopped(BaseException):
    """Somebody asked us to stop (Ctrl-C, SIGTERM, the terminal went away)."""


@dataclass
class Child:
    """One service and its present process."""

    service: Service
    process: subprocess.Popen[bytes]
    restart_at: float | None = None


class Supervisor:
    """Use as a context manager in the main thread; leaving it stops everything it started."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.children: list[Child] = []
        self._steps: list[subprocess.Popen[bytes]] = []
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Supervisor:
        for number in STOP_SIGNALS:
            self._handlers[number] = signal.signal(number, _stop)
        return self

    def __exit__(self, *_: object) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        self.stop_all()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def start(self, service: Service) -> Child:
        """Start a service that is to be kept running."""
        child = Child(service, spawn(service))
        self.children.append(child)
        return child

    def wait_ready(self, child: Child) -> None:
        """Wait as long as it takes for a service to answer; StartError when it ends instead."""
        say_at = time.monotonic() + SAY_AGAIN
        while not child.service.ready():
            if child.process.poll() is not None:
                raise StartError(
                    f"{child.service.name} ended with code {child.process.returncode}:\n"
                    f"{log_tail(child.service.log)}"
                )
            if time.monotonic() > say_at:
                self.say(f"{child.service.name} is still starting, see {child.service.log}")
                say_at += SAY_AGAIN
            time.sleep(0.02)

    def step(self, argv: Iterable[str], env: Mapping[str, str]) -> int:
        """Run one command in the foreground to its end; its exit code."""
        process = self.foreground(argv, env)
        return self.watch(until=process)

    def foreground(self, argv: Iterable[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start a command that has our terminal (so Ctrl-C reaches it too) and dies with us."""
        tethered = ["setpriv", "--pdeathsig", "KILL", "--", *argv]
        process = subprocess.Popen(tethered, env=dict(env))
        self._steps.append(process)
        return process

    def watch(self, until: subprocess.Popen[bytes] | None = None) -> int:
        """Restart children that die; return the exit code of `until` once it ends."""
        while True:
            for child in self.children:
                self._look_after(child)
                rotate(child.service.log)
            if until is not None and until.poll() is not None:
                return until.returncode
            time.sleep(LOOK)

    def _look_after(self, child: Child) -> None:
        if child.restart_at is None and child.process.poll() is not None:
            self.say(
                f"{child.service.name} ended with code {child.process.returncode}; starting it "
                f"again in {RESTART:g} s. Its log: {child.service.log}"
            )
            child.restart_at = time.monotonic() + RESTART
        if child.restart_at is not None and time.monotonic() >= child.restart_at:
            signal_group(child.process, signal.SIGKILL)
            child.process, child.restart_at = spawn(child.service), None

    def stop_all(self) -> None:
        """Stop the foreground command, then the services, the last started first."""
        for process in self._steps:
            process.terminate()
        for process in self._steps:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
        self._steps.clear()
        while self.children:
            child = self.children[-1]
            stop(child.service, child.process)
            self.children.pop()


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)
