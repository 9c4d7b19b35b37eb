"""Mounting where nobody else sees it: in a mount namespace of this process and its descendants
(mount_namespaces(7)), which the kernel takes apart with the last of them, however they ended.
"""

import os
from typing import List, Optional

from ..files import read_text
from .mounts import Mount, mounts

try:
    import ctypes

    LIBC: "Optional[ctypes.CDLL]" = ctypes.CDLL(None, use_errno=True)
except (ImportError, OSError):
    LIBC = None

CLONE_NEWNS = 0x20000  # <linux/sched.h>
MS_NOSUID, MS_NODEV, MS_REC, MS_SLAVE = 1 << 1, 1 << 2, 1 << 14, 1 << 19  # <linux/mount.h>


def apart() -> None:
    """This process and what it starts from here on have mounts of their own. What others unmount
    goes here as well. Raises OSError.
    """
    libc = loaded()
    checked(libc.unshare(CLONE_NEWNS))
    checked(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_SLAVE), None))


def mount(node: str, place: str, kind: str, flags: int, options: str) -> None:
    """mount(2), without programs and devices of the file system's own. Raises OSError."""
    flags |= MS_NOSUID | MS_NODEV
    words = [os.fsencode(node), os.fsencode(place), kind.encode()]
    checked(loaded().mount(*words, ctypes.c_ulong(flags), options.encode()))


def unmount(place: str) -> None:
    """umount(2), which waits until everything is written. Raises OSError."""
    checked(loaded().umount2(os.fsencode(place), 0))


def loaded() -> "ctypes.CDLL":
    """The C library. Raises OSError."""
    if LIBC is None:
        raise OSError(0, "this Python has no ctypes")
    return LIBC


def checked(result: int) -> None:
    """Raises OSError with the reason where a call said that it failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def mounts_of(device: int) -> List[Mount]:
    """The mounts of a disk as this process sees them."""
    return [one for one in mounts() if one.device == device]


def shown(one: Mount, name: str) -> List[str]:
    """Options of a mount as the kernel tells them, of ext4 also those it leaves out as usual."""
    words = one.options.split(",") + one.own.split(",")
    return words + (read_text("/proc/fs/ext4/{}/options".format(name)) or "").split()
