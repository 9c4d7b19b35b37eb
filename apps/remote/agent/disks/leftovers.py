"""Signatures without a partition table: in former partitions, and superblock copies."""

import os
import struct
from typing import List, Set

from .signatures import known_signatures

KIB, MIB = 1 << 10, 1 << 20
STARTS = (63 * 512, MIB)  # of a first partition, by old and by new rules
GROUPS = (1, 3, 5, 7, 9, 25, 27, 49)  # of ext4's groups those with a copy of the superblock
EXT_MAGIC = b"\x53\xef"
BTRFS_MIRROR, BTRFS_MAGIC = 64 * MIB, b"_BHRfS_M"
TABLES = ("GPT", "GPT (backup)", "DOS partition table or boot sector")


def leftover_signatures(fd: int, size: int) -> List[str]:
    """Return the names of leftover signatures, each once. Reads only."""
    result: Set[str] = set()
    for start in STARTS:
        if start + 256 * KIB < size:
            names = known_signatures(fd, size, start) - set(TABLES)
            result |= {"{} in a former partition".format(name) for name in names}
    if any(
        is_ext_copy(fd, start, log, group)
        for start in (0,) + STARTS
        for log in (0, 1, 2)
        for group in GROUPS
    ):
        result.add("copies of an ext2/3/4 superblock")
    if os.pread(fd, 8, BTRFS_MIRROR + 0x40) == BTRFS_MAGIC:
        result.add("a copy of a btrfs superblock")
    return sorted(result)


def is_ext_copy(fd: int, start: int, log: int, group: int) -> bool:
    """Return True if ext4's superblock copy of a group is there.

    The file system begins at `start` with blocks of 1 KiB << `log` (fs/ext4/ext4.h, struct
    ext4_super_block).
    """
    block = KIB << log
    first = block if log == 0 else 0
    data = os.pread(fd, 96, start + first + group * 8 * block * block)
    if len(data) < 96 or data[56:58] != EXT_MAGIC:
        return False
    copy_log, copy_group = (
        struct.unpack_from("<I", data, 24)[0],
        struct.unpack_from("<H", data, 90)[0],
    )
    return (copy_log, copy_group) == (log, group)
