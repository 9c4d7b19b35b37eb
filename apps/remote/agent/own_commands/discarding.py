"""The agent's own command `@discard`: give all blocks of the disks of a job back to them.

Not the program blkdiscard(8): newer ones open the disk exclusively, which the job has done already,
and older ones do not know the option that leaves it out. The ioctls are the same.
"""

import errno
import fcntl
import json
import os
import struct
import time
from typing import Dict, List

from ..files import write_all
from ..targets.held import Held

BLKDISCARD, BLKSECDISCARD = 0x1277, 0x127D  # _IO(0x12, 119) and _IO(0x12, 125) in linux/fs.h
PIECE = 32 << 30  # bytes of one call, so that a cancel need not wait for a whole disk
NONE = "{} offers no discard ({}), so nothing can be given back to it."
FAILED = "{} could not be discarded at byte {}: {}."
Said = Dict[str, object]


class DiscardError(Exception):
    """It did not work; the message is a sentence."""


def discard(words: List[str], held: List[Held]) -> int:
    """Prints one line with a document, or says on stderr why it did not work; the exit code."""
    secure = "secure" in words
    disks = [one for one in held if one.claim and one.block]
    try:
        if not disks:
            raise DiscardError("There is no disk whose blocks could be given back.")
        began = time.monotonic()
        kept = [discarded(one, secure) for one in disks]
        seconds = time.monotonic() - began
    except DiscardError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    said = {
        "disks": len(disks),
        "bytes": sum(one.block.size for one in disks if one.block),
        "seconds": round(seconds, 6),
        "secure": all(kept),
        "asked_secure": secure,
    }  # type: Said
    write_all(1, (json.dumps({"discard": said}) + "\n").encode())
    return 0


def discarded(one: Held, secure: bool) -> bool:
    """Give back all blocks of a disk; whether that was done securely. Raises DiscardError."""
    assert one.block is not None, "only disks are discarded"
    size, at = one.block.size, 0
    while at < size:
        length = min(PIECE, size - at)
        try:
            give_back(one.fd, at, length, secure)
        except OSError as error:
            if secure and at == 0 and offers_none(error):
                secure = False
                continue
            said = NONE if at == 0 and offers_none(error) else FAILED
            words = (error.strerror,) if said is NONE else (at, error.strerror)
            raise DiscardError(said.format(one.place, *words)) from None
        at += length
    os.fsync(one.fd)
    return secure


def give_back(fd: int, at: int, length: int, secure: bool) -> None:
    """One call. Raises OSError."""
    fcntl.ioctl(fd, BLKSECDISCARD if secure else BLKDISCARD, struct.pack("QQ", at, length))


def offers_none(error: OSError) -> bool:
    """Whether the device does not know the call."""
    return error.errno in (errno.EOPNOTSUPP, errno.ENOTTY, errno.EINVAL)
