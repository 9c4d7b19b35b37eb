"""Claim the targets of a job: all disks and directories, or none."""

import contextlib
import os
from typing import Dict, List, NamedTuple, Optional

from ..disks.blocks import Block
from ..disks.claim import Claim, claim_disk, identity_of
from ..disks.fingerprint import discard_count, take_fingerprint
from ..disks.passthrough import generic_node
from ..errors import RefusalError
from ..schema import DirectoryTarget, Fingerprint, Target
from .allowed_paths import FOLDER
from .free_space import TOGETHER, shortage
from .scratch import directory_disk, directory_reasons, open_or_make_folder

# `place` is what a command is given: today's node, or benchlab's folder. `claim` is None for a
# directory.
ClaimedTarget = NamedTuple(
    "ClaimedTarget",
    [("path", str), ("fd", int), ("block", Optional[Block]), ("claim", Optional[Claim])],
)


def claim_targets(targets: List[Target], base: str) -> List[ClaimedTarget]:
    """Claim and check every target in order, before a folder is created in any.

    Descriptors are inheritable, so all claims last as long as the last process that can write.
    Raises: RefusalError with all reasons; then nothing is claimed.
    """
    claims: Dict[int, Claim] = {}
    reasons = space_reasons(targets)
    for number, target in enumerate(targets):
        if target["kind"] == "directory":
            reasons += directory_reasons(target, base)
            continue
        try:
            claims[number] = claim_disk(target, base)
        except RefusalError as refusal:
            reasons += refusal.reasons
    if reasons:
        release_claims(list(claims.values()))
        raise RefusalError(reasons)
    return [
        claimed_directory(target["path"])
        if target["kind"] == "directory"
        else claimed_disk(claims[number])
        for number, target in enumerate(targets)
    ]


def release_claims(claims: List[Claim]) -> None:
    """Release claims."""
    for claim in claims:
        os.close(claim.fd)


def claimed_disk(claim: Claim) -> ClaimedTarget:
    """Return a claimed disk."""
    return ClaimedTarget(claim.node, claim.fd, claim.block, claim)


def claimed_directory(path: str) -> ClaimedTarget:
    """Return a directory with benchlab's folder; its descriptor keeps the file system mounted.

    Raises: RefusalError.
    """
    fd = open_or_make_folder(path)
    os.set_inheritable(fd, True)
    folder = os.path.join(path, FOLDER)
    return ClaimedTarget(folder, fd, directory_disk(folder), None)


def space_reasons(targets: List[Target]) -> List[str]:
    """Check the sum of needed bytes of directories on one file system."""
    needs: Dict[int, List[DirectoryTarget]] = {}
    for target in targets:
        if target["kind"] == "directory" and os.path.isdir(target["path"]):
            needs.setdefault(os.stat(target["path"]).st_dev, []).append(target)
    sentence = "Space: {} lie on one file system, which has {}; free some or request less."
    reasons = []
    for sharing in needs.values():
        total = sum(target["needs"] for target in sharing)
        short = shortage(sharing[0]["path"], total, TOGETHER)
        if len(sharing) > 1 and short:
            paths = " and ".join(target["path"] for target in sharing)
            reasons.append(sentence.format(paths, short))
    return reasons


def claimed_generic_devices(claimed: List[ClaimedTarget]) -> List[str]:
    """Return the NVMe generic device of each claimed disk. Raises: RefusalError."""
    nodes, reasons = [], []
    for one in claimed:
        assert one.block is not None, "directories have no generic device"
        try:
            nodes.append(generic_node(one.block, one.fd))
        except RefusalError as refusal:
            reasons += refusal.reasons
    if reasons:
        raise RefusalError(reasons)
    return nodes


def fingerprints_after(
    claimed: List[ClaimedTarget], targets: List[Target]
) -> List[Optional[Fingerprint]]:
    """Return exit.json's `fingerprints`: of each disk that was written to, else None."""
    result: List[Optional[Fingerprint]] = []
    for number, one in enumerate(claimed):
        target = targets[number]
        result.append(None)
        if one.claim and target["kind"] == "disk" and target["write"]:
            with contextlib.suppress(OSError):
                result[-1] = after_writing(one.claim, target["fingerprint"])
    return result


def after_writing(claim: Claim, before: Optional[Fingerprint]) -> Fingerprint:
    """Return the fingerprint of a disk after a test wrote to it. Raises: OSError."""
    given_back = discard_count(claim.block) > claim.discards or bool(before and before["discarded"])
    now = take_fingerprint(claim.fd, claim.block, claim.block.size, given_back)
    now["written"] = True
    return now


def final_identities(claimed: List[ClaimedTarget], single: bool) -> Dict[str, object]:
    """Return exit.json's `node` and `identity_after`: one value, or a list for `targets`."""
    nodes = [one.claim.node if one.claim else one.path for one in claimed]
    after = [identity_of(one.claim.fd) if one.claim else None for one in claimed]
    if single:
        return {"node": next(iter(nodes), None), "identity_after": next(iter(after), None)}
    return {"node": nodes, "identity_after": after}
