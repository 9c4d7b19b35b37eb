"""Limit of an array: share of its disks' sum that a RAID level or pool type leaves. Pure.

Every read costs one operation of one disk. A write that is smaller than a stripe costs the level's
write penalty in operations (Patterson, Gibson, Katz, "A Case for Redundant Arrays of Inexpensive
Disks", SIGMOD 1988, table of small writes): two for mirrors, four with one parity (read data and
parity, write both), six with two. A write of whole stripes costs only the disks with redundancy.
Ceph writes each replica, or each of k + m chunks if a write fills its stripe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apps.inventory.schemas.raid_levels import PENALTY

Metric = Literal["iops", "bandwidth"]
LEVELS = ("none", "raid0", "raid1", "raid5", "raid6", "raid10")
PARITY = {"raid5": 1, "raid6": 2}


@dataclass(frozen=True)
class ArrayOverhead:
    """RAID level or pool type.

    `name`: one of LEVELS, "replicated" or "erasure". For pools `data` is the number of data chunks
    (1 if replicated) and `copies` the number of all chunks.
    """

    name: str = "none"
    data: int = 1
    copies: int = 1

    @property
    def label(self) -> str:
        """Return the display name: "RAID 5", "3 replicas", "k=4, m=2"."""
        if self.name == "replicated":
            return f"{self.copies} replicas"
        if self.name == "erasure":
            return f"k={self.data}, m={self.copies - self.data}"
        return self.name.upper().replace("RAID", "RAID ") if self.name != "none" else ""

    def share(self, metric: Metric, *, writes: bool, disks: int) -> float:
        """Return the share of the disks' sum that remains: 1 for reads and without redundancy."""
        if not writes:
            return 1.0
        if self.name == "replicated":
            return 1 / max(1, self.copies)
        if self.name == "erasure":
            whole = self.data / max(1, self.copies)
            return whole if metric == "bandwidth" else 1 / max(1, self.copies)
        parity = PARITY.get(self.name, 0)
        if metric == "bandwidth" and parity:
            return max(0.0, (disks - parity) / disks) if disks else 0.0
        return 1 / PENALTY.get(self.name, 1)
