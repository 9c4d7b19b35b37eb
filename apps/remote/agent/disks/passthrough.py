"""NVMe generic device of a disk: the character device that takes commands beside the block layer.

Commands on it reach the same namespace as the block device, so a job may use it only while it has
the block device claimed. It must be the same namespace of the same controller, by sysfs and by the
kernel's answer on both descriptors.
"""

import fcntl
import os
import re
import stat
from typing import List

from ..errors import RefusalError
from ..files import list_folder, read_text
from ..processes.tree import is_writable
from .blocks import Block, device_number

# A whole namespace: nvme0n1, never its partition nvme0n1p1 or its path nvme0c1n1.
NAMESPACE = re.compile(r"^nvme(\d{1,6})n(\d{1,6})$")
CLASS = "/sys/class/nvme-generic"
DEV = "/dev"
NVME_IOCTL_ID = 0x4E40  # <linux/nvme_ioctl.h>: the number of the namespace

ABSENT = (
    "Pass-through: {} has no NVMe generic device; it is for whole NVMe namespaces and needs Linux "
    "5.13 or newer."
)
OTHER = "Pass-through: {} is not the generic device of {}; nothing was started."
UNREADABLE = "Pass-through: {} cannot be compared with {} ({}); nothing was started."
OPEN = "Open: process {} ({}) has {} open for {}; stop it first."


def generic_name(block: Block) -> str:
    """Return the kernel name of the generic device of a disk; "" if it has none."""
    match = NAMESPACE.match(block.name)
    name = "ng{}n{}".format(match.group(1), match.group(2)) if match else ""
    return name if name and os.path.isdir(os.path.join(CLASS, name)) else ""


def generic_node(block: Block, claim_fd: int) -> str:
    """Return the node of the generic device of a claimed disk.

    `claim_fd`: the claim of the block device. Raises: RefusalError.
    """
    name = generic_name(block)
    if not name:
        raise RefusalError([ABSENT.format(block.node)])
    node = os.path.join(DEV, name)
    try:
        same = is_same_namespace(name, node, block, claim_fd)
    except OSError as error:
        raise RefusalError([UNREADABLE.format(node, block.node, error.strerror)]) from None
    if not same:
        raise RefusalError([OTHER.format(node, block.node)])
    return node


def is_same_namespace(name: str, node: str, block: Block, claim_fd: int) -> bool:
    """Return True if the node is the generic device of this disk. Raises: OSError."""
    folder = os.path.join(CLASS, name)
    parents = [os.path.realpath(os.path.join(one, "device")) for one in (folder, block.folder)]
    fd = os.open(node, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        state = os.fstat(fd)
        if not stat.S_ISCHR(state.st_mode) or state.st_rdev != generic_number(name):
            return False
        return parents[0] == parents[1] and namespace_id(fd) == namespace_id(claim_fd)
    finally:
        os.close(fd)


def generic_number(name: str) -> int:
    """Return the device number of a generic device by sysfs."""
    return device_number(read_text(os.path.join(CLASS, name, "dev")) or "")


def namespace_id(fd: int) -> int:
    """Return the number of the namespace behind a descriptor. Raises: OSError."""
    return fcntl.ioctl(fd, NVME_IOCTL_ID)


def generic_users(block: Block) -> List[str]:
    """Return a sentence for each process that has the generic device of a disk open."""
    name = generic_name(block)
    number = generic_number(name) if name else 0
    result = []
    for pid in list_folder("/proc") if number else []:
        if not pid.isdigit() or int(pid) == os.getpid():
            continue
        folder = "/proc/" + pid
        for fd in list_folder(folder + "/fd"):
            if is_character_device("{}/fd/{}".format(folder, fd), number):
                command = read_text(folder + "/comm") or "?"
                mode = "writing" if is_writable(folder, fd) else "reading"
                result.append(OPEN.format(pid, command, name, mode))
                break
    return result


def is_character_device(path: str, number: int) -> bool:
    """Return True if a path is the character device with this number."""
    try:
        state = os.stat(path)
    except OSError:
        return False
    return stat.S_ISCHR(state.st_mode) and state.st_rdev == number
