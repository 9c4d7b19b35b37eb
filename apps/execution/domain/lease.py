"""The lease under which a worker drives a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunLease:
    """Ownership of one run by this worker.

    Every new owner raises the fencing token `fence`; writes with an older token are rejected.
    Source: Kleppmann (2016), "How to do distributed locking".
    """

    run_id: int
    fence: int


@dataclass(frozen=True)
class LeaseRow:
    """Lease of a run as stored. `worker` is "host:pid:engine"."""

    state: str
    fence: int
    worker: str


def lease_loss_reason(lease: RunLease, row: LeaseRow | None, process: str) -> str:
    """Return why the lease is lost, for the log. `process` is this worker as "host:pid"."""
    if row is None:
        return "the run was deleted"
    if row.fence == lease.fence:
        return f"the run has ended ({row.state})"
    owner = row.worker.rpartition(":")[0]
    if owner == process:
        return "the lease expired while this process stalled, and this worker acquired it again"
    same_host = owner.rpartition(":")[0] == process.rpartition(":")[0]
    return f"worker {row.worker}{' on the same host' if same_host else ''} acquired the run"
