"""The file that a loop device shows, so that another one of the same name is noticed."""

import fcntl
import os
import struct
from typing import Optional

from ..shapes import Backing
from .blocks import Block
from .residency import LIBC

try:
    import ctypes
except ImportError:  # a Python built without libffi
    pass

AT_FDCWD, STATX_BTIME = -100, 0x800  # <linux/fcntl.h>, <linux/stat.h>
STATX_BYTES, MASK_AT, BIRTH_AT = 256, 0, 0x50  # struct statx: stx_mask, stx_btime
FS_IOC_GETVERSION = 0x80087601  # ioctl_iflags(2): a number that a reused inode does not keep


def backing_of(block: Block) -> Optional[Backing]:
    """Inode, birth and generation of a loop device's file; None for other disks, and where the file
    cannot be found by its name. Not its file system's number, which changes with every start.
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
        return {"inode": inode, "birth": birth(path), "generation": generation(fd)}
    finally:
        os.close(fd)


def birth(path: str) -> Optional[str]:
    """When a file was made, "seconds.nanoseconds" (statx(2)); None where nobody knows."""
    if LIBC is None or not hasattr(LIBC, "statx"):
        return None
    found = ctypes.create_string_buffer(STATX_BYTES)
    if LIBC.statx(AT_FDCWD, os.fsencode(path), 0, STATX_BTIME, found):
        return None
    mask = struct.unpack_from("I", found.raw, MASK_AT)[0]
    moment = struct.unpack_from("qI", found.raw, BIRTH_AT)
    return "{}.{:09}".format(*moment) if mask & STATX_BTIME else None


def generation(fd: int) -> Optional[int]:
    """The inode's generation; None on file systems without."""
    try:
        answer = fcntl.ioctl(fd, FS_IOC_GETVERSION, bytes(8))
    except OSError:
        return None
    return int(struct.unpack_from("I", answer)[0])
