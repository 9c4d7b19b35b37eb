"""The content of a disk as a fingerprint, so that data that somebody put there meanwhile is
noticed.

Hashes of blocks at fixed places: where partition tables, superblocks and their copies stand, and
evenly over the rest. What lies between the places is not looked at (docs/howto/disks.md).
"""

import hashlib
import os
from typing import List, Optional, Tuple

from ..shapes import Fingerprint
from .backing_file import backing_of
from .blocks import Block

VERSION = 1
BLOCK = 4096
DIGITS = 8  # of each block's hash, in hexadecimal
SPREAD = 96
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
# Partition tables and volume labels, ReiserFS and btrfs, the first sector of a partition by old and
# by new rules, and what a file system has there.
HEAD = tuple(range(0, 36 * KIB, BLOCK)) + (64 * KIB, MIB, MIB + 4 * KIB, MIB + 64 * KIB)
# Backup GPT, MD 0.90 and 1.0, ZFS's last two labels: counted from the end.
TAIL = (4 * KIB, 8 * KIB, 12 * KIB, 16 * KIB, 20 * KIB, 64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB)
GROUPS = (1, 3, 5, 7, 9, 25, 27, 49)  # of ext4's groups those with a copy of the superblock
GROUP_BYTES = (8 * MIB, 32 * MIB, 128 * MIB)  # with blocks of 1, 2 and 4 KiB
MIRRORS = (64 * MIB, 256 * GIB)  # of btrfs's superblock

OTHER_FILE = (
    "Content: {} shows another file than {}, under the same name; {}, or launch again and confirm "
    "the wipe."
)
CHANGED = (
    "Content: {} is not as {} ({} of {} places looked at differ, the first at byte {}), so "
    "somebody else has written to it; {}, or launch again and confirm the wipe."
)
ADVICE = "if what is on it now may go, have a disk owner confirm that on the disk's page"


def places(size: int) -> List[int]:
    """The offsets in bytes of the blocks that are looked at on a disk of this size."""
    last = size // BLOCK * BLOCK - BLOCK
    wanted = set(HEAD) | {size - back for back in TAIL} | set(MIRRORS)
    wanted |= {start + g * group for start in (0, MIB) for group in GROUP_BYTES for g in GROUPS}
    wanted |= {last * number // (SPREAD - 1) for number in range(SPREAD)}
    return sorted({at // BLOCK * BLOCK for at in wanted if 0 <= at <= last})


def fingerprint(fd: int, block: Block, size: int, discarded: bool = False) -> Fingerprint:
    """The disk as it is now. `discarded`: blocks were given back to it, which it may fill with
    anything uniform later. Raises OSError.
    """
    hashes = [digest(data) for data in sampled(fd, places(size))]
    return {
        "version": VERSION,
        "size": size,
        "blocks": "".join(hashes),
        "written": False,
        "discarded": discarded,
        "backing": backing_of(block),
    }


def sampled(fd: int, offsets: List[int]) -> List[bytes]:
    """The blocks at these places, past the page cache as far as that is possible: others may have
    written around it.
    """
    found = []
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)  # nothing is read beside them
    for offset in offsets:
        os.posix_fadvise(fd, offset, BLOCK, os.POSIX_FADV_DONTNEED)
        found.append(os.pread(fd, BLOCK, offset))
        os.posix_fadvise(fd, offset, BLOCK, os.POSIX_FADV_DONTNEED)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_NORMAL)
    return found


def digest(data: bytes) -> str:
    """A block's hash."""
    return hashlib.blake2b(data, digest_size=DIGITS // 2).hexdigest()


def content_reasons(fd: int, block: Block, size: int, expected: Optional[Fingerprint]) -> List[str]:
    """Why what is on a disk may not be destroyed: it is not what was there when it was enrolled, or
    what our own last test left. `expected` without `blocks`: a test of ours did not get to its
    end, so anything may be there, but on the same file.
    """
    if not expected or expected["version"] != VERSION or expected["size"] != size:
        return []
    before = "benchlab's last test left it" if expected["written"] else "it was when enrolled"
    if expected["backing"] and backing_of(block) not in (None, expected["backing"]):
        since = "at the last test" if expected["written"] else "when it was enrolled"
        return [OTHER_FILE.format(block.node, since, ADVICE)]
    if expected["blocks"] is None:
        return []
    try:
        wrong, looked = differing(fd, size, expected)
    except OSError as error:
        sentence = "Content: {} cannot be read ({}); look at the disk."
        return [sentence.format(block.node, error.strerror)]
    if not wrong:
        return []
    return [CHANGED.format(block.node, before, len(wrong), looked, wrong[0], ADVICE)]


def differing(fd: int, size: int, expected: Fingerprint) -> Tuple[List[int], int]:
    """The places that do not hold what they should, and how many were looked at. Raises OSError."""
    offsets, text = places(size), expected["blocks"] or ""
    wanted = [text[at : at + DIGITS] for at in range(0, len(text), DIGITS)]
    found = dict(enumerate(sampled(fd, offsets[: len(wanted)])))
    wrong = [number for number, data in found.items() if digest(data) != wanted[number]]
    if expected["discarded"]:
        wrong = [number for number in wrong if not is_uniform(found[number])]
    return [offsets[number] for number in wrong], len(found)


def is_uniform(data: bytes) -> bool:
    """Whether all bytes are the same, as in a block that was given back (BLKDISCARD)."""
    return data == data[:1] * len(data)


def discards(block: Block) -> int:
    """The number of blocks that were given back to the disk since it is there
    (Documentation/block/stat.rst, field 12; kernels before 4.19 do not say).
    """
    fields = block.text("stat").split()
    return int(fields[11]) if len(fields) > 11 else 0
