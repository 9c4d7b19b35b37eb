"""Keep a handful of processes running, and leave none behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

from benchlab.standalone.errors import StartError
from benchlab.standalone.logfiles import log_tail, rotate
from benchlab.standalone.service import Service, ask_to_stop, signal_group, spawn, stop

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SHORTEST, LONGEST = 1.0, 60.0  # seconds between two starts of a child that keeps dying
SETTLED = 60.0  # seconds after which a child counts as running well
SAY_AGAIN = 15.0  # seconds between two "still waiting" lines
LOGS = 10.0  # seconds between two looks at the sizes of the logs


class Stopped(BaseException):
    """Somebody asked us to stop (Ctrl-C, SIGTERM, the terminal went away)."""


@dataclass
class Child:
    """One service and its present process."""

    service: Service
    process: subprocess.Popen[bytes]
    started: float
    delay: float = SHORTEST
    restart_at: float | None = None


class Supervisor:
    """Use as a context manager in the main thread; leaving it stops everything it started."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.children: list[Child] = []
        self._steps: list[subprocess.Popen[bytes]] = []
        self._handlers: dict[signal.Signals, Any] = {}
        self._wake = (-1, -1)
        self._old_wake = -1

    def __enter__(self) -> Supervisor:
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wake = (reader, writer)
        self._old_wake = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            self._handlers[number] = signal.signal(number, _stop)
        # A handler of ours, or the end of a child would not wake the loop.
        self._handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _ignore)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, self._hurry)
        self.stop_all()
        signal.set_wakeup_fd(self._old_wake)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for descriptor in self._wake:
            os.close(descriptor)

    def start(self, service: Service) -> Child:
        """Start a service that is to be kept running."""
        child = Child(service, spawn(service), time.monotonic())
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
            self._sleep()

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.restart_at is None and child.process.poll() is not None:
            if now - child.started > SETTLED:
                child.delay = SHORTEST
            self.say(
                f"{child.service.name} ended with code {child.process.returncode}; starting it "
                f"again in {child.delay:g} s. Its log: {child.service.log}"
            )
            child.restart_at = now + child.delay
            child.delay = min(child.delay * 2, LONGEST)
        if child.restart_at is not None and now >= child.restart_at:
            signal_group(child.process, signal.SIGKILL)
            child.process, child.started = spawn(child.service), time.monotonic()
            child.restart_at = None

    def _sleep(self) -> None:
        """Until a signal arrives (a child ended), the next restart or look at the logs is due."""
        due = [child.restart_at for child in self.children if child.restart_at is not None]
        patience = max(0.0, min([*due, time.monotonic() + LOGS]) - time.monotonic())
        select.select([self._wake[0]], [], [], patience)
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake[0], 512)

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

    def _hurry(self, number: int, frame: FrameType | None) -> None:
        """A second Ctrl-C: no more patience with anything but the database."""
        for child in self.children:
            if child.service.name == "postgres":
                ask_to_stop(child.service, child.process)
            else:
                signal_group(child.process, signal.SIGKILL)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Only to be woken."""
