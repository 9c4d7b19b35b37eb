"""The syncs of a job (fsync, fdatasync, sync_file_range) as an operation of their own: how many,
how long; they move no bytes.

fio counts them beside the directions (stat.c): all have a latency sample, but `total_ios` and the
fourth of the issued operations count fsync alone. They happen while the job runs, so its longest
direction is their time.
"""

from __future__ import annotations

from apps.tools.text import count
from apps.tools.values import Decoded

from .direction import NOTHING, SYNC, Part, Phase, directions_of, read_phase


def read_sync(name: str, job: Decoded) -> Part | None:
    """The syncs of a job in fio's document (from 3.0 on); None where there were none."""
    raw = job.get(SYNC)
    if not isinstance(raw, dict):
        return None
    latency = read_phase(raw, "lat", True)
    operations = latency.operations or count(raw.get("total_ios"))
    return sync_part(name, latency, operations, _longest(job)) if operations else None


def sync_part(name: str, latency: Phase, operations: int, runtime: float) -> Part:
    """A job's syncs as a part. `runtime` in seconds; 0 operations: nothing says how many."""
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


def _longest(job: Decoded) -> float:
    """Seconds of the longest direction."""
    directions = directions_of(job).values()
    return max((count(raw.get("runtime")) for raw in directions), default=0) / 1000
