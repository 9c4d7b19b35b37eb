"""Other users of a disk: each check gives sentences that say what was found and what to do."""

import time
from typing import List

from .blocks import Block
from .mounts import mounts, swaps, system_disks
from .openers import Openers
from .unseen import unseen

TRIES = 5
PAUSE = 0.2  # seconds: udev and its helpers look at a disk for a moment after every change


def refusals(block: Block, base: str) -> List[str]:
    """Every reason why this disk must not be written to; none when it is free."""
    reasons = []
    for check in (mounted, swapped, held, unseen, read_only, opened):
        reasons += check(block)
    return reasons + system(block, base)


def mounted(block: Block) -> List[str]:
    """Mounts of the disk or a partition."""
    devices = block.devices()
    found = [(devices[m.device], m.point) for m in mounts() if m.device in devices]
    sentence = "Mounts: {} is mounted on {}; unmount it first."
    return [sentence.format(name, point) for name, point in found]


def swapped(block: Block) -> List[str]:
    """Swap on the disk or a partition."""
    active = swaps()
    names = [name for device, name in block.devices().items() if device in active]
    return ["Swap: {0} is active swap; run swapoff /dev/{0} first.".format(n) for n in names]


def held(block: Block) -> List[str]:
    """Devices stacked on it."""
    holders = block.holders()
    if not holders:
        return []
    sentence = "Holders: {} carries {} (LVM, RAID, encryption or multipath); take that apart first."
    return [sentence.format(block.name, ", ".join(holders))]


def read_only(block: Block) -> List[str]:
    """The kernel's read-only flag."""
    if block.number("ro"):
        return ["Read-only: {} takes no writes; use it for reading only.".format(block.node)]
    return []


def system(block: Block, base: str) -> List[str]:
    """The host's own disks, through LVM and RAID too: never, whoever confirms it."""
    point = system_disks(base).get(block.name)
    if point is None:
        return []
    return [
        "System: {} carries {} of this host and can never be a target.".format(block.node, point)
    ]


def opened(block: Block) -> List[str]:
    """Other processes that have the disk or a partition open or mapped, after udev had time to look
    away.
    """
    for _attempt in range(TRIES):
        found = Openers(block).sentences()
        if not found:
            return []
        time.sleep(PAUSE)
    return found
