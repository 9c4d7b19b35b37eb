"""Loop devices for tests: made, lent and taken back here, and no other block device is ever
touched.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOP = re.compile(r"/dev/loop\d+")


def require_loop(device: str) -> str:
    """The device itself when it is a whole loop device. Raises ValueError for everything else."""
    if not LOOP.fullmatch(device):
        raise ValueError(f"{device!r} is no loop device; tests touch nothing else.")
    return device


@contextmanager
def loop_disk(size_mb: int, folder: Path | None = None) -> Iterator[str]:
    """A loop device over a sparse file of size_mb MiB, detached and deleted afterwards whatever
    happens.
    """
    with tempfile.TemporaryDirectory(prefix="benchlab-loop-", dir=folder) as place:
        file = Path(place) / "disk.img"
        with file.open("wb") as image:
            image.truncate(size_mb << 20)
        device = attach(file)
        try:
            yield device
        finally:
            detach(device)


def attach(file: Path) -> str:
    """The loop device that now shows the file."""
    command = ["losetup", "--find", "--show", str(file)]
    made = subprocess.run(command, check=True, capture_output=True, text=True, timeout=30)
    return require_loop(made.stdout.strip())


def detach(device: str) -> None:
    """Take the loop device away again."""
    command = ["losetup", "--detach", require_loop(device)]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
