"""Mounts and swap: /proc/self/mountinfo and /proc/swaps (proc(5))."""

import os
import re
import stat
from typing import Dict, List, NamedTuple, Optional

from ..files import read_text
from .blocks import below, device_number, whole_disk

# `root` is the folder of the file system that is seen at `point`: "/", or another in a bind mount.
# `own` are the options of the file system, `options` those of this mount of it.
Mount = NamedTuple(
    "Mount",
    [
        ("device", int),
        ("point", str),
        ("kind", str),
        ("options", str),
        ("root", str),
        ("source", str),
        ("own", str),
    ],
)
# A place by its file system and the path in that, which no mount changes.
Spot = NamedTuple("Spot", [("device", int), ("path", str)])
SYSTEM = ("/", "/boot", "/boot/efi", "/usr", "/var", "/var/lib", "/home", "/etc")
ESCAPE = re.compile(r"\\([0-7]{3})")


def plain(text: str) -> str:
    """Undo the octal escapes of blanks and backslashes."""
    return ESCAPE.sub(lambda match: chr(int(match.group(1), 8)), text)


def node_device(path: str) -> int:
    """The device number of a block device node, 0 for anything else."""
    try:
        found = os.stat(path)
    except OSError:
        return 0
    return found.st_rdev if stat.S_ISBLK(found.st_mode) else 0


def mounts() -> List[Mount]:
    """Every mount. Btrfs and others show a made-up device number, so the source's own is preferred
    then.
    """
    found = []
    for line in (read_text("/proc/self/mountinfo") or "").splitlines():
        fields, _, rest = line.partition(" - ")
        left, right = fields.split(), rest.split()
        if len(left) < 6 or len(right) < 2:
            continue
        device = device_number(left[2])
        if os.major(device) == 0:
            device = node_device(plain(right[1])) or device
        own = right[2] if len(right) > 2 else ""
        place, root = plain(left[4]), plain(left[3])
        found.append(Mount(device, place, right[0], left[5], root, plain(right[1]), own))
    return found


def mount_of(path: str, among: Optional[List[Mount]] = None) -> Optional[Mount]:
    """The mount a path lies on: the last of the longest, as later mounts cover earlier ones."""
    best = None
    for mount in among or mounts():
        inside = path == mount.point or path.startswith(mount.point.rstrip("/") + "/")
        if inside and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def spot_of(path: str, among: List[Mount]) -> Optional[Spot]:
    """The place where a path without links really lies; None where nothing is mounted."""
    mount = mount_of(path, among)
    if mount is None:
        return None
    inside = os.path.relpath(path, mount.point)
    return Spot(mount.device, os.path.normpath(os.path.join(mount.root, inside)))


def swaps() -> Dict[int, str]:
    """Device numbers of active swap partitions or disks, with the path swapon was given."""
    lines = (read_text("/proc/swaps") or "").splitlines()[1:]
    paths = [plain(line.split()[0]) for line in lines if line.split()]
    return {node_device(path): path for path in paths if node_device(path)}


def system_disks(base: str) -> Dict[str, str]:
    """Names of disks the host itself lives on, through every layer, and what of it lies there."""
    found: Dict[str, str] = {}
    for point in SYSTEM + (base,):
        mount = mount_of(point)
        disk = whole_disk(mount.device) if mount else None
        for block in below(disk) if disk else []:
            found.setdefault(block.name, point)
    return found
