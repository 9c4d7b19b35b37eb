"""Claiming a disk: held first, checked after, refused with sentences and without a byte written."""

import errno
import fcntl
import os
import stat
import struct
from typing import Dict, List, NamedTuple, Optional, Tuple

from ..demands import checked_fingerprint
from ..errors import RefusalError
from ..host.locks import LOOKING, locked
from ..shapes import DiskTarget, Fingerprint, Reply, Request
from .blocks import Block, resolve, whole_disk
from .checks import refusals
from .content import content_reasons, discards, fingerprint
from .leftovers import leftovers
from .signatures import signatures

BLKGETSIZE64 = 0x80081272  # <linux/fs.h>
# `discards`: how many the disk had been sent when it was claimed.
Claim = NamedTuple("Claim", [("node", str), ("fd", int), ("block", Block), ("discards", int)])


def claim_disk(target: DiskTarget, base: str) -> Claim:
    """Resolve, hold, check. The descriptor is inheritable, so the claim lives as long as the last
    process that can write. Raises RefusalError with every reason found."""
    with locked(base, LOOKING):  # a look of our own is no other user of the disk
        return claim(target, base)


def claim(target: DiskTarget, base: str) -> Claim:
    """As `claim_disk`, while nobody else of the agent looks at disks."""
    block = find(target["identity"])
    if not target["write"]:
        return claim_for_reading(target, block)
    fd, trouble = hold(block, os.O_RDWR | os.O_EXCL)
    reasons = [trouble] if trouble else []
    if fd is not None:
        reasons += same_disk(fd, block, target)
        reasons += data_reasons(fd, block, target)
    reasons += refusals(block, base)
    if reasons or fd is None:
        release(fd)
        raise RefusalError(reasons)
    return inheritable(fd, block)


def claim_for_reading(target: DiskTarget, block: Block) -> Claim:
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
    return Claim(block.node, fd, block, discards(block))


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


def same_disk(fd: int, block: Block, target: DiskTarget) -> List[str]:
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


def data_reasons(fd: int, block: Block, target: DiskTarget) -> List[str]:
    """Data that nobody allowed to be destroyed: known by its signatures, or by not being what was
    there when somebody allowed it, or what our own last test left.
    """
    if target["allow_signatures"]:
        return []
    expected = target["fingerprint"]
    reasons = signature_reasons(fd, block, ours=bool(expected and expected["written"]))
    return reasons + content_reasons(fd, block, block.size, expected)


def signature_reasons(fd: int, block: Block, ours: bool) -> List[str]:
    """Signatures on the disk. Where the last to write was a test of ours, what it did not reach of
    older data was allowed to go before.
    """
    found = signatures(block.node, fd, block.size)
    found += [] if ours or found else leftovers(fd, block.size)
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


def inspect(base: str, request: Request) -> Reply:
    """The verb: what a claim would say, without a run; the claim is given back at once."""
    identity, write = str(request["identity"]), bool(request["write"])
    expected = checked_fingerprint(request.get("fingerprint"))
    target: DiskTarget = {
        "kind": "disk",
        "identity": identity,
        "size": None,
        "write": write,
        "allow_signatures": True,
        "fingerprint": None,
        "needs": 0,
    }
    answer: Dict[str, object] = {"node": None, "size": None, "refusals": [], "signatures": []}
    answer.update(fingerprint=None, content=[])
    try:
        os.close(claim_disk(target, base).fd)
    except RefusalError as refusal:
        answer["refusals"] = refusal.reasons
    for block in resolve(identity)[:1]:
        answer.update(node=block.node, size=block.size)
        with locked(base, LOOKING):
            answer.update(read_content(block, expected))
    return answer


def read_content(block: Block, expected: Optional[Fingerprint]) -> Reply:
    """The content of a disk, through a descriptor of its own: its signatures, its fingerprint, and
    why it is not what is expected. Empty where it cannot be read.
    """
    try:
        fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return {}
    try:
        found = signatures(block.node, fd, block.size) or leftovers(fd, block.size)
        now = fingerprint(fd, block, block.size)
        reasons = content_reasons(fd, block, block.size, expected)
        return {"signatures": found, "fingerprint": now, "content": reasons}
    except OSError:
        return {}
    finally:
        os.close(fd)
