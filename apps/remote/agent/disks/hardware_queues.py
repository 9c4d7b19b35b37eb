"""CPUs of a disk's hardware queues (Documentation/ABI/stable/sysfs-block, mq/<queue>/cpu_list)."""

import os
import re
from typing import List

from ..files import list_folder
from ..schema import HardwareQueue
from .blocks import Block

RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def hardware_queues(block: Block) -> List[HardwareQueue]:
    """Return the CPUs of each hardware queue (/sys/block/<name>/mq/<queue>/cpu_list)."""
    names = [n for n in list_folder(os.path.join(block.folder, "mq")) if n.isdigit()]
    return [
        {"queue": int(name), "cpus": cpu_list(block.text("mq/{}/cpu_list".format(name)))}
        for name in sorted(names, key=int)
    ]


def cpu_list(text: str) -> List[int]:
    """Return "0-2, 5" as numbers."""
    result: List[int] = []
    for first, last in RANGE.findall(text):
        result.extend(range(int(first), int(last or first) + 1))
    return result
