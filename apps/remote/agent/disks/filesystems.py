"""File systems by superblock, and the mkfs commands.

Layouts: Documentation/filesystems/ext4/super.rst, fs/xfs/libxfs/xfs_format.h and
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
# Offset of the superblock, and the bytes cleared to invalidate it.
SUPERBLOCK_OFFSETS = {"ext4": 1024, "xfs": 0, "btrfs": 65536}
CLEARED_BYTES = {"ext4": 1024, "xfs": 512, "btrfs": 4096}
MIRROR = 64 << 20  # the second superblock of btrfs
CHECKSUMS = ("crc32c", "xxhash", "sha256", "blake2")
HAS_JOURNAL = 0x4  # of s_feature_compat
# Options of mkfs for each setting. No discard: the plan defines the state of the disk. ext4 writes
# its inode tables neither now nor, with the mount option, during the test.
MKFS_COMMANDS: Mapping[str, List[str]] = {
    "ext4": ["mkfs.ext4", "-q", "-F", "-E", "nodiscard,lazy_itable_init=1,lazy_journal_init=0"],
    "xfs": ["mkfs.xfs", "-q", "-f", "-K"],
    "btrfs": ["mkfs.btrfs", "-q", "-f", "-K"],
}
UUID_OPTIONS: Mapping[str, List[str]] = {
    "ext4": ["-U", "{}"],
    "xfs": ["-m", "uuid={}"],
    "btrfs": ["-U", "{}"],
}
MKFS_OPTIONS: Mapping[str, Mapping[str, List[str]]] = {
    "ext4": {BLOCK: ["-b", "{}"], INODE: ["-I", "{}"], JOURNAL: ["-O", "{}"]},
    "xfs": {BLOCK: ["-b", "size={}"], INODE: ["-i", "size={}"], GROUPS: ["-d", "agcount={}"]},
    "btrfs": {NODE: ["-n", "{}"], CHECKSUM: ["--csum", "{}"]},
}
DEFAULT_BLOCK_BYTES = 4096  # of mke2fs, for all but small disks
JOURNALS = {"yes": "has_journal", "no": "^has_journal"}


def read_superblock(fd: int) -> Optional[FileSystem]:
    """Return the file system of the superblock; None if unknown. Raises: OSError."""
    return read_ext4(fd) or read_xfs(fd) or read_btrfs(fd)


def read_ext4(fd: int) -> Optional[FileSystem]:
    """Return the ext4 on the disk, or None (little-endian)."""
    data = os.pread(fd, 1024, SUPERBLOCK_OFFSETS["ext4"])
    if data[0x38:0x3A] != b"\x53\xef":
        return None
    values = {
        BLOCK: str(1024 << struct.unpack_from("<I", data, 0x18)[0]),
        INODE: str(struct.unpack_from("<H", data, 0x58)[0]),
        JOURNAL: "yes" if struct.unpack_from("<I", data, 0x5C)[0] & HAS_JOURNAL else "no",
    }
    stride, width = struct.unpack_from("<H10xI", data, 0x164)
    values.update(stripe(int(values[BLOCK]), stride, width))
    return FileSystem("ext4", uuid_text(data[0x68:0x78]), values)


def read_xfs(fd: int) -> Optional[FileSystem]:
    """Return the XFS on the disk, or None (big-endian)."""
    data = os.pread(fd, 512, SUPERBLOCK_OFFSETS["xfs"])
    if data[:4] != b"XFSB":
        return None
    values = {
        BLOCK: str(struct.unpack_from(">I", data, 4)[0]),
        INODE: str(struct.unpack_from(">H", data, 104)[0]),
        GROUPS: str(struct.unpack_from(">I", data, 88)[0]),
    }
    values.update(stripe(int(values[BLOCK]), *struct.unpack_from(">II", data, 184)))
    return FileSystem("xfs", uuid_text(data[32:48]), values)


def read_btrfs(fd: int) -> Optional[FileSystem]:
    """Return the btrfs on the disk, or None (little-endian)."""
    data = os.pread(fd, 4096, SUPERBLOCK_OFFSETS["btrfs"])
    if data[0x40:0x48] != b"_BHRfS_M":
        return None
    checksum = struct.unpack_from("<H", data, 0xC4)[0]
    values = {
        NODE: str(struct.unpack_from("<I", data, 0x94)[0]),
        CHECKSUM: CHECKSUMS[checksum] if checksum < len(CHECKSUMS) else str(checksum),
    }
    return FileSystem("btrfs", uuid_text(data[0x20:0x30]), values)


def stripe(block: int, unit: int, width: int) -> Dict[str, str]:
    """Return the stripe of a superblock, whose unit and width count blocks; {} if there is none."""
    if not unit or not width:
        return {}
    return {STRIPE_UNIT: str(unit * block // 1024), STRIPE_DISKS: str(width // unit)}


def uuid_text(data: bytes) -> str:
    """Return a UUID in text form."""
    return str(uuid.UUID(bytes=data)) if len(data) == 16 else ""


def mkfs_command(kind: str, name: str, values: Mapping[str, str], node: str) -> List[str]:
    """Return the command that creates a file system with this UUID on a node."""
    argv = MKFS_COMMANDS[kind] + [word.format(name) for word in UUID_OPTIONS[kind]]
    for setting, words in MKFS_OPTIONS[kind].items():
        if setting in values:
            value = JOURNALS[values[setting]] if setting == JOURNAL else values[setting]
            argv += [word.format(value) for word in words]
    if STRIPE_UNIT in values:
        argv = add_stripe(kind, argv, values)
    return argv + [node]


def add_stripe(kind: str, argv: List[str], values: Mapping[str, str]) -> List[str]:
    """Add the stripe of a RAID to the command.

    mke2fs counts it in blocks, so the block size must be given, and uses only the last `-E`.
    """
    unit, disks = int(values[STRIPE_UNIT]), int(values[STRIPE_DISKS])
    if kind == "xfs":
        return argv + ["-d", "su={}k,sw={}".format(unit, disks)]
    block = int(values.get(BLOCK, DEFAULT_BLOCK_BYTES))
    stride = unit * 1024 // block
    index = argv.index("-E") + 1
    extended = "{},stride={},stripe_width={}".format(argv[index], stride, stride * disks)
    more = [] if BLOCK in values else ["-b", str(block)]
    return argv[:index] + [extended] + argv[index + 1 :] + more


def clear_superblock(fd: int, kind: str, size: int) -> None:
    """Clear the superblock, of btrfs also its mirror. Raises: OSError."""
    offsets = [SUPERBLOCK_OFFSETS[kind]] + (
        [MIRROR] if kind == "btrfs" and size >= MIRROR + 4096 else []
    )
    for offset in offsets:
        os.pwrite(fd, bytes(CLEARED_BYTES[kind]), offset)
    os.fsync(fd)
