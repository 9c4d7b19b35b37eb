"""Fingerprint of a disk's content, to detect data written by others.

Hashes of blocks at fixed offsets: where partition tables, superblocks and their copies are, and
evenly over the rest. Blocks in between are not read (docs/howto/disks.md).
"""

import hashlib
import os
from typing import List, Optional, Tuple

from ..schema import Fingerprint
from .backing_file import backing_file
from .blocks import Block

VERSION = 1
BLOCK = 4096
HASH_DIGITS = 8  # of each block's hash, in hexadecimal
SPREAD_COUNT = 96
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
    "Content: {} is not as {} ({} of {} sampled blocks differ, the first at byte {}), so "
    "another program has written to it; {}, or launch again and confirm the wipe."
)
ADVICE = "if what is on it now may go, have a disk owner confirm that on the disk's page"


def sample_offsets(size: int) -> List[int]:
    """Return the offsets in bytes of the sampled blocks for this size."""
    last = size // BLOCK * BLOCK - BLOCK
    wanted = set(HEAD) | {size - back for back in TAIL} | set(MIRRORS)
    wanted |= {start + g * group for start in (0, MIB) for group in GROUP_BYTES for g in GROUPS}
    wanted |= {last * number // (SPREAD_COUNT - 1) for number in range(SPREAD_COUNT)}
    return sorted({at // BLOCK * BLOCK for at in wanted if 0 <= at <= last})


def take_fingerprint(fd: int, block: Block, size: int, discarded: bool = False) -> Fingerprint:
    """Return the present fingerprint. Raises: OSError.

    `discarded`: discarded blocks may later read as any uniform value.
    """
    hashes = [block_hash(data) for data in read_samples(fd, sample_offsets(size))]
    return {
        "version": VERSION,
        "size": size,
        "blocks": "".join(hashes),
        "written": False,
        "discarded": discarded,
        "backing": backing_file(block),
    }


def read_samples(fd: int, offsets: List[int]) -> List[bytes]:
    """Return the blocks at these offsets, bypassing the page cache as far as possible."""
    result = []
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)  # nothing is read beside them
    for offset in offsets:
        os.posix_fadvise(fd, offset, BLOCK, os.POSIX_FADV_DONTNEED)
        result.append(os.pread(fd, BLOCK, offset))
        os.posix_fadvise(fd, offset, BLOCK, os.POSIX_FADV_DONTNEED)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_NORMAL)
    return result


def block_hash(data: bytes) -> str:
    """Return a block's hash."""
    return hashlib.blake2b(data, digest_size=HASH_DIGITS // 2).hexdigest()


def content_reasons(fd: int, block: Block, size: int, expected: Optional[Fingerprint]) -> List[str]:
    """Return why a disk's content differs from the expected fingerprint; empty if it matches.

    Without `blocks`, after an unfinished test, only the backing file must match.
    """
    if not expected or expected["version"] != VERSION or expected["size"] != size:
        return []
    before = "benchlab's last test left it" if expected["written"] else "it was when enrolled"
    if expected["backing"] and backing_file(block) not in (None, expected["backing"]):
        since = "at the last test" if expected["written"] else "when it was enrolled"
        return [OTHER_FILE.format(block.node, since, ADVICE)]
    if expected["blocks"] is None:
        return []
    try:
        wrong, looked = changed_offsets(fd, size, expected)
    except OSError as error:
        sentence = "Content: {} cannot be read ({}); look at the disk."
        return [sentence.format(block.node, error.strerror)]
    if not wrong:
        return []
    return [CHANGED.format(block.node, before, len(wrong), looked, wrong[0], ADVICE)]


def changed_offsets(fd: int, size: int, expected: Fingerprint) -> Tuple[List[int], int]:
    """Return the offsets that differ, and the number of compared ones. Raises: OSError."""
    offsets, text = sample_offsets(size), expected["blocks"] or ""
    wanted = [text[at : at + HASH_DIGITS] for at in range(0, len(text), HASH_DIGITS)]
    result = dict(enumerate(read_samples(fd, offsets[: len(wanted)])))
    wrong = [number for number, data in result.items() if block_hash(data) != wanted[number]]
    if expected["discarded"]:
        wrong = [number for number in wrong if not is_uniform(result[number])]
    return [offsets[number] for number in wrong], len(result)


def is_uniform(data: bytes) -> bool:
    """Return True if all bytes are equal, as in a discarded block (BLKDISCARD)."""
    return data == data[:1] * len(data)


def discard_count(block: Block) -> int:
    """Return the discards since boot (Documentation/block/stat.rst, field 12; since 4.19)."""
    fields = block.text("stat").split()
    return int(fields[11]) if len(fields) > 11 else 0
