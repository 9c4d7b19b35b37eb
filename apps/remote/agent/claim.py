"""Claiming a disk: held first, checked after, refused with sentences and without a byte written."""

import errno
import fcntl
import os
import stat
import struct
from typing import List, NamedTuple, Optional, Tuple

from .blocks import Block, resolve, whole_disk
from .checks import refusals
from .errors import RefusalError
from .files import JSON
from .signatures import signatures

BLKGETSIZE64 = 0x80081272  # <linux/fs.h>
Claim = NamedTuple("Claim", [("node", str), ("fd", int), ("block", Block)])


def claim_disk(target: JSON, base: str) -> Claim:
    """Resolve, hold, check. The descriptor is inheritable, so the claim lives as long as the last
    process that can write. Raises RefusalError with every reason found."""
    block = find(target["identity"])
    if not target["write"]:
        return claim_for_reading(target, block)
    fd, trouble = hold(block, os.O_RDWR | os.O_EXCL)
    reasons = [trouble] if trouble else []
    if fd is not None:
        reasons += same_disk(fd, block, target)
        reasons += signature_reasons(fd, block, target)
    reasons += refusals(block, base)
    if reasons or fd is None:
        release(fd)
        raise RefusalError(reasons)
    return inheritable(fd, block)


def claim_for_reading(target: JSON, block: Block) -> Claim:
    """Reading harms nobody: only the right disk and the right size are asked for."""
    fd, trouble = hold(block, os.O_RDONLY)
    reasons = [trouble] if trouble else []
    if fd is not None:
        reasons += same_disk(fd, block, target)
    if reasons or fd is None:
        release(fd)
        raise RefusalError(reasons)
    return inheritable(fd, block)


def inheritable(fd: int, block: Block) -> Claim:
    """The claim, ready to be inherited by the tool."""
    os.set_inheritable(fd, True)
    return Claim(block.node, fd, block)


def release(fd: Optional[int]) -> None:
    """Give a descriptor back."""
    if fd is not None:
        os.close(fd)


def find(identity: str) -> Block:
    """The one disk with this identity. Raises RefusalError."""
    if identity.startswith("none:"):
        raise RefusalError(
            ["Identity: this disk names itself by nothing that lasts, so it can never be a target."]
        )
    found = resolve(identity)
    if len(found) == 1:
        return found[0]
    if not found:
        sentence = "Identity: no disk of this host is {} now; look for it or enrol the new disk."
        raise RefusalError([sentence.format(identity)])
    names = ", ".join(block.name for block in found)
    sentence = (
        "Identity: {} all answer to {}; use the device stacked on them, or detach all but one."
    )
    raise RefusalError([sentence.format(names, identity)])


def hold(block: Block, flags: int) -> Tuple[Optional[int], str]:
    """Open the node; EBUSY means that the kernel itself knows a user of the disk."""
    try:
        return os.open(block.node, flags | os.O_CLOEXEC), ""
    except OSError as error:
        if error.errno == errno.EBUSY:
            why = "it is mounted, swapped on, part of a RAID or LVM, or claimed by another job"
            return None, "Claim: {} is in use ({}); free it first.".format(block.node, why)
        sentence = "Claim: {} cannot be opened ({}); check the disk and its permissions."
        return None, sentence.format(block.node, error.strerror)


def same_disk(fd: int, block: Block, target: JSON) -> List[str]:
    """Whether what was opened is the disk that was meant, now that nobody can exchange it."""
    found = os.fstat(fd)
    if not stat.S_ISBLK(found.st_mode) or found.st_rdev != block.device:
        sentence = "Identity: {} is not the device the kernel calls {}; repair the node."
        return [sentence.format(block.node, block.name)]
    reasons = []
    if identity_of(fd) != target["identity"]:
        sentence = "Identity: {} is {} now, not {}; nothing was started."
        reasons.append(sentence.format(block.node, identity_of(fd), target["identity"]))
    return reasons + size_reasons(fd, block, target["size"])


def size_reasons(fd: int, block: Block, expected: Optional[int]) -> List[str]:
    """The size by the device itself, against what was enrolled; both in bytes."""
    size = struct.unpack("Q", fcntl.ioctl(fd, BLKGETSIZE64, bytes(8)))[0]
    if size == 0:
        return ["Size: {} has no size; insert a medium or attach the disk.".format(block.node)]
    if expected is not None and size != expected:
        sentence = "Size: {} has {} bytes, enrolled were {}; enrol the disk again."
        return [sentence.format(block.node, size, expected)]
    return []


def signature_reasons(fd: int, block: Block, target: JSON) -> List[str]:
    """Data that nobody allowed to be destroyed."""
    found = [] if target["allow_signatures"] else signatures(block.node, fd, block.size)
    if not found:
        return []
    sentence = (
        "Signatures: {} carries {}; clear it yourself, or launch again and confirm the wipe (a "
        "disk owner types it beside the launch button)."
    )
    return [sentence.format(block.node, ", ".join(found))]


def identity_of(fd: int) -> Optional[str]:
    """The identity of an open disk as the kernel tells it now; None when the disk is gone."""
    block = whole_disk(os.fstat(fd).st_rdev)
    return block.identity if block and block.size else None


def inspect(base: str, request: JSON) -> JSON:
    """The verb: what a claim would say, without a run; the claim is given back at once."""
    identity, write = str(request["identity"]), bool(request["write"])
    target = {"identity": identity, "size": None, "write": write, "allow_signatures": True}
    answer: JSON = {"node": None, "size": None, "refusals": [], "signatures": []}
    try:
        os.close(claim_disk(target, base).fd)
    except RefusalError as refusal:
        answer["refusals"] = refusal.reasons
    for block in resolve(identity)[:1]:
        found = readable_signatures(block)
        answer.update(node=block.node, size=block.size, signatures=found)
    return answer


def readable_signatures(block: Block) -> List[str]:
    """The signatures of a disk, through a descriptor of its own."""
    try:
        fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        return signatures(block.node, fd, block.size)
    finally:
        os.close(fd)
