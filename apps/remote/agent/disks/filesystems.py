"""File systems on a disk by their superblocks, and the commands that make them.

Layouts: the kernel's Documentation/filesystems/ext4/super.rst, fs/xfs/libxfs/xfs_format.h and
Documentation/filesystems/btrfs.rst (include/uapi/linux/btrfs_tree.h).
"""

import os
import struct
import uuid
from typing import Dict, List, Mapping, NamedTuple, Optional

from .filesystem_names import (
    BLOCK,
    CHECKSUM,
    GROUPS,
    INODE,
    JOURNAL,
    NODE,
    STRIPE_DISKS,
    STRIPE_UNIT,
)

FileSystem = NamedTuple("FileSystem", [("kind", str), ("uuid", str), ("values", Dict[str, str])])
# Where the superblock begins, and how much of it is cleared so that nobody knows it any more.
AT = {"ext4": 1024, "xfs": 0, "btrfs": 65536}
CLEARED = {"ext4": 1024, "xfs": 512, "btrfs": 4096}
MIRROR = 64 << 20  # the second superblock of btrfs
CHECKSUMS = ("crc32c", "xxhash", "sha256", "blake2")
HAS_JOURNAL = 0x4  # of s_feature_compat
# How mkfs takes each setting. Blocks are not given back before: what state the disk is in is the
# plan's to say. ext4 does not write its inode tables now, nor, mounted so, during the test.
PROGRAM: Mapping[str, List[str]] = {
    "ext4": ["mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=1,lazy_journal_init=0"],
    "xfs": ["mkfs.xfs", "-q", "-f", "-K"],
    "btrfs": ["mkfs.btrfs", "-q", "-f", "-K"],
}
NAMED: Mapping[str, List[str]] = {
    "ext4": ["-U", "{}"],
    "xfs": ["-m", "uuid={}"],
    "btrfs": ["-U", "{}"],
}
WORDS: Mapping[str, Mapping[str, List[str]]] = {
    "ext4": {BLOCK: ["-b", "{}"], INODE: ["-I", "{}"], JOURNAL: ["-O", "{}"]},
    "xfs": {BLOCK: ["-b", "size={}"], INODE: ["-i", "size={}"], GROUPS: ["-d", "agcount={}"]},
    "btrfs": {NODE: ["-n", "{}"], CHECKSUM: ["--csum", "{}"]},
}
USUAL_BLOCK = 4096  # of mke2fs, for all but small disks
JOURNALS = {"yes": "has_journal", "no": "^has_journal"}


def found_on(fd: int) -> Optional[FileSystem]:
    """The file system whose superblock is there; None for none of the three. Raises OSError."""
    return ext4_on(fd) or xfs_on(fd) or btrfs_on(fd)


def ext4_on(fd: int) -> Optional[FileSystem]:
    """As `found_on`; little-endian."""
    data = os.pread(fd, 1024, AT["ext4"])
    if data[0x38:0x3A] != b"\x53\xef":
        return None
    values = {
        BLOCK: str(1024 << struct.unpack_from("<I", data, 0x18)[0]),
        INODE: str(struct.unpack_from("<H", data, 0x58)[0]),
        JOURNAL: "yes" if struct.unpack_from("<I", data, 0x5C)[0] & HAS_JOURNAL else "no",
    }
    stride, width = struct.unpack_from("<H10xI", data, 0x164)
    values.update(stripe(int(values[BLOCK]), stride, width))
    return FileSystem("ext4", named(data[0x68:0x78]), values)


def xfs_on(fd: int) -> Optional[FileSystem]:
    """As `found_on`; big-endian."""
    data = os.pread(fd, 512, AT["xfs"])
    if data[:4] != b"XFSB":
        return None
    values = {
        BLOCK: str(struct.unpack_from(">I", data, 4)[0]),
        INODE: str(struct.unpack_from(">H", data, 104)[0]),
        GROUPS: str(struct.unpack_from(">I", data, 88)[0]),
    }
    values.update(stripe(int(values[BLOCK]), *struct.unpack_from(">II", data, 184)))
    return FileSystem("xfs", named(data[32:48]), values)


def btrfs_on(fd: int) -> Optional[FileSystem]:
    """As `found_on`; little-endian."""
    data = os.pread(fd, 4096, AT["btrfs"])
    if data[0x40:0x48] != b"_BHRfS_M":
        return None
    checksum = struct.unpack_from("<H", data, 0xC4)[0]
    values = {
        NODE: str(struct.unpack_from("<I", data, 0x94)[0]),
        CHECKSUM: CHECKSUMS[checksum] if checksum < len(CHECKSUMS) else str(checksum),
    }
    return FileSystem("btrfs", named(data[0x20:0x30]), values)


def stripe(block: int, unit: int, width: int) -> Dict[str, str]:
    """The stripe that a superblock holds, whose unit and width count blocks; nothing where there is
    none.
    """
    if not unit or not width:
        return {}
    return {STRIPE_UNIT: str(unit * block // 1024), STRIPE_DISKS: str(width // unit)}


def named(data: bytes) -> str:
    """A UUID in its usual form."""
    return str(uuid.UUID(bytes=data)) if len(data) == 16 else ""


def making(kind: str, name: str, values: Mapping[str, str], node: str) -> List[str]:
    """The command that makes a file system with this UUID on a node."""
    argv = PROGRAM[kind] + [word.format(name) for word in NAMED[kind]]
    for setting, words in WORDS[kind].items():
        if setting in values:
            value = JOURNALS[values[setting]] if setting == JOURNAL else values[setting]
            argv += [word.format(value) for word in words]
    if STRIPE_UNIT in values:
        argv = striped(kind, argv, values)
    return argv + [node]


def striped(kind: str, argv: List[str], values: Mapping[str, str]) -> List[str]:
    """The command with the stripe of a RAID. mke2fs counts it in blocks, whose size then has to be
    said, and heeds only the last of several `-E`.
    """
    unit, disks = int(values[STRIPE_UNIT]), int(values[STRIPE_DISKS])
    if kind == "xfs":
        return argv + ["-d", "su={}k,sw={}".format(unit, disks)]
    block = int(values.get(BLOCK, USUAL_BLOCK))
    stride = unit * 1024 // block
    place = argv.index("-E") + 1
    extended = "{},stride={},stripe_width={}".format(argv[place], stride, stride * disks)
    more = [] if BLOCK in values else ["-b", str(block)]
    return argv[:place] + [extended] + argv[place + 1 :] + more


def clear(fd: int, kind: str, size: int) -> None:
    """Take the superblock away, of btrfs its mirror too. Raises OSError."""
    places = [AT[kind]] + ([MIRROR] if kind == "btrfs" and size >= MIRROR + 4096 else [])
    for place in places:
        os.pwrite(fd, bytes(CLEARED[kind]), place)
    os.fsync(fd)
