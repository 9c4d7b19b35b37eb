"""The block-queue settings that can be lent (Documentation/ABI/stable/sysfs-block, queue/*)."""

import os
import re
from typing import List, Optional

from .blocks import Block
from .files import read_text

# The scheduler first: changing it resets nr_requests.
NAMES = ("scheduler", "max_sectors_kb", "rq_affinity", "nr_requests", "read_ahead_kb")
SCHEDULER = re.compile(r"^[a-z0-9_-]{1,15}$")
# What the kernel could take at all; what this disk takes is found out by writing and reading back.
RANGES = {
    "max_sectors_kb": (4, 1 << 20),
    "rq_affinity": (0, 2),
    "nr_requests": (4, 1 << 16),
    "read_ahead_kb": (0, 1 << 20),
}


def path_of(block: Block, name: str) -> str:
    """The sysfs file of a setting."""
    return os.path.join(block.folder, "queue", name)


def current(block: Block, name: str) -> Optional[str]:
    """The value now; of the schedulers the one in brackets. None when this disk has no such
    setting.
    """
    text = read_text(path_of(block, name))
    if text is None or name != "scheduler":
        return text
    chosen = re.search(r"\[([^\]]+)\]", text)
    return chosen.group(1) if chosen else text


def choices(block: Block) -> List[str]:
    """The schedulers the kernel offers for a disk now."""
    return re.sub(r"[\[\]]", " ", read_text(path_of(block, "scheduler")) or "").split()


def objection(name: str, value: str) -> str:
    """Why a value cannot be meant, as a sentence; empty when it can."""
    if name == "scheduler":
        return "" if SCHEDULER.match(value) else "{!r} is not a scheduler's name.".format(value)
    if name not in RANGES:
        return "{!r} is not a setting that can be lent.".format(name)
    lowest, highest = RANGES[name]
    if value.isdigit() and str(int(value)) == value and lowest <= int(value) <= highest:
        return ""
    return "{} must be a whole number from {} to {}, not {!r}.".format(name, lowest, highest, value)


def store(block: Block, name: str, value: str) -> None:
    """Write one setting, in one write(2) as sysfs wants it. Raises OSError with the kernel's
    reason.
    """
    fd = os.open(path_of(block, name), os.O_WRONLY)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)
