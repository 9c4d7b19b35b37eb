"""Arrays of /proc/mdstat (drivers/md/md.c, md_seq_show), as samples like those of a cluster."""

import re
from typing import Dict, List, NamedTuple, Optional

from ..files import read_text
from ..schema import ClusterSample

MDSTAT = "/proc/mdstat"
HEAD = re.compile(r"^(md\S+) : (\S+)((?: \(\S+\))?)((?: \S+)*)$")
MEMBER = re.compile(r"^(\S+)\[\d+\]((?:\([A-Z]\))*)$")
COUNT = re.compile(r"^.*?(\d+) blocks .*\[(\d+)/(\d+)\] \[([U_]+)\]", re.MULTILINE)
COPIES = re.compile(r"(\d+) (?:near|far|offset)-copies")
PROGRESS = re.compile(
    r"^.*?(recovery|resync|reshape|check|repair) *= *([\d.]+)% \((\d+)/(\d+)\)"
    r".*?speed=(\d+)K/sec",
    re.MULTILINE,
)
WAITING = re.compile(r"(recovery|resync|reshape|check|repair)=(DELAYED|PENDING|REMOTE)")
FAULTY = "(F)"

Array = NamedTuple(
    "Array",
    [
        ("name", str),
        ("is_active", bool),  # and may be written
        ("level", str),
        ("members", Dict[str, str]),  # flags such as "(F)" by kernel name
        ("disks", int),
        ("present", int),
        ("component", int),  # KiB of one member
        ("copies", int),
        ("action", str),  # what runs or waits; "" for none
        ("done", int),  # KiB
        ("size", int),
        ("speed", int),  # KiB/s
        ("is_external", bool),
    ],
)


def arrays() -> Dict[str, Array]:
    """Return the arrays of this host by name."""
    blocks = re.split(r"\n(?=md)", read_text(MDSTAT) or "")
    found = [parse_array(block) for block in blocks]
    return {one.name: one for one in found if one}


def parse_array(text: str) -> Optional[Array]:
    """Return the array of a paragraph; None if it is none."""
    lines = text.splitlines() or [""]
    head = HEAD.match(lines[0].rstrip())
    if not head:
        return None
    words = head.group(4).split()
    level = words[0] if words and "[" not in words[0] else ""
    members = {m.group(1): m.group(2) for m in map(MEMBER.match, words) if m}
    count, progress, waits = COUNT.search(text), PROGRESS.search(text), WAITING.search(text)
    disks, present = (int(count.group(2)), int(count.group(3))) if count else (0, 0)
    copies = [int(n) for n in COPIES.findall(text)]
    action = progress or waits
    done, size, speed = progress.groups()[2:] if progress else (0, 0, 0)
    whole = int(count.group(1)) if count else 0
    most = max(copies, default=1)
    parts = {"raid5": disks - 1, "raid6": disks - 2, "raid10": disks // most}.get(level, 1)
    return Array(
        head.group(1),
        head.group(2) == "active" and not head.group(3),
        level,
        members,
        disks,
        present,
        whole // max(1, parts),
        most,
        action.group(1) if action else "",
        int(done),
        int(size),
        int(speed),
        " external:" in text,
    )


def is_lost(array: Optional[Array]) -> bool:
    """Return True if the array is down, or lost more than the one member."""
    return array is None or not array.is_active or array.disks - array.present > 1


def sample_of(array: Optional[Array]) -> ClusterSample:
    """Return a second of an array; `degraded` and `objects` are KiB of a member."""
    state, left, size, speed = "down", 0, 0, 0
    if array is not None:
        size, speed = array.size or array.component, array.speed
        if not is_lost(array):
            state = "active+" + (WORDS.get(array.action) or "degraded")
            if not array.action and array.present == array.disks:
                state = "active+clean"
        if array.present < array.disks:
            left = max(1, size - array.done)
    return {
        "states": {state: 1},
        "pgs": 1,
        "objects": size,
        "degraded": left,
        "misplaced": 0,
        "unfound": 0,
        "recovery_bytes": speed * 1024,
        "recovery_objects": 0,
        "read_ops": 0,
        "write_ops": 0,
        "checks": [],
    }


WORDS = {"recovery": "recovering", "resync": "resync", "reshape": "reshape", "check": "check"}


class Recovered:
    """Bytes that were written to the member so far."""

    def __init__(self) -> None:
        self.bytes = 0
        self.size = 0

    def update(self, array: Optional[Array]) -> int:
        """Return the bytes after a look; the end is between two looks."""
        if array and array.action == "recovery" and array.size:
            self.size = array.size
            self.bytes = max(self.bytes, array.done * 1024)
        elif array and self.size and array.present == array.disks:
            self.bytes = self.size * 1024
        return self.bytes


def member_reasons(array: Array, member: str) -> List[str]:
    """Return why this member may not fail now; empty if one may without loss."""
    usual = {"raid1": 2, "raid5": 2, "raid6": 4, "raid10": 2}.get(array.level)
    if usual is None or array.is_external:
        return [LEVEL.format(array.name, array.level or "?")]
    doubts = [
        (not array.is_active, "is not active, or read-only"),
        (array.present < array.disks, "is degraded"),
        (bool(array.action), "has a {} that runs or waits".format(array.action)),
        (array.disks < usual, "has too few members"),
        (array.level == "raid10" and array.copies < 2, "has one copy of each block"),
        (any(array.members.values()), "has a spare, faulty or other special member"),
        (member not in array.members, "does not have {}".format(member)),
    ]
    return [UNSAFE.format(array.name, words) for applies, words in doubts if applies]


LEVEL = "Disturbance: {} is {}, which may not lose a member here."
UNSAFE = "Disturbance: {} {}."
