"""What an acceptance costs: hours, and drive writes of each disk. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.acceptance.domain.steps import STANDARD_FOUR
from apps.acceptance.domain.waves import DiskPosition, fill_sets, measure_sets, wave_count
from apps.acceptance.schemas import SAMPLE, AcceptanceProfile

MEGA = 10**6
# Where the catalogue has no figure: sequential bytes/s by kind of disk.
USUAL_RATES = {"hdd": 200 * MEGA, "nvme": 2000 * MEGA, "other": 500 * MEGA}
WRITING_TESTS = sum("write" in access for access in STANDARD_FOUR)
# Start of a job, reading SMART data and collecting the output, seconds of each test.
OVERHEAD_SECONDS = 10
SAMPLE_SHARE = 0.01
HOUR = 3600.0


@dataclass(frozen=True)
class CostedDisk:
    """A disk with what its cost depends on; rates in bytes/s, None: not in the catalogue."""

    position: DiskPosition
    size: int
    kind: str
    write_rate: float | None = None
    rated_bytes: float | None = None


@dataclass(frozen=True)
class DiskCost:
    """Cost of one disk. `rate_is_assumed`: the catalogue has no figure of this disk."""

    disk: int
    bytes_written: float
    drive_writes: float
    rated_percent: float | None
    rate: float
    rate_is_assumed: bool
    fill_hours: float


@dataclass(frozen=True)
class Cost:
    """Cost of an acceptance; hours without approvals, queues and what a shared bus slows down."""

    fill_hours: float
    measure_hours: float
    waves: int
    disks: tuple[DiskCost, ...]

    @property
    def hours(self) -> float:
        return self.fill_hours + self.measure_hours

    @property
    def drive_writes(self) -> float:
        """Return the drive writes of the disk that is written most."""
        return max((one.drive_writes for one in self.disks), default=0.0)

    @property
    def rated_percent(self) -> float | None:
        """Return the largest share of a rating; None if no rating is known."""
        shares = [one.rated_percent for one in self.disks if one.rated_percent is not None]
        return max(shares, default=None)

    @property
    def bytes_written(self) -> float:
        return sum(one.bytes_written for one in self.disks)

    @property
    def is_assumed(self) -> bool:
        return any(one.rate_is_assumed for one in self.disks)


def cost_of(disks: Sequence[CostedDisk], profile: AcceptanceProfile) -> Cost:
    """Return the cost. A fill writes, then reads all again to verify, at the same rate."""
    positions = [disk.position for disk in disks]
    by_id = {disk.position.id: disk for disk in disks}
    fills = fill_sets(positions)
    fill_seconds = max(
        (max(_fill_seconds(by_id[pk], profile) for pk in ids) for ids in fills), default=0.0
    )
    waves = wave_count(measure_sets(positions), {disk.id: disk.host for disk in positions})
    each = len(STANDARD_FOUR) * profile.repeats * (profile.seconds + OVERHEAD_SECONDS)
    return Cost(
        fill_hours=fill_seconds / HOUR,
        measure_hours=waves * each / HOUR,
        waves=waves,
        disks=tuple(_disk_cost(disk, profile) for disk in disks),
    )


def _fill_seconds(disk: CostedDisk, profile: AcceptanceProfile) -> float:
    return 2 * disk.size * _share(profile) / _rate(disk) + OVERHEAD_SECONDS


def _disk_cost(disk: CostedDisk, profile: AcceptanceProfile) -> DiskCost:
    """Return the cost of a disk; timed tests write at most as fast as in sequence."""
    timed = WRITING_TESTS * profile.repeats * profile.seconds * _rate(disk)
    written = disk.size * _share(profile) + timed
    return DiskCost(
        disk=disk.position.id,
        bytes_written=written,
        drive_writes=written / disk.size if disk.size else 0.0,
        rated_percent=100 * written / disk.rated_bytes if disk.rated_bytes else None,
        rate=_rate(disk),
        rate_is_assumed=not disk.write_rate,
        fill_hours=_fill_seconds(disk, profile) / HOUR,
    )


def _rate(disk: CostedDisk) -> float:
    return disk.write_rate or USUAL_RATES.get(disk.kind, USUAL_RATES["other"])


def _share(profile: AcceptanceProfile) -> float:
    return SAMPLE_SHARE if profile.coverage == SAMPLE else 1.0
