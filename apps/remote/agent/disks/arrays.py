"""Arrays of which disks consist: Linux MD, virtual drives of RAID controllers. Reads only.

Sources: Documentation/admin-guide/md.rst (`md/level`, `raid_disks`, `chunk_size`, `layout`,
`degraded`); names of device-mapper UUIDs as multipath-tools writes them ("mpath-").
"""

import os
from typing import Any, Dict, List, Optional

from ..files import list_folder, read_text
from .blocks import Block
from .megaraid import virtual_drives

MD_LEVELS = ("raid0", "raid1", "raid5", "raid6", "raid10")
TWO_COPIES = (0x102, 0x201)
"""Layouts of raid10 with two copies: near or far copies in the lower two bytes."""


def arrays_by_name(blocks: List[Block]) -> Dict[str, Dict[str, Any]]:
    """Return the array of each disk that is one, by kernel name."""
    virtual = virtual_drives()
    result = {}
    for block in blocks:
        array = array_of(block, virtual)
        if array is not None:
            result[block.name] = array
    return result


def array_of(block: Block, virtual: List[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    """Return the array of a disk, or of the only device below it; None if it is none.

    A multipath disk has the array of its paths.
    """
    if block.kind == "md":
        return md_array(block)
    lower = lower_blocks(block)
    if len(lower) == 1 or (lower and is_multipath(block)):
        return array_of(lower[0], virtual)
    return None if lower else virtual_array(block, virtual)


def is_multipath(block: Block) -> bool:
    """Return True if device mapper joins several paths to one disk."""
    return block.text("dm/uuid").startswith("mpath-")


def lower_blocks(block: Block) -> List[Block]:
    """Return the whole disks directly below a device."""
    folder = os.path.join(block.folder, "slaves")
    return [whole_block(os.path.realpath(os.path.join(folder, n))) for n in list_folder(folder)]


def whole_block(folder: str) -> Block:
    """Return the disk of a folder of a disk or partition in sysfs."""
    if os.path.exists(os.path.join(folder, "partition")):
        folder = os.path.dirname(folder)
    block = Block(os.path.basename(folder))
    block.folder = folder
    return block


def md_array(block: Block) -> Optional[Dict[str, Any]]:
    """Return an MD array; None for linear, containers and raid10 with other than two copies."""
    level, layout = block.text("md/level"), block.number("md/layout") or 0
    # While an array is reshaped, the number before stands behind in parentheses.
    disks = (block.text("md/raid_disks").split() or [""])[0]
    if level not in MD_LEVELS or not disks.isdigit():
        return None
    if level == "raid10" and (layout & 0xFFFF not in TWO_COPIES or int(disks) % 2):
        return None
    models = {one.model for one in lower_blocks(block)}
    degraded = block.number("md/degraded")
    return {
        "level": level,
        "disks": int(disks),
        "disk_model": models.pop() if len(models) == 1 else "",
        "chunk_bytes": block.number("md/chunk_size") or None,
        "write_policy": "",
        "cache_bytes": None,
        "battery": None,
        "degraded": None if degraded is None else degraded > 0,
    }


def virtual_array(block: Block, virtual: List[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
    """Return the virtual drive that the host sees as this disk: by WWN, else by device node."""
    wwn = block.wwid_identity[len("wwn:") :].lower()
    for prefix in ("naa.", "0x"):
        if wwn.startswith(prefix):
            wwn = wwn[len(prefix) :]
    by_name = [one for one in virtual if one["naa"] and one["naa"] == wwn]
    by_node = [one for one in virtual if not one["naa"] and one["node"] == block.node]
    for one in by_name or by_node:
        return {key: value for key, value in one.items() if key not in ("naa", "node")}
    return None


def paths_of(block: Block) -> List[Dict[str, str]]:
    """Return name and state of each path of a multipath disk; [] for other disks.

    The kernel's states: running, offline, transport-offline, blocked.
    """
    if not is_multipath(block):
        return []
    states = [
        (lower.name, read_text(os.path.join(lower.folder, "device", "state")) or "")
        for lower in lower_blocks(block)
    ]
    return [{"name": name, "state": state} for name, state in states]
