"""Why a worker no longer drives a run, for its log: who took it up, or that nothing is left."""

from __future__ import annotations

from apps.runs.models import Run
from apps.runs.selectors.heartbeats import process_name


def why_not_ours(run_id: int, fence: int) -> str:
    """A sentence about a run whose lease of this `fence` is no longer good."""
    row = Run.objects.filter(pk=run_id).values_list("state", "fence", "worker").first()
    if row is None:
        return "is no longer there"
    state, now, worker = row
    if now == fence:
        return f"has ended meanwhile ({state})"
    process = worker.rpartition(":")[0]
    if process == process_name():
        return "was taken up anew by this worker: its lease had lapsed, so this process had stalled"
    here = process.rpartition(":")[0] == process_name().rpartition(":")[0]
    return f"was taken over by worker {worker}{', on this machine too' if here else ''}"
