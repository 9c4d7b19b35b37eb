"""Count errors in the kernel log between two moments, from /dev/kmsg (Documentation/ABI/dev-kmsg).

Only errors and events of storage, network, memory and CPU count; the first lines are reported.
"""

import errno
import os
import re
from typing import List, Optional

from ..schema import KernelErrors

PATH = "/dev/kmsg"
MAX_RECORDS, MAX_LINES, MAX_LINE_LENGTH, RECORD_BYTES = 20000, 10, 200, 8192
PATTERNS = (
    r"I/O error|critical (?:medium|target|space allocation) error|Medium Error|Unaligned write",
    r"(?:hard|soft) resetting link|reset(?:ting)? (?:controller|device|adapter|link|bus)",
    r"link is (?:up|down)|link (?:up|down)\b|becomes ready|SATA link down|carrier (?:lost|on)",
    r"nvme.*(?:timeout|abort|reset|disabl|not ready|frozen)",
    r"\bata\d.*(?:exception|failed command|SError|limiting)",
    r"(?:task abort|abort(?:ing|ed)? command|timing out command|task management)",
    r"(?:EXT4-fs|XFS|BTRFS).*(?:error|corrupt)|metadata corruption",
    r"md/raid.*(?:failure|failed|kicking)|multipath.*Failing path|multipath.*remaining active",
    r"Hardware Error|Machine check|\bEDAC\b.*error|PCIe Bus Error|pcieport.*error",
    r"Out of memory|oom-kill|blocked for more than|soft lockup|rcu.*stall",
    r"(?:temperature above threshold|throttl)",
    r"nfs: server .* (?:not responding|timed out)|libceph:.*(?:down|socket (?:closed|error))",
)
EVENT = re.compile("|".join(PATTERNS), re.IGNORECASE)


class KernelLog:
    """Reader of the log from `begin` on. Both `count` values are null if it cannot be read."""

    def __init__(self, path: str = PATH) -> None:
        self.path = path
        self.fd: Optional[int] = None

    def begin(self) -> None:
        """Remember the end of the log."""
        try:
            self.fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.lseek(self.fd, 0, os.SEEK_END)
        except OSError:
            self.close()

    def end(self) -> Optional[KernelErrors]:
        """Return the number of events since `begin`, and the first of them; None if unreadable."""
        if self.fd is None:
            return None
        try:
            return kernel_errors(self.records())
        finally:
            self.close()

    def records(self) -> List[str]:
        """Return the records since `begin`; those that the kernel dropped are missing."""
        result: List[str] = []
        while self.fd is not None and len(result) < MAX_RECORDS:
            try:
                record = os.read(self.fd, RECORD_BYTES)
            except OSError as error:
                if error.errno == errno.EPIPE:  # overwritten: the next read has the oldest record
                    continue
                break
            if not record:
                break
            result.append(record.decode("utf-8", "replace"))
        return result

    def close(self) -> None:
        """Close the log."""
        if self.fd is not None:
            os.close(self.fd)
        self.fd = None


def kernel_errors(records: List[str]) -> KernelErrors:
    """Return the events among these records ("priority,number,time,flags;text")."""
    texts = [message_of(record) for record in records]
    events = [text for text in texts if EVENT.search(text)]
    return {
        "count": len(events),
        "lines": [text[:MAX_LINE_LENGTH] for text in events[:MAX_LINES]],
    }


def message_of(record: str) -> str:
    """Return the text of a record; empty for one that a program wrote (facility not 0).

    A program may write to the log too, and its text proves nothing about the kernel.
    """
    head, _, rest = record.partition(";")
    priority = head.split(",", 1)[0]
    if not priority.isdigit() or int(priority) >> 3:
        return ""
    return rest.split("\n", 1)[0]
