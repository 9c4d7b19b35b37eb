"""Users of a disk that the kernel's claim does not know: opening with O_EXCL succeeds beside them,
they hold no descriptor in any process, and /sys/block/*/holders does not name them.
"""

import fcntl
import os
import struct
from typing import List, NamedTuple, Optional

from ..files import list_folder, read_text
from .blocks import Block, device_number

LOOP_GET_STATUS64 = 0x4C05  # <linux/loop.h>
STATUS_BYTES = 232  # struct loop_info64; it begins with lo_device, lo_inode and lo_rdevice
NVMET = "/sys/kernel/config/nvmet/subsystems"
Backing = NamedTuple("Backing", [("name", str), ("file", str), ("device", int)])


def unseen(block: Block) -> List[str]:
    """Loop devices over the disk or a partition, and disks given away over NVMe fabrics."""
    return loops_over(block) + exports(block)


def loops_over(block: Block) -> List[str]:
    """Loop devices whose data lies on this disk, be it named as it may; of a loop device also its
    twins, which show the same file under another name.
    """
    devices = block.devices()
    backings = [found for found in map(backing, loop_names()) if found]
    own = next((found.file for found in backings if found.name == block.name), None)
    others = [
        found.name
        for found in backings
        if found.name != block.name and (found.device in devices or found.file == own)
    ]
    sentence = "Loop: {} shows data of {}; detach it (losetup -d /dev/{}) first."
    return [sentence.format(name, block.node, name) for name in others]


def loop_names() -> List[str]:
    """Loop devices that carry something."""
    names = [name for name in list_folder("/sys/block") if name.startswith("loop")]
    return [name for name in names if os.path.exists("/sys/block/{}/loop".format(name))]


def backing(name: str) -> Optional[Backing]:
    """The file or device below a loop device, by number and not by name, as names change; None when
    it cannot be asked. `device` is 0 for a plain file.
    """
    try:
        fd = os.open("/dev/" + name, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        answer = fcntl.ioctl(fd, LOOP_GET_STATUS64, bytes(STATUS_BYTES))
    except OSError:
        return None
    finally:
        os.close(fd)
    holder, inode, device = struct.unpack_from("QQQ", answer)
    return Backing(name, "{}:{}".format(holder, inode), device)


def exports(block: Block) -> List[str]:
    """NVMe target namespaces that are switched on (Linux: drivers/nvme/target/io-cmd-bdev.c opens
    the disk without claiming it).
    """
    devices = block.devices()
    sentence = "Export: {} is given to others over NVMe fabrics ({}); switch that namespace off."
    found = []
    for subsystem in list_folder(NVMET):
        spaces = os.path.join(NVMET, subsystem, "namespaces")
        for space in list_folder(spaces):
            folder = os.path.join(spaces, space)
            path = read_text(os.path.join(folder, "device_path")) or ""
            on = read_text(os.path.join(folder, "enable")) == "1"
            if on and number_of(path) in devices:
                found.append(sentence.format(block.node, subsystem))
    return found


def number_of(path: str) -> int:
    """The device number a path leads to today; -1 for anything but a block device."""
    node = os.path.basename(os.path.realpath(path)) if path else ""
    text = read_text("/sys/class/block/{}/dev".format(node)) if node else None
    return device_number(text) if text else -1
