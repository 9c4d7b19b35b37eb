"""Find the disks below a directory.

From its mount through partitions, LVM, RAID and encryption to whole disks (/proc/self/mountinfo,
/sys/block/*/slaves; of btrfs /sys/fs/btrfs/<uuid>/devices).
"""

import os
from typing import List

from ..errors import TuningUnavailableError
from ..files import list_folder, read_text
from ..schema import SettingSpec
from .blocks import Block, device_number, device_stack, whole_disk
from .mounts import Mount, mount_of

DIRECTORY = "directory:"  # begins an identity: for every disk that carries this directory
BTRFS = "/sys/fs/btrfs"
READ_AHEAD = "read_ahead_kb"
NO_DISK = (
    "Tuning: {} lies on {} ({}), below which this host shows no disk, so no setting of a queue "
    "reaches it."
)
BTRFS_READ_AHEAD = (
    "Tuning: {} lies on btrfs, which reads ahead by a setting of its own; {} of the disks below "
    "changes nothing there."
)


def backing_disks(path: str) -> List[Block]:
    """Return the whole disks below a directory, each once. Raises: TuningUnavailableError."""
    result = {leaf.name: leaf for top in file_system_devices(path) for leaf in bottom_disks(top)}
    return list(result.values())


def backing_disks_or_none(path: str) -> List[Block]:
    """Return the disks below a directory; empty if there are none."""
    try:
        return backing_disks(path)
    except TuningUnavailableError:
        return []


def file_system_devices(path: str) -> List[Block]:
    """Return the devices of the directory's file system; for a partition its disk.

    Raises: TuningUnavailableError.
    """
    mount = mount_of(os.path.realpath(path))
    result = devices_of(mount) if mount else []
    if not result:
        kind, source = (mount.kind, mount.source) if mount else ("unknown", "nothing mounted")
        raise TuningUnavailableError([NO_DISK.format(path, kind, source)])
    return result


def devices_of(mount: Mount) -> List[Block]:
    """Return the devices of a mount; empty for memory and network file systems."""
    disk = whole_disk(mount.device)
    if disk is None:
        return []
    return (btrfs_devices(mount.device) if mount.kind == "btrfs" else []) or [disk]


def btrfs_devices(device: int) -> List[Block]:
    """Return every device of the btrfs that contains this one."""
    for name in list_folder(BTRFS):
        members = list_folder(os.path.join(BTRFS, name, "devices"))
        numbers = [kernel_device_number(member) for member in members]
        if device in numbers:
            disks = [whole_disk(number) for number in numbers]
            return [disk for disk in disks if disk]
    return []


def kernel_device_number(name: str) -> int:
    """Return the device number of a disk or partition by kernel name."""
    return device_number(read_text("/sys/class/block/{}/dev".format(name)) or "")


def bottom_disks(block: Block) -> List[Block]:
    """Return the disks at the bottom of a stacked device; a plain disk itself."""
    return [one for one in device_stack(block) if not one.slaves()]


def directory_setting_disks(setting: SettingSpec) -> List[Block]:
    """Return the disks a setting of a directory applies to.

    Read-ahead also applies to the stacked device of the file system. Raises:
    TuningUnavailableError.
    """
    path = setting["identity"][len(DIRECTORY) :]
    tops, disks = file_system_devices(path), backing_disks(path)
    if setting["name"] != READ_AHEAD:
        return disks
    mount = mount_of(os.path.realpath(path))
    if mount and mount.kind == "btrfs":
        raise TuningUnavailableError([BTRFS_READ_AHEAD.format(path, READ_AHEAD)])
    return disks + [top for top in tops if top.slaves()]
