"""The disks below a directory: from its mount through partitions, logical volumes, RAID and
encryption to the whole disks that carry it (/proc/self/mountinfo, /sys/block/*/slaves; of btrfs,
which may lie on several, /sys/fs/btrfs/<uuid>/devices).
"""

import os
from typing import List

from ..errors import ImpossibleError
from ..files import list_folder, read_text
from ..shapes import Setting
from .blocks import Block, below, device_number, whole_disk
from .mounts import Mount, mount_of

DIRECTORY = "directory:"  # begins an identity: for every disk that carries this directory
BTRFS = "/sys/fs/btrfs"
READ_AHEAD = "read_ahead_kb"
NO_DISK = (
    "Tuning: {} lies on {} ({}), below which this host shows no disk, so no setting of a queue "
    "reaches it."
)
OWN_READ_AHEAD = (
    "Tuning: {} lies on btrfs, which reads ahead by a setting of its own; {} of the disks below "
    "changes nothing there."
)


def carriers(path: str) -> List[Block]:
    """The whole disks that carry a directory, each once. Raises ImpossibleError."""
    found = {leaf.name: leaf for top in file_system_devices(path) for leaf in leaves(top)}
    return list(found.values())


def carriers_or_none(path: str) -> List[Block]:
    """The same; none where none is seen."""
    try:
        return carriers(path)
    except ImpossibleError:
        return []


def file_system_devices(path: str) -> List[Block]:
    """The devices of the directory's file system itself, of a partition its disk. Raises
    ImpossibleError.
    """
    mount = mount_of(os.path.realpath(path))
    found = devices_of(mount) if mount else []
    if not found:
        kind, source = (mount.kind, mount.source) if mount else ("unknown", "nothing mounted")
        raise ImpossibleError([NO_DISK.format(path, kind, source)])
    return found


def devices_of(mount: Mount) -> List[Block]:
    """The disks or stacked devices of a mount; none of a file system in memory or on another
    host.
    """
    disk = whole_disk(mount.device)
    if disk is None:
        return []
    return (btrfs_devices(mount.device) if mount.kind == "btrfs" else []) or [disk]


def btrfs_devices(device: int) -> List[Block]:
    """Every device of the btrfs that has this one; none where the kernel does not tell."""
    for name in list_folder(BTRFS):
        members = list_folder(os.path.join(BTRFS, name, "devices"))
        numbers = [node_number(member) for member in members]
        if device in numbers:
            disks = [whole_disk(number) for number in numbers]
            return [disk for disk in disks if disk]
    return []


def node_number(name: str) -> int:
    """The device number of a disk or partition by the kernel's name."""
    return device_number(read_text("/sys/class/block/{}/dev".format(name)) or "")


def leaves(block: Block) -> List[Block]:
    """Of a disk itself; of a stacked device the disks at the bottom."""
    return [one for one in below(block) if not one.slaves()]


def reached_below(setting: Setting) -> List[Block]:
    """The disks a setting of a directory is lent to. Reading ahead is also a matter of the stacked
    device that the file system is on. Raises ImpossibleError.
    """
    path = setting["identity"][len(DIRECTORY) :]
    tops, disks = file_system_devices(path), carriers(path)
    if setting["name"] != READ_AHEAD:
        return disks
    mount = mount_of(os.path.realpath(path))
    if mount and mount.kind == "btrfs":
        raise ImpossibleError([OWN_READ_AHEAD.format(path, READ_AHEAD)])
    return disks + [top for top in tops if top.slaves()]
