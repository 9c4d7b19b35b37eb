"""Targets of a job: several disks and directories are held together or not at all."""

import contextlib
import os
from typing import Dict, List, NamedTuple, Optional

from ..disks.blocks import Block
from ..disks.claim import Claim, claim_disk, identity_of
from ..disks.content import discards, fingerprint
from ..errors import RefusalError
from ..shapes import DirectoryTarget, Fingerprint, Target
from .places import FOLDER
from .room import lacking
from .scratch import directory_reasons, disk_below, own_folder

# `place` is what a command is given: today's node, or benchlab's folder. `claim` is None for a
# directory.
Held = NamedTuple(
    "Held", [("place", str), ("fd", int), ("block", Optional[Block]), ("claim", Optional[Claim])]
)


def take(targets: List[Target], base: str) -> List[Held]:
    """Hold and check every target, in their order, before a folder is made in any of them.

    Every descriptor is inheritable, so all claims live as long as the last process that can write.
    Raises RefusalError with the reasons of all of them; nothing is held then.
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
        let_go(list(claims.values()))
        raise RefusalError(reasons)
    return [
        held_directory(target["path"])
        if target["kind"] == "directory"
        else held_disk(claims[number])
        for number, target in enumerate(targets)
    ]


def let_go(claims: List[Claim]) -> None:
    """Give claims back."""
    for claim in claims:
        os.close(claim.fd)


def held_disk(claim: Claim) -> Held:
    """A claimed disk."""
    return Held(claim.node, claim.fd, claim.block, claim)


def held_directory(path: str) -> Held:
    """A directory with benchlab's folder in it, whose descriptor keeps the file system mounted
    while the job lives. Raises RefusalError.
    """
    fd = own_folder(path)
    os.set_inheritable(fd, True)
    place = os.path.join(path, FOLDER)
    return Held(place, fd, disk_below(place), None)


def space_reasons(targets: List[Target]) -> List[str]:
    """Directories of one file system share its room; each alone is looked at on its own."""
    needs: Dict[int, List[DirectoryTarget]] = {}
    for target in targets:
        if target["kind"] == "directory" and os.path.isdir(target["path"]):
            needs.setdefault(os.stat(target["path"]).st_dev, []).append(target)
    sentence = "Space: {} lie on one file system, which has {}; free some or ask for less."
    reasons = []
    for sharing in needs.values():
        total = sum(target["needs"] for target in sharing)
        short = lacking(sharing[0]["path"], total, "together they need")
        if len(sharing) > 1 and short:
            paths = " and ".join(target["path"] for target in sharing)
            reasons.append(sentence.format(paths, short))
    return reasons


def left_behind(held: List[Held], targets: List[Target]) -> List[Optional[Fingerprint]]:
    """exit.json's `fingerprints`: for each target that is a disk and was written to, what is on it
    now; None for the others, and for a disk that cannot be read any more.
    """
    found: List[Optional[Fingerprint]] = []
    for number, one in enumerate(held):
        target = targets[number]
        found.append(None)
        if one.claim and target["kind"] == "disk" and target["write"]:
            with contextlib.suppress(OSError):
                found[-1] = after_writing(one.claim, target["fingerprint"])
    return found


def after_writing(claim: Claim, before: Optional[Fingerprint]) -> Fingerprint:
    """The fingerprint of a disk that a test of ours wrote to. Raises OSError."""
    given_back = discards(claim.block) > claim.discards or bool(before and before["discarded"])
    now = fingerprint(claim.fd, claim.block, claim.block.size, given_back)
    now["written"] = True
    return now


def seen_at_the_end(held: List[Held], single: bool) -> Dict[str, object]:
    """exit.json's `node` and `identity_after` (a disk's identity as the kernel tells it now): one
    value for a spec with `target` or none, a list for one with `targets`.
    """
    nodes = [one.claim.node if one.claim else one.place for one in held]
    after = [identity_of(one.claim.fd) if one.claim else None for one in held]
    if single:
        return {"node": next(iter(nodes), None), "identity_after": next(iter(after), None)}
    return {"node": nodes, "identity_after": after}
