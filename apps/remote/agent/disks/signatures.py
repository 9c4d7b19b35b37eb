"""Signatures of data on a disk: by blkid and wipefs if installed, and by known magic numbers."""

import os
import subprocess
from typing import Dict, List, Set, Tuple

from ..host.identity import command_environment

TIMEOUT_SECONDS = 20.0
# (offset in bytes, the bytes found there, name): the on-disk formats' own documents.
MAGIC_NUMBERS: Tuple[Tuple[int, bytes, str], ...] = (
    (0x438, b"\x53\xef", "ext2/3/4"),
    (0, b"XFSB", "xfs"),
    (0x10040, b"_BHRfS_M", "btrfs"),
    (0, b"LUKS\xba\xbe", "LUKS"),
    (0, b"bluestore block device", "Ceph BlueStore"),
    (0, b"\xfc\x4e\x2b\xa9", "Linux RAID"),
    (4096, b"\xfc\x4e\x2b\xa9", "Linux RAID"),
    (512, b"EFI PART", "GPT"),
    (4096, b"EFI PART", "GPT"),
    (510, b"\x55\xaa", "DOS partition table or boot sector"),
    (3, b"NTFS    ", "NTFS"),
    (4086, b"SWAPSPACE2", "swap"),
    (65526, b"SWAPSPACE2", "swap"),
    (0, b"LABELONE", "LVM"),
    (512, b"LABELONE", "LVM"),
    (1024, b"LABELONE", "LVM"),
    (1536, b"LABELONE", "LVM"),
    (0x8001, b"CD001", "ISO 9660"),
)
ZFS = 0x00BAB10C  # uberblocks stand every KiB from 128 KiB on


def known_signatures(fd: int, size: int, start: int = 0) -> Set[str]:
    """Return signatures in the first 256 KiB from `start` and in the last sectors."""
    head = os.pread(fd, 256 << 10, start)
    result = {
        name for offset, mark, name in MAGIC_NUMBERS if head[offset : offset + len(mark)] == mark
    }
    for offset in range(128 << 10, len(head) - 8, 1 << 10):
        word = head[offset : offset + 8]
        if ZFS in (int.from_bytes(word, "little"), int.from_bytes(word, "big")):
            result.add("ZFS")
    tail = os.pread(fd, 8192, max(0, size - 8192))
    if tail[-512:-504] == b"EFI PART" or tail[-4096:-4088] == b"EFI PART":
        result.add("GPT (backup)")
    return result


def run_helper(argv: List[str]) -> str:
    """Return a helper's output; "" if it is absent, hangs or cannot run."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=command_environment("/"),
            timeout=TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace")


def blkid(node: str) -> Set[str]:
    """Return the result of blkid(8) in low-level probing mode, which reads the device."""
    lines = run_helper(["blkid", "-p", "-o", "export", node]).splitlines()
    pairs: Dict[str, str] = dict(line.split("=", 1) for line in lines if "=" in line)
    return {pairs[key] for key in ("TYPE", "PTTYPE") if key in pairs}


def wipefs(node: str) -> Set[str]:
    """Return the result of wipefs(8) without writing; it also finds hidden signatures."""
    lines = run_helper(["wipefs", "-n", "-p", node]).splitlines()
    return {line.split(",")[-1] for line in lines if line and not line.startswith("#")}


def signatures(node: str, fd: int, size: int) -> List[str]:
    """Return all signatures on the disk, each once. Reads only."""
    return sorted(known_signatures(fd, size) | blkid(node) | wipefs(node))
