"""The built-in command `@discard`: discard all blocks of a job's disks.

Not blkdiscard(8): newer versions open the disk exclusively, which the job already has, and older
ones lack the option to skip that. The ioctls are the same.
"""

import errno
import fcntl
import json
import os
import struct
import time
from typing import Dict, List

from ..files import write_all
from ..targets.claimed import ClaimedTarget

BLKDISCARD, BLKSECDISCARD = 0x1277, 0x127D  # _IO(0x12, 119) and _IO(0x12, 125) in linux/fs.h
PIECE = 32 << 30  # of one call, so that a cancel need not wait for a whole disk
UNSUPPORTED = "{} does not support discard ({})."
FAILED = "{} could not be discarded at byte {}: {}."
DiscardReport = Dict[str, object]


class DiscardError(Exception):
    """Discarding failed; the message is a sentence."""


def discard(words: List[str], claimed: List[ClaimedTarget]) -> int:
    """Discard all disks; print one JSON line, or an error on stderr. Returns the exit code."""
    secure = "secure" in words
    disks = [one for one in claimed if one.claim and one.block]
    try:
        if not disks:
            raise DiscardError("The job has no disk to discard.")
        began = time.monotonic()
        secure_results = [discard_disk(one, secure) for one in disks]
        seconds = time.monotonic() - began
    except DiscardError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    report = {
        "disks": len(disks),
        "bytes": sum(one.block.size for one in disks if one.block),
        "seconds": round(seconds, 6),
        "secure": all(secure_results),
        "requested_secure": secure,
    }  # type: DiscardReport
    write_all(1, (json.dumps({"discard": report}) + "\n").encode())
    return 0


def discard_disk(one: ClaimedTarget, secure: bool) -> bool:
    """Discard all blocks of a disk; return True if securely. Raises: DiscardError."""
    assert one.block is not None, "only disks are discarded"
    size, at = one.block.size, 0
    while at < size:
        length = min(PIECE, size - at)
        try:
            discard_range(one.fd, at, length, secure)
        except OSError as error:
            if secure and at == 0 and is_unsupported(error):
                secure = False
                continue
            template = UNSUPPORTED if at == 0 and is_unsupported(error) else FAILED
            words = (error.strerror,) if template is UNSUPPORTED else (at, error.strerror)
            raise DiscardError(template.format(one.path, *words)) from None
        at += length
    os.fsync(one.fd)
    return secure


def discard_range(fd: int, at: int, length: int, secure: bool) -> None:
    """Discard a range. Raises: OSError."""
    fcntl.ioctl(fd, BLKSECDISCARD if secure else BLKDISCARD, struct.pack("QQ", at, length))


def is_unsupported(error: OSError) -> bool:
    """Return True if the device does not support the call."""
    return error.errno in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EINVAL)
