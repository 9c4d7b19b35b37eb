"""Settings of the embedded PostgreSQL by memory and disk; its defaults assume 512 MB.

The machine also runs benchlab's processes and perhaps disk tests, so the shares are half of those
of a dedicated server.
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
    """Return the settings for this machine's memory and the free space of the data folder."""
    return settings_for(memory(), _free_bytes(folder))


def settings_for(ram: int, disk_space: int) -> dict[str, str]:
    """Return the settings for `ram` and `disk_space` in bytes."""
    return {
        "shared_buffers": _mib(ram // 8, 128 * MIB, 4 * GIB),
        "effective_cache_size": _mib(ram // 2, 512 * MIB, 256 * GIB),
        "work_mem": _mib(ram // 1024, 4 * MIB, 32 * MIB),
        "maintenance_work_mem": _mib(ram // 32, 64 * MIB, GIB),
        # Fewer checkpoints write less twice; recovery takes some seconds more.
        "max_wal_size": _mib(disk_space // 20, GIB, 8 * GIB),
        "checkpoint_timeout": "15min",
        "wal_compression": "on",
        # Reads are cached or from an SSD.
        "random_page_cost": "1.1",
        # Queries of pages are short; JIT compilation would take longer than running them.
        "jit": "off",
        "max_connections": "200",
    }


def memory(cgroup: Path = CGROUP) -> int:
    """Return the memory of this machine or container in bytes."""
    ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(ram, int(cgroup.read_text()))
    except (OSError, ValueError):  # no such group, or "max"
        return ram


def _free_bytes(folder: Path) -> int:
    """Return the free bytes of a folder that may not exist yet."""
    return shutil.disk_usage(_first_that_exists([folder, *folder.parents])).free


def _first_that_exists(paths: Iterable[Path]) -> Path:
    return next(path for path in paths if path.exists())


def _mib(wanted: int, least: int, most: int) -> str:
    return f"{min(max(wanted, least), most) // MIB}MB"
