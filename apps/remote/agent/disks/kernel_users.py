"""Users of a disk that O_EXCL does not detect.

They hold no descriptor in a process and are not in /sys/block/*/holders.
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
LoopBacking = NamedTuple("LoopBacking", [("name", str), ("file", str), ("device", int)])


def kernel_user_reasons(block: Block) -> List[str]:
    """Check for loop devices over the disk and exports over NVMe fabrics."""
    return loop_reasons(block) + nvme_export_reasons(block)


def loop_reasons(block: Block) -> List[str]:
    """Check for loop devices with data on this disk; of a loop device also others of its file."""
    devices = block.devices()
    backings = [result for result in map(loop_backing, loop_names()) if result]
    own_file = next((result.file for result in backings if result.name == block.name), None)
    others = [
        result.name
        for result in backings
        if result.name != block.name and (result.device in devices or result.file == own_file)
    ]
    sentence = "Loop: {} shows data of {}; detach it (losetup -d /dev/{}) first."
    return [sentence.format(name, block.node, name) for name in others]


def loop_names() -> List[str]:
    """Return the loop devices in use."""
    names = [name for name in list_folder("/sys/block") if name.startswith("loop")]
    return [name for name in names if os.path.exists("/sys/block/{}/loop".format(name))]


def loop_backing(name: str) -> Optional[LoopBacking]:
    """Return the file or device below a loop device; None if it cannot be read.

    By number, since names change. `device` is 0 for a plain file.
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
    return LoopBacking(name, "{}:{}".format(holder, inode), device)


def nvme_export_reasons(block: Block) -> List[str]:
    """Check for enabled NVMe target namespaces.

    drivers/nvme/target/io-cmd-bdev.c opens the disk without claiming it.
    """
    devices = block.devices()
    sentence = "Export: {} is given to others over NVMe fabrics ({}); switch that namespace off."
    result = []
    for subsystem in list_folder(NVMET):
        spaces = os.path.join(NVMET, subsystem, "namespaces")
        for space in list_folder(spaces):
            folder = os.path.join(spaces, space)
            path = read_text(os.path.join(folder, "device_path")) or ""
            on = read_text(os.path.join(folder, "enable")) == "1"
            if on and device_number_at(path) in devices:
                result.append(sentence.format(block.node, subsystem))
    return result


def device_number_at(path: str) -> int:
    """Return the device number of a path; -1 for anything but a block device."""
    node = os.path.basename(os.path.realpath(path)) if path else ""
    text = read_text("/sys/class/block/{}/dev".format(node)) if node else None
    return device_number(text) if text else -1
