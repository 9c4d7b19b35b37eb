"""Mounts and swap: /proc/self/mountinfo and /proc/swaps (proc(5))."""

import os
import re
import stat
from typing import Dict, List, NamedTuple, Optional

from ..files import read_text
from .blocks import device_number, device_stack, whole_disk

# `root` is the folder of the file system that is mounted at `point`: "/", or another in a bind
# mount. `fs_options` are the options of the file system, `options` those of this mount.
Mount = NamedTuple(
    "Mount",
    [
        ("device", int),
        ("point", str),
        ("kind", str),
        ("options", str),
        ("root", str),
        ("source", str),
        ("fs_options", str),
    ],
)
# A location by file system and inner path, which no mount changes.
FileLocation = NamedTuple("FileLocation", [("device", int), ("path", str)])
SYSTEM = ("/", "/boot", "/boot/efi", "/usr", "/var", "/var/lib", "/home", "/etc")
ESCAPE = re.compile(r"\\([0-7]{3})")


def unescape(text: str) -> str:
    """Undo the octal escapes of blanks and backslashes."""
    return ESCAPE.sub(lambda match: chr(int(match.group(1), 8)), text)


def node_device_number(path: str) -> int:
    """Return the device number of a block device node; 0 for anything else."""
    try:
        state = os.stat(path)
    except OSError:
        return 0
    return state.st_rdev if stat.S_ISBLK(state.st_mode) else 0


def mounts() -> List[Mount]:
    """Return every mount.

    Btrfs and others show an anonymous device number, so the number of the source is used instead.
    """
    result = []
    for line in (read_text("/proc/self/mountinfo") or "").splitlines():
        fields, _, rest = line.partition(" - ")
        left, right = fields.split(), rest.split()
        if len(left) < 6 or len(right) < 2:
            continue
        device = device_number(left[2])
        if os.major(device) == 0:
            device = node_device_number(unescape(right[1])) or device
        fs_options = right[2] if len(right) > 2 else ""
        mount_point, root = unescape(left[4]), unescape(left[3])
        result.append(
            Mount(device, mount_point, right[0], left[5], root, unescape(right[1]), fs_options)
        )
    return result


def mount_of(path: str, among: Optional[List[Mount]] = None) -> Optional[Mount]:
    """Return the mount of a path: the longest; of equal ones the last, which covers the others."""
    best = None
    for mount in among or mounts():
        inside = path == mount.point or path.startswith(mount.point.rstrip("/") + "/")
        if inside and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def file_location(path: str, among: List[Mount]) -> Optional[FileLocation]:
    """Return file system and inner path of a path without links; None if nothing is mounted."""
    mount = mount_of(path, among)
    if mount is None:
        return None
    inside = os.path.relpath(path, mount.point)
    return FileLocation(mount.device, os.path.normpath(os.path.join(mount.root, inside)))


def swaps() -> Dict[int, str]:
    """Return the active swap partitions or disks: path by device number."""
    lines = (read_text("/proc/swaps") or "").splitlines()[1:]
    paths = [unescape(line.split()[0]) for line in lines if line.split()]
    return {node_device_number(path): path for path in paths if node_device_number(path)}


def system_disks(base: str) -> Dict[str, str]:
    """Return the disks of the host itself, through every layer, with a path on each."""
    result: Dict[str, str] = {}
    for point in SYSTEM + (base,):
        mount = mount_of(point)
        disk = whole_disk(mount.device) if mount else None
        for block in device_stack(disk) if disk else []:
            result.setdefault(block.name, point)
    return result
