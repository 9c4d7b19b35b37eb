"""A worker's right to write about a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunLease:
    """The run, and the fencing token of the worker's lease."""

    run_id: int
    fence: int
