"""The built-in command `@drop-caches`: empty the page cache and verify it for the targets."""

import json
import os
import re
import time
from typing import Dict, Iterator, List, Tuple

from ..disks.residency import cached_bytes
from ..files import read_text, write_all
from ..targets.claimed import ClaimedTarget

DROP_CACHES_FILE = (
    "/proc/sys/vm/drop_caches"  # Documentation/admin-guide/sysctl/vm.rst: 3 is pages and inodes
)
MAX_TRIES = 3
RETRY_DELAY = 0.2
# udev reads a disk's first and last sectors whenever it is closed.
TOLERATED_BYTES = 1 << 20
NOT_DROPPED = (
    "The page cache was not dropped ({}): it takes root, and a /proc/sys that can be written."
)
STILL_CACHED = (
    "After the page cache was dropped, {} of {} bytes looked at of {} are still in it; a memory "
    "file system, a swap file or a process that uses them keeps them there."
)
ByteCounts = Dict[str, int]


class CacheError(Exception):
    """Dropping failed; the message is a sentence."""


def drop_caches(claimed: List[ClaimedTarget]) -> int:
    """Drop the page cache; print one JSON line, or an error on stderr. Returns the exit code.

    `before` and `after`: bytes of the host's page cache; `resident`: bytes of the targets still
    cached, of the `checked` bytes, of `size` in total.
    """
    try:
        figures = drop_and_verify(claimed)
    except CacheError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    write_all(1, (json.dumps({"drop_caches": figures}, sort_keys=True) + "\n").encode())
    return 0


def drop_and_verify(claimed: List[ClaimedTarget]) -> ByteCounts:
    """Write back, drop and check, with retries. Raises: CacheError."""
    before = page_cache_bytes()
    for attempt in range(MAX_TRIES):
        time.sleep(RETRY_DELAY if attempt else 0)
        drop()
        result = [(one, target_residency(one)) for one in claimed]
        if all(is_dropped(one, figures) for one, figures in result):
            break
    else:
        raise CacheError(" ".join(resident_text(*pair) for pair in result if not is_dropped(*pair)))
    names = ("resident", "checked", "size")
    sums = {name: sum(figures[name] for _, figures in result) for name in names}
    return dict(sums, before=before, after=page_cache_bytes())


def drop() -> None:
    """Write dirty pages back and drop clean ones. Raises: CacheError."""
    os.sync()
    try:
        with open(DROP_CACHES_FILE, "w") as file:
            file.write("3")
    except OSError as error:
        raise CacheError(NOT_DROPPED.format(error.strerror)) from None


def page_cache_bytes() -> int:
    """Return bytes of files and disks in memory, without memory file systems (/proc/meminfo)."""
    pairs = dict(re.findall(r"^(\w+):\s+(\d+) kB", read_text("/proc/meminfo") or "", re.MULTILINE))
    kibibytes = {name: int(pairs.get(name, 0)) for name in ("Cached", "Buffers", "Shmem")}
    return (kibibytes["Cached"] + kibibytes["Buffers"] - kibibytes["Shmem"]) * 1024


def target_residency(one: ClaimedTarget) -> ByteCounts:
    """Return the bytes of a target in the page cache. Raises: CacheError."""
    total = {"resident": 0, "checked": 0, "size": 0}
    try:
        for fd, size in open_targets(one):
            resident, looked = cached_bytes(fd, size)
            total["resident"] += resident
            total["checked"] += looked
            total["size"] += size
    except OSError as error:
        raise CacheError("The page cache cannot be read: {}.".format(error)) from None
    return total


def open_targets(one: ClaimedTarget) -> Iterator[Tuple[int, int]]:
    """Yield descriptor and size in bytes of the disk, or of every file in benchlab's folder."""
    if one.claim and one.block and not os.path.isdir(one.path):
        yield one.fd, one.block.size
        return
    for folder, _, names in os.walk(one.path):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                yield fd, os.fstat(fd).st_size
            finally:
                os.close(fd)


def is_dropped(one: ClaimedTarget, figures: ByteCounts) -> bool:
    """Return True if at most the tolerated bytes are left."""
    return figures["resident"] <= (0 if os.path.isdir(one.path) else TOLERATED_BYTES)


def resident_text(one: ClaimedTarget, figures: ByteCounts) -> str:
    """Return the message for the rest of a target in the page cache."""
    return STILL_CACHED.format(figures["resident"], figures["checked"], one.path)
