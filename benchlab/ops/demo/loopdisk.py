"""Disk of the demonstration: a loop device over its own file."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

DISK_BYTES = 512 * 1024**2
FILE = "demo/disk.img"
# The kernel's suffix of a deleted backing file (d_path).
DELETED = " (deleted)"
SYS_BLOCK = Path("/sys/block")


class NoLoopDevice(Exception):
    """No loop device is available; the demonstration uses a directory."""


def loop_disk(file: Path) -> str:
    """Return the `/dev/loopN` over `file` (created with DISK_BYTES), attached once."""
    if not file.exists():
        detach(file)  # left by an earlier start over a deleted file
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as handle:
            handle.truncate(DISK_BYTES)
    return attached(file) or _attach(file)


def attached(file: Path) -> str | None:
    """Return the loop device of `file`, if attached."""
    listed = _losetup("--json", "--list", "--output", "NAME,BACK-FILE", "--associated", str(file))
    devices = json.loads(listed).get("loopdevices", []) if listed.strip() else []
    return str(devices[0]["name"]) if devices else None


def detach(file: Path) -> list[str]:
    """Detach every loop device over `file`, even if deleted. Return the busy ones."""
    busy = []
    for node in _over(file):
        if _is_free(node):
            _losetup("--detach", node)
        else:
            busy.append(node)
    return busy


def demo_disk_detach(home: Path, say: Callable[[str], None]) -> None:
    """Detach the disk of bin/demo as far as possible."""
    try:
        for node in detach(home / FILE):
            say(f"{node} is still in use by a test; it is detached after the next bin/demo.")
    except NoLoopDevice as error:
        say(f"The demonstration's loop device stays attached: {error}")


def _over(file: Path) -> list[str]:
    path = str(file.resolve())
    return [
        f"/dev/{entry.parents[1].name}"
        for entry in SYS_BLOCK.glob("loop*/loop/backing_file")
        if _text(entry) in (path, path + DELETED)
    ]


def _is_free(node: str) -> bool:
    """Return True if no process has the device open exclusively.

    Detached while in use, it would vanish in the middle of a run.
    """
    try:
        os.close(os.open(node, os.O_RDONLY | os.O_EXCL))
    except OSError:
        return False
    return True


def _text(entry: Path) -> str:
    try:
        return entry.read_text().rstrip("\n")
    except OSError:
        return ""  # detached meanwhile


def _attach(file: Path) -> str:
    return _losetup("--find", "--show", "--direct-io=on", str(file)).strip()


def _losetup(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["losetup", *arguments], capture_output=True, text=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", None) or error
        raise NoLoopDevice(str(reason).strip()) from error
    return done.stdout
