"""The backing file of a loop device, to detect another file of the same name."""

import fcntl
import os
import struct
from typing import Optional

from ..schema import BackingFile
from .blocks import Block
from .residency import LIBC

try:
    import ctypes
except ImportError:  # a Python built without libffi
    pass

AT_FDCWD, STATX_BTIME = -100, 0x800  # <linux/fcntl.h>, <linux/stat.h>
STATX_BYTES, MASK_AT, BIRTH_AT = 256, 0, 0x50  # struct statx: stx_mask, stx_btime
FS_IOC_GETVERSION = 0x80087601  # ioctl_iflags(2): a number that a reused inode does not keep


def backing_file(block: Block) -> Optional[BackingFile]:
    """Return inode, birth time and generation of a loop device's file; None for other disks.

    Excludes the file system's device number, which changes with every boot.
    """
    path = block.text("loop/backing_file")
    if not path:
        return None
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        inode = os.fstat(fd).st_ino
        return {"inode": inode, "birth": birth_time(path), "generation": generation(fd)}
    finally:
        os.close(fd)


def birth_time(path: str) -> Optional[str]:
    """Return the birth time of a file, "seconds.nanoseconds" (statx(2)); None if unknown."""
    if LIBC is None or not hasattr(LIBC, "statx"):
        return None
    result = ctypes.create_string_buffer(STATX_BYTES)
    if LIBC.statx(AT_FDCWD, os.fsencode(path), 0, STATX_BTIME, result):
        return None
    mask = struct.unpack_from("I", result.raw, MASK_AT)[0]
    timestamp = struct.unpack_from("qI", result.raw, BIRTH_AT)
    return "{}.{:09}".format(*timestamp) if mask & STATX_BTIME else None


def generation(fd: int) -> Optional[int]:
    """Return the inode's generation; None if the file system has none."""
    try:
        answer = fcntl.ioctl(fd, FS_IOC_GETVERSION, bytes(8))
    except OSError:
        return None
    return int(struct.unpack_from("I", answer)[0])
