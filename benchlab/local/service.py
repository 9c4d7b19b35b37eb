"""One long-lived process as the supervisor knows it, and how it is started and stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals

from benchlab.local.logfiles import open_log


def _nothing() -> None:
    """Nothing to prepare."""


def _at_once() -> bool:
    return True


@dataclass(frozen=True)
class Service:
    """A program to run and how to treat it.

    `stop_signal` asks it to end, after `patience` seconds it is killed; `death_signal` is what the
    kernel sends it when the supervisor dies. `prepare` clears what an earlier life left behind;
    `ready` tells whether it answers.
    """

    name: str
    argv: tuple[str, ...]
    log: Path
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    stop_signal: Signals = signal.SIGTERM
    death_signal: Signals = signal.SIGKILL
    patience: float = 10.0
    prefix: tuple[str, ...] = ()
    prepare: Callable[[], None] = _nothing
    ready: Callable[[], bool] = _at_once


def spawn(service: Service) -> subprocess.Popen[bytes]:
    """Start it in a session of its own, tied to the calling *thread* by its death signal.

    setpriv (util-linux) sets the signal as the last step, because the kernel forgets it when the
    user changes (man 2 prctl, PR_SET_PDEATHSIG). Call from the main thread only.
    """
    service.prepare()
    tether = ("setpriv", "--pdeathsig", service.death_signal.name.removeprefix("SIG"), "--")
    with open_log(service.log) as log:
        return subprocess.Popen(
            [*service.prefix, *tether, *service.argv],
            env=dict(service.env),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def signal_group(process: subprocess.Popen[bytes], number: Signals) -> None:
    """Signal the whole process group that `spawn` made."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def stop(service: Service, process: subprocess.Popen[bytes]) -> None:
    """End it: politely for `patience` seconds, then the whole group with SIGKILL."""
    if process.poll() is None:
        process.send_signal(service.stop_signal)
    try:
        process.wait(service.patience)
    except subprocess.TimeoutExpired:
        signal_group(process, signal.SIGKILL)
        process.wait()
    # Also what it left behind in its group, for instance children of a child that was killed.
    signal_group(process, signal.SIGKILL)
