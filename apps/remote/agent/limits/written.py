"""Bytes that jobs have written to disks today, as the kernel counts them.

Stored in <base>/written.json by UTC day and attempt, so that a crash or a second job loses nothing.
"""

import os
import time
from contextlib import suppress
from typing import Dict, List

from ..disks.blocks import SECTOR_BYTES, Block
from ..files import read_json, write_json
from ..host.locks import file_lock

LOCK = "written.lock"
FILE = "written.json"
WRITTEN_SECTORS = 6  # of /sys/block/<name>/stat (Documentation/block/stat.rst)


def today(realtime: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(realtime))


def written_bytes(block: Block) -> int:
    """Return the bytes written to a disk since the host started."""
    fields = block.text("stat").split()
    known = len(fields) > WRITTEN_SECTORS and fields[WRITTEN_SECTORS].isdigit()
    return int(fields[WRITTEN_SECTORS]) * SECTOR_BYTES if known else 0


class WrittenBytes:
    """What one job writes to its disks, added to what others have written today."""

    def __init__(self, base: str, attempt: str) -> None:
        self.base, self.attempt = base, attempt
        self.blocks: List[Block] = []
        self.counted = 0

    def begin(self, blocks: List[Block]) -> None:
        """Start to count from now."""
        self.blocks = blocks
        self.counted = sum(map(written_bytes, blocks))

    def add(self) -> int:
        """Store what was written since the last call; return the bytes of all jobs today.

        Raises: OSError if the file cannot be written.
        """
        now = sum(map(written_bytes, self.blocks))
        more, self.counted = max(0, now - self.counted), now
        day = today(time.time())
        path = os.path.join(self.base, FILE)
        with file_lock(self.base, LOCK):
            rows = of_day(read_json(path), day)
            if more:
                rows[self.attempt] = rows.get(self.attempt, 0) + more
                write_json(path, {day: rows}, durable=False)
        return sum(rows.values())


def of_day(document: object, day: str) -> Dict[str, int]:
    """Return the bytes of a day by attempt; unusable entries count nothing."""
    rows = document.get(day) if isinstance(document, dict) else None
    result: Dict[str, int] = {}
    for attempt, count in (rows if isinstance(rows, dict) else {}).items():
        with suppress(TypeError, ValueError):
            result[attempt] = int(count)
    return result
