"""The demonstration's disk: a loop device over a file of our own, the only thing it ever writes
to.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

DISK_BYTES = 1024**3


class NoLoopDevice(Exception):
    """This machine gives us no loop device; the demonstration uses a directory instead."""


def loop_disk(file: Path) -> str:
    """The `/dev/loopN` over `file` (made with DISK_BYTES if new), attached once and reused."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as handle:
            handle.truncate(DISK_BYTES)
    return attached(file) or _attach(file)


def attached(file: Path) -> str | None:
    """The loop device that `file` is attached to already, if any."""
    listed = _losetup("--json", "--list", "--output", "NAME,BACK-FILE", "--associated", str(file))
    devices = json.loads(listed).get("loopdevices", []) if listed.strip() else []
    return str(devices[0]["name"]) if devices else None


def detach(file: Path) -> None:
    """Let go of the loop device over `file`."""
    node = attached(file)
    if node is not None:
        _losetup("--detach", node)


def _attach(file: Path) -> str:
    return _losetup("--find", "--show", "--direct-io=on", str(file)).strip()


def _losetup(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["losetup", *arguments], capture_output=True, text=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or error
        raise NoLoopDevice(str(said).strip()) from error
    return done.stdout
