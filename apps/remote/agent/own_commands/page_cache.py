"""The agent's own command `@drop-caches`: empty the page cache, and look whether what the test
works on is really out of it.
"""

import json
import os
import re
import time
from typing import Dict, Iterator, List, Tuple

from ..disks.residency import cached
from ..files import read_text, write_all
from ..targets.held import Held

SWITCH = (
    "/proc/sys/vm/drop_caches"  # Documentation/admin-guide/sysctl/vm.rst: 3 is pages and inodes
)
TRIES = 3
PAUSE = 0.2
# udev and its helpers read a disk's first and last sectors whenever somebody closes it.
TOLERATED = 1 << 20
NOT_DROPPED = (
    "The page cache was not dropped ({}): it takes root, and a /proc/sys that can be written."
)
LEFT = (
    "After the page cache was dropped, {} of {} bytes looked at of {} are still in it; a memory "
    "file system, a swap file or a process that uses them keeps them there."
)
Figures = Dict[str, int]


class CacheError(Exception):
    """It did not work; the message is a sentence."""


def drop_caches(held: List[Held]) -> int:
    """Prints one line with a document, or says on stderr why it did not work; the exit code.

    `before` and `after`: bytes of the host's page cache; `resident`: bytes of the test's own files
    and disks still in it, of the `looked` bytes that were looked at, of `size` in all.
    """
    try:
        figures = dropped(held)
    except CacheError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    write_all(1, (json.dumps({"drop_caches": figures}, sort_keys=True) + "\n").encode())
    return 0


def dropped(held: List[Held]) -> Figures:
    """Write back, drop and look, until it is so. Raises CacheError."""
    before = page_cache()
    for attempt in range(TRIES):
        time.sleep(PAUSE if attempt else 0)
        drop()
        found = [(one, left(one)) for one in held]
        if all(is_gone(one, figures) for one, figures in found):
            break
    else:
        raise CacheError(" ".join(sentence(*pair) for pair in found if not is_gone(*pair)))
    names = ("resident", "looked", "size")
    sums = {name: sum(figures[name] for _, figures in found) for name in names}
    return dict(sums, before=before, after=page_cache())


def drop() -> None:
    """Only clean pages are dropped, so they are written back first. Raises CacheError."""
    os.sync()
    try:
        with open(SWITCH, "w") as file:
            file.write("3")
    except OSError as error:
        raise CacheError(NOT_DROPPED.format(error.strerror)) from None


def page_cache() -> int:
    """Bytes of files and disks in memory, without memory file systems (proc(5), /proc/meminfo)."""
    pairs = dict(re.findall(r"^(\w+):\s+(\d+) kB", read_text("/proc/meminfo") or "", re.MULTILINE))
    kibibytes = {name: int(pairs.get(name, 0)) for name in ("Cached", "Buffers", "Shmem")}
    return (kibibytes["Cached"] + kibibytes["Buffers"] - kibibytes["Shmem"]) * 1024


def left(one: Held) -> Figures:
    """The part of a target that is in the page cache. Raises CacheError."""
    total = {"resident": 0, "looked": 0, "size": 0}
    try:
        for fd, size in opened(one):
            resident, looked = cached(fd, size)
            total["resident"] += resident
            total["looked"] += looked
            total["size"] += size
    except OSError as error:
        raise CacheError("The page cache cannot be looked at: {}.".format(error)) from None
    return total


def opened(one: Held) -> Iterator[Tuple[int, int]]:
    """The disk itself, or every file in benchlab's folder: descriptors and sizes in bytes."""
    if one.claim and one.block and not os.path.isdir(one.place):
        yield one.fd, one.block.size
        return
    for folder, _, names in os.walk(one.place):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                yield fd, os.fstat(fd).st_size
            finally:
                os.close(fd)


def is_gone(one: Held, figures: Figures) -> bool:
    """Whether nothing that matters is left."""
    return figures["resident"] <= (0 if os.path.isdir(one.place) else TOLERATED)


def sentence(one: Held, figures: Figures) -> str:
    """The sentence for what is left of a target."""
    return LEFT.format(figures["resident"], figures["looked"], one.place)
