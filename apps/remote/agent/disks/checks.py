"""Checks for other users of a disk; each returns sentences with the cause and the remedy."""

import time
from typing import List

from .blocks import Block
from .kernel_users import kernel_user_reasons
from .mounts import mounts, swaps, system_disks
from .open_handles import OpenHandles
from .passthrough import generic_users

MAX_TRIES = 5
RETRY_DELAY = 0.2  # udev opens a disk briefly after every change


def refusal_reasons(block: Block, base: str) -> List[str]:
    """Return every reason against writing to this disk; empty if it is free."""
    reasons = []
    for check in (
        mount_reasons,
        swap_reasons,
        holder_reasons,
        kernel_user_reasons,
        read_only_reasons,
        open_reasons,
    ):
        reasons += check(block)
    return reasons + system_disk_reasons(block, base)


def mount_reasons(block: Block) -> List[str]:
    """Check for mounts of the disk or a partition."""
    devices = block.devices()
    result = [(devices[m.device], m.point) for m in mounts() if m.device in devices]
    sentence = "Mounts: {} is mounted on {}; unmount it first."
    return [sentence.format(name, point) for name, point in result]


def swap_reasons(block: Block) -> List[str]:
    """Check for swap on the disk or a partition."""
    active = swaps()
    names = [name for device, name in block.devices().items() if device in active]
    return ["Swap: {0} is active swap; run swapoff /dev/{0} first.".format(n) for n in names]


def holder_reasons(block: Block) -> List[str]:
    """Check for devices stacked on the disk."""
    holders = block.holders()
    if not holders:
        return []
    sentence = "Holders: {} carries {} (LVM, RAID, encryption or multipath); take that apart first."
    return [sentence.format(block.name, ", ".join(holders))]


def read_only_reasons(block: Block) -> List[str]:
    """Check the kernel's read-only flag."""
    if block.number("ro"):
        return ["Read-only: {} takes no writes; use it for reading only.".format(block.node)]
    return []


def system_disk_reasons(block: Block, base: str) -> List[str]:
    """Check for disks of the host itself, through LVM and RAID; no confirmation overrides it."""
    point = system_disks(base).get(block.name)
    if point is None:
        return []
    return [
        "System: {} carries {} of this host and can never be a target.".format(block.node, point)
    ]


def open_reasons(block: Block) -> List[str]:
    """Check for processes with the disk open or mapped; retries, since udev opens it briefly."""
    for _attempt in range(MAX_TRIES):
        result = OpenHandles(block).reasons() + generic_users(block)
        if not result:
            return []
        time.sleep(RETRY_DELAY)
    return result
