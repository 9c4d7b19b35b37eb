"""Settings of the embedded PostgreSQL that fit the machine: its own defaults are for one of 512 MB.

The machine is shared with benchlab's own processes, and perhaps with tests of its disks, so the
shares are half of what a dedicated server would take.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

MIB = 1024**2
GIB = 1024**3
CGROUP = Path("/sys/fs/cgroup/memory.max")


def fitted(folder: Path) -> dict[str, str]:
    """For this machine's memory, and the room on the file system of the data's folder."""
    return settings_for(memory(), _room(folder))


def settings_for(ram: int, room: int) -> dict[str, str]:
    """`ram` and `room` in bytes."""
    return {
        "shared_buffers": _mib(ram // 8, 128 * MIB, 4 * GIB),
        "effective_cache_size": _mib(ram // 2, 512 * MIB, 256 * GIB),
        "work_mem": _mib(ram // 1024, 4 * MIB, 32 * MIB),
        "maintenance_work_mem": _mib(ram // 32, 64 * MIB, GIB),
        # Longer between checkpoints: less is written twice. A crash costs some seconds more.
        "max_wal_size": _mib(room // 20, GIB, 8 * GIB),
        "checkpoint_timeout": "15min",
        "wal_compression": "on",
        # What lists and comparisons read is in memory or on an SSD.
        "random_page_cost": "1.1",
        # Pages' queries are short; compiling them would take longer than running them.
        "jit": "off",
        "max_connections": "200",
    }


def memory(cgroup: Path = CGROUP) -> int:
    """Bytes that this machine, or the container it is, has."""
    ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(ram, int(cgroup.read_text()))
    except (OSError, ValueError):  # no such group, or "max"
        return ram


def _room(folder: Path) -> int:
    """Free bytes where the folder is, or will be."""
    return shutil.disk_usage(_first_that_exists([folder, *folder.parents])).free


def _first_that_exists(places: Iterable[Path]) -> Path:
    return next(place for place in places if place.exists())


def _mib(wanted: int, least: int, most: int) -> str:
    return f"{min(max(wanted, least), most) // MIB}MB"
