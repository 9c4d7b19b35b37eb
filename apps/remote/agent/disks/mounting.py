"""Mount in a private mount namespace of this process and its descendants (mount_namespaces(7)).

The kernel removes it with the last of them.
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


def unshare_mounts() -> None:
    """Give this process and its descendants a private mount namespace. Raises: OSError.

    Unmounts by others still propagate into it.
    """
    libc = load_libc()
    check_result(libc.unshare(CLONE_NEWNS))
    check_result(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_SLAVE), None))


def mount(node: str, mount_point: str, kind: str, flags: int, options: str) -> None:
    """Call mount(2) without suid programs and devices. Raises: OSError."""
    flags |= MS_NOSUID | MS_NODEV
    words = [os.fsencode(node), os.fsencode(mount_point), kind.encode()]
    check_result(load_libc().mount(*words, ctypes.c_ulong(flags), options.encode()))


def unmount(mount_point: str) -> None:
    """Call umount(2), which waits until everything is written. Raises: OSError."""
    check_result(load_libc().umount2(os.fsencode(mount_point), 0))


def load_libc() -> "ctypes.CDLL":
    """Return the C library. Raises: OSError."""
    if LIBC is None:
        raise OSError(0, "this Python has no ctypes")
    return LIBC


def check_result(result: int) -> None:
    """Raise OSError if a call failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def mounts_of(device: int) -> List[Mount]:
    """Return the mounts of a disk in this namespace."""
    return [one for one in mounts() if one.device == device]


def displayed_options(one: Mount, name: str) -> List[str]:
    """Return the options of a mount as displayed by the kernel; of ext4 including defaults."""
    words = one.options.split(",") + one.fs_options.split(",")
    return words + (read_text("/proc/fs/ext4/{}/options".format(name)) or "").split()
