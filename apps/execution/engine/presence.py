"""Workers of one machine know at once which of them has died: each holds a lock on a file of its
own, which the kernel frees with the process.

A pid would say less: it is reused, and means something else in another container. The file also
names the boot of the machine, because locks on a shared folder say nothing about another kernel's
processes; of those, and of workers with another home, only the lapsing lease tells.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

log = logging.getLogger(__name__)

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FORGOTTEN_AFTER = 86_400.0  # seconds; no lease lasts that long


class Presence:
    """The lock of one worker, from `take` until the process ends."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._path = _path(name, folder)
        self._descriptor = -1

    def take(self) -> None:
        """Best effort: without the file, the others wait for the lease to lapse."""
        if self._descriptor >= 0:
            return
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _forget_old(self._path.parent)
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            descriptor = os.open(self._path, flags, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, _boot_id().encode())
            self._descriptor = descriptor
        except OSError as error:
            log.warning("%s cannot be kept (%s): after a crash, runs wait", self._path, error)

    def leave(self) -> None:
        """The worker ends in order."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


def died_here(names: Iterable[str], folder: Path | None = None) -> list[str]:
    """Those of the workers that ran on this machine, with this home, and are certainly gone."""
    return [name for name in names if name and _is_dead(_path(name, folder))]


def _is_dead(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        boot = os.read(descriptor, 100).decode(errors="replace")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return bool(boot) and boot == _boot_id()


def _forget_old(folder: Path) -> None:
    for path in folder.glob("*.lock"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > FORGOTTEN_AFTER and _is_dead(path):
                path.unlink()


def _path(name: str, folder: Path | None) -> Path:
    place = folder or settings.HOME / "run" / "workers"
    return place / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}.lock"


def _boot_id() -> str:
    return BOOT_ID.read_text().strip()
