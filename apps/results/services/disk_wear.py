"""What a test cost its disks: bytes by the disks' own counters, before and after.

Host bytes are what hosts sent to a disk, NAND bytes what it wrote to its flash. Their ratio is the
write amplification. A counter that went back (another disk, a reset) has no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.inventory.schemas.host_facts import Smart, known
from apps.results.selectors.jobs import DoneJob
from apps.tools.messages import message

# Below this the steps of the counters and the disk's own work decide the ratio.
LEAST_BYTES = 1 << 30
LEAST_STEPS = 64
# A ratio beyond is another unit than the log's definition.
PLAUSIBLE = (0.1, 1000.0)
# The disk may count so much more than benchlab wrote.
EXTRA_SHARE = 1.05
EXTRA_FLOOR = 64 << 20
# What a host may report at most of its disks.
MAX_DISKS = 4_096
MAX_IDENTITY = 400
MAX_NAME = 80
MAX_BYTES = 2**62
MAX_PERCENT = 1_000


@dataclass(frozen=True)
class DiskCounts:
    """Differences of one disk over all jobs of an attempt; None: not reported.

    `host`: its id; `host_name`: empty if only one takes part; `name`: its kernel name;
    `resolution`: bytes of one step of `host_bytes`; `used_percent_*`: rated life used.
    """

    host: int
    host_name: str
    identity: str
    name: str
    host_bytes: int | None
    nand_bytes: int | None
    resolution: int
    used_percent_before: int | None
    used_percent_after: int | None

    @property
    def label(self) -> str:
        return f"{self.host_name} {self.name or self.identity}".strip()


def counts_of(jobs: Sequence[DoneJob]) -> list[DiskCounts]:
    """Return the differences of every disk that reported anything before or after a job."""
    readings: dict[tuple[int, str], list[tuple[DoneJob, Smart, Smart]]] = {}
    for job in jobs:
        before, after = job.exit.get("smart_before") or {}, job.exit.get("smart") or {}
        known_names = [name for name in (*before, *after) if len(name) <= MAX_IDENTITY]
        for identity in list(dict.fromkeys(known_names))[:MAX_DISKS]:
            pair = (known(Smart, before.get(identity)), known(Smart, after.get(identity)))
            readings.setdefault((job.host, identity), []).append((job, *pair))
    return [_counts(identity, rows) for (_host, identity), rows in readings.items()]


def _counts(identity: str, rows: Sequence[tuple[DoneJob, Smart, Smart]]) -> DiskCounts:
    job = rows[0][0]
    both = [(before, after) for _job, before, after in rows]
    return DiskCounts(
        host=job.host,
        host_name=job.name,
        identity=identity,
        name=next((one.name for pair in both for one in pair if one.name), "")[:MAX_NAME],
        host_bytes=_sum(_difference(a.written, b.written) for a, b in both),
        nand_bytes=_sum(_difference(a.nand_written, b.nand_written) for a, b in both),
        resolution=min(max((a.resolution or 0) for a, _b in both), MAX_BYTES),
        used_percent_before=_percent(both[0][0].used),
        used_percent_after=_percent(both[-1][1].used),
    )


def _difference(before: int | None, after: int | None) -> int | None:
    if before is None or after is None or after < before:
        return None
    return after - before


def _sum(values: Iterable[int | None]) -> int | None:
    """Return the sum, None if one is unknown or no disk can have it."""
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total if total <= MAX_BYTES else None


def _percent(used: int | None) -> int | None:
    """Return the rated life used, None if no disk reports this (NVM Express: at most 255)."""
    return used if used is not None and 0 <= used <= MAX_PERCENT else None


def write_amplification(disks: Sequence[DiskCounts]) -> tuple[float | None, str]:
    """Return NAND bytes / host bytes of all disks together, or None and the reason."""
    host = _sum(disk.host_bytes for disk in disks)
    nand = _sum(disk.nand_bytes for disk in disks)
    if not disks:
        return None, message("no disk reported SMART data before and after the test")
    if host is None:
        return None, message("a disk does not report how many bytes hosts wrote to it")
    if nand is None:
        return None, message(
            "a disk does not report how many bytes it wrote to its flash (it has no OCP log that "
            "nvme-cli reads)"
        )
    least = max(LEAST_BYTES, LEAST_STEPS * sum(disk.resolution for disk in disks))
    if host < least:
        return None, message(
            "hosts wrote %(bytes)s during the test; below %(least)s the steps of the counters "
            "decide the ratio",
            bytes=gib(host),
            least=gib(least),
        )
    ratio = nand / host
    if not PLAUSIBLE[0] <= ratio <= PLAUSIBLE[1]:
        return None, message(
            "flash bytes / host bytes is %(ratio)s, so one of the counters has another unit",
            ratio=f"{ratio:.3g}",
        )
    return ratio, ""


def gib(count: int) -> str:
    """Format bytes with one decimal: counters of disks are no multiples of large units."""
    return f"{count / 2**30:,.1f} GiB"


def foreign_write_warnings(
    disks: Sequence[DiskCounts], wrote: Mapping[tuple[str, str], int]
) -> list[str]:
    """Return a warning for each disk that counted 5 % more host bytes than benchlab wrote.

    `wrote`: bytes by host name and kernel name; a disk without an entry is not checked.
    """
    warnings: list[str] = []
    for disk in disks:
        own = wrote.get((disk.host_name, disk.name))
        if own is None or disk.host_bytes is None:
            continue
        extra = disk.host_bytes - own
        if extra > max(EXTRA_FLOOR, 2 * disk.resolution, own * (EXTRA_SHARE - 1)):
            words = message(
                "%(disk)s counted %(counted)s written by hosts, benchlab wrote %(own)s: something "
                "else wrote to it",
                disk=disk.label,
                counted=gib(disk.host_bytes),
                own=gib(own),
            )
            warnings.append(words)
    return warnings
