"""Syncs of a job (fsync, fdatasync, sync_file_range) as an operation without bytes.

fio counts them separately from the directions (stat.c). All have a latency sample, but `total_ios`
and the fourth number of issued operations count only fsync. Syncs happen while the job runs, so
their run time is that of its longest direction.
"""

from __future__ import annotations

from apps.tools.text import count
from apps.tools.values import Decoded

from .direction import NOTHING, SYNC, Part, Phase, directions_of, read_phase


def read_sync(name: str, job: Decoded) -> Part | None:
    """Return the syncs of a job in fio's document (from 3.0 on); None without syncs."""
    raw = job.get(SYNC)
    if not isinstance(raw, dict):
        return None
    latency = read_phase(raw, "lat", True)
    operations = latency.operations or count(raw.get("total_ios"))
    return sync_part(name, latency, operations, _runtime_seconds(job)) if operations else None


def sync_part(name: str, latency: Phase, operations: int, runtime: float) -> Part:
    """Return a job's syncs as a part.

    `runtime`: seconds; `operations`: 0 if unknown.
    """
    return Part(
        job=name,
        operations=operations,
        transferred=0,
        runtime=runtime,
        bandwidth=None,
        iops=operations / runtime if operations and runtime else None,
        phases={"slat": NOTHING, "clat": NOTHING, "lat": latency},
        values={},
    )


def _runtime_seconds(job: Decoded) -> float:
    """Return the seconds of the longest direction."""
    directions = directions_of(job).values()
    return max((count(raw.get("runtime")) for raw in directions), default=0) / 1000
