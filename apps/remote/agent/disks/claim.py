"""Claim a disk: opened exclusively first, checked after; refused without a byte written."""

import errno
import fcntl
import os
import stat
import struct
from typing import Dict, List, NamedTuple, Optional, Tuple

from ..errors import RefusalError
from ..host.locks import DISK_INSPECTION, file_lock
from ..schema import DiskTarget, Fingerprint, Request, Response
from ..validators import validate_fingerprint
from .blocks import Block, resolve, whole_disk
from .checks import refusal_reasons
from .fingerprint import content_reasons, discard_count, take_fingerprint
from .leftovers import leftover_signatures
from .signatures import signatures

BLKGETSIZE64 = 0x80081272  # <linux/fs.h>
# `discards`: number of discards of the disk when it was claimed.
Claim = NamedTuple("Claim", [("node", str), ("fd", int), ("block", Block), ("discards", int)])


def claim_disk(target: DiskTarget, base: str) -> Claim:
    """Resolve, open and check a disk. Raises: RefusalError with every reason.

    The descriptor is inheritable, so the claim lasts as long as the last process that can write.
    """
    with file_lock(
        base, DISK_INSPECTION
    ):  # an inspection by the agent is no other user of the disk
        return claim_locked(target, base)


def claim_locked(target: DiskTarget, base: str) -> Claim:
    """Claim a disk while the inspection lock is held."""
    block = find_disk(target["identity"])
    if not target["write"]:
        return claim_for_reading(target, block)
    fd, trouble = open_block(block, os.O_RDWR | os.O_EXCL)
    reasons = [trouble] if trouble else []
    if fd is not None:
        reasons += identity_reasons(fd, block, target)
        reasons += data_reasons(fd, block, target)
    reasons += refusal_reasons(block, base)
    if reasons or fd is None:
        close_descriptor(fd)
        raise RefusalError(reasons)
    return inheritable(fd, block)


def claim_for_reading(target: DiskTarget, block: Block) -> Claim:
    """Claim a disk for reading: checks only identity and size."""
    fd, trouble = open_block(block, os.O_RDONLY)
    reasons = [trouble] if trouble else []
    if fd is not None:
        reasons += identity_reasons(fd, block, target)
    if reasons or fd is None:
        close_descriptor(fd)
        raise RefusalError(reasons)
    return inheritable(fd, block)


def inheritable(fd: int, block: Block) -> Claim:
    """Return the claim with an inheritable descriptor."""
    os.set_inheritable(fd, True)
    return Claim(block.node, fd, block, discard_count(block))


def close_descriptor(fd: Optional[int]) -> None:
    """Close a descriptor."""
    if fd is not None:
        os.close(fd)


def find_disk(identity: str) -> Block:
    """Return the one disk with this identity. Raises: RefusalError."""
    if identity.startswith("none:"):
        raise RefusalError(
            ["Identity: this disk names itself by nothing that lasts, so it can never be a target."]
        )
    result = resolve(identity)
    if len(result) == 1:
        return result[0]
    if not result:
        sentence = "Identity: no disk of this host is {} now; look for it or enrol the new disk."
        raise RefusalError([sentence.format(identity)])
    names = ", ".join(block.name for block in result)
    sentence = (
        "Identity: {} all answer to {}; use the device stacked on them, or detach all but one."
    )
    raise RefusalError([sentence.format(names, identity)])


def open_block(block: Block, flags: int) -> Tuple[Optional[int], str]:
    """Open the node; EBUSY means that the kernel knows a user of the disk."""
    try:
        return os.open(block.node, flags | os.O_CLOEXEC), ""
    except OSError as error:
        if error.errno == errno.EBUSY:
            reason = "it is mounted, swapped on, part of a RAID or LVM, or claimed by another job"
            return None, "Claim: {} is in use ({}); free it first.".format(block.node, reason)
        sentence = "Claim: {} cannot be opened ({}); check the disk and its permissions."
        return None, sentence.format(block.node, error.strerror)


def identity_reasons(fd: int, block: Block, target: DiskTarget) -> List[str]:
    """Check that the opened device is the expected disk; it cannot be exchanged while open."""
    state = os.fstat(fd)
    if not stat.S_ISBLK(state.st_mode) or state.st_rdev != block.device:
        sentence = "Identity: {} is not the device the kernel calls {}; repair the node."
        return [sentence.format(block.node, block.name)]
    reasons = []
    if identity_of(fd) != target["identity"]:
        sentence = "Identity: {} is {} now, not {}; nothing was started."
        reasons.append(sentence.format(block.node, identity_of(fd), target["identity"]))
    return reasons + size_reasons(fd, block, target["size"])


def size_reasons(fd: int, block: Block, expected: Optional[int]) -> List[str]:
    """Compare the device's size with the enrolled size in bytes."""
    size = struct.unpack("Q", fcntl.ioctl(fd, BLKGETSIZE64, bytes(8)))[0]
    if size == 0:
        return ["Size: {} has no size; insert a medium or attach the disk.".format(block.node)]
    if expected is not None and size != expected:
        sentence = "Size: {} has {} bytes, enrolled were {}; enrol the disk again."
        return [sentence.format(block.node, size, expected)]
    return []


def data_reasons(fd: int, block: Block, target: DiskTarget) -> List[str]:
    """Check for data that was not confirmed for destruction: by signatures and fingerprint."""
    if target["allow_signatures"]:
        return []
    expected = target["fingerprint"]
    reasons = signature_reasons(fd, block, written_by_test=bool(expected and expected["written"]))
    return reasons + content_reasons(fd, block, block.size, expected)


def signature_reasons(fd: int, block: Block, written_by_test: bool) -> List[str]:
    """Check for signatures on the disk.

    After a test of benchlab, older data that it did not reach was already confirmed.
    """
    result = signatures(block.node, fd, block.size)
    result += [] if written_by_test or result else leftover_signatures(fd, block.size)
    if not result:
        return []
    sentence = (
        "Signatures: {} carries {}; clear it yourself, or launch again and confirm the wipe (a "
        "disk owner types it beside the launch button)."
    )
    return [sentence.format(block.node, ", ".join(result))]


def identity_of(fd: int) -> Optional[str]:
    """Return the present identity of an open disk; None if the disk is gone."""
    block = whole_disk(os.fstat(fd).st_rdev)
    return block.identity if block and block.size else None


def inspect(base: str, request: Request) -> Response:
    """Run the verb: return what a claim would report; the claim is released at once."""
    identity, write = str(request["identity"]), bool(request["write"])
    expected = validate_fingerprint(request.get("fingerprint"))
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
        with file_lock(base, DISK_INSPECTION):
            answer.update(content_report(block, expected))
    return answer


def content_report(block: Block, expected: Optional[Fingerprint]) -> Response:
    """Return signatures, fingerprint and differences from the expected one; {} if unreadable."""
    try:
        fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return {}
    try:
        result = signatures(block.node, fd, block.size) or leftover_signatures(fd, block.size)
        now = take_fingerprint(fd, block, block.size)
        reasons = content_reasons(fd, block, block.size, expected)
        return {"signatures": result, "fingerprint": now, "content": reasons}
    except OSError:
        return {}
    finally:
        os.close(fd)
