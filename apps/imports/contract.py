"""The stored documents of an import's files: what a preview shows of each point, what the names of
folders say, and which lines of a text are its own.
"""

from __future__ import annotations

import msgspec

from apps.common.stored.contracts import Contract, unchanged
from apps.tools.values import Scalar


class FoundFigures(msgspec.Struct, frozen=True):
    """One operation's headline figures: bytes/s, operations/s, ns; None where nothing says."""

    operation: str
    part: str = ""
    bandwidth: float | None = None
    iops: float | None = None
    latency_mean: float | None = None


class FoundPoint(msgspec.Struct, frozen=True):
    """A point of a file (workloads.points.Point), which becomes a case: canonical units."""

    key: str
    label: str
    params: dict[str, Scalar]
    exact: bool = True
    occurrence: int = 0
    measurements: tuple[FoundFigures, ...] = ()


Points = tuple[FoundPoint, ...]
Said = dict[str, Scalar]
"""Parameters by name, canonical units."""
Proposed = dict[str, str]
"""`host_name`, `target_name`, `tuning_name`: those of them that a path proposes."""
Lines = tuple[tuple[int, int], ...]
"""First and last number of each stretch of lines, from 1."""
POINTS: Contract[Points] = Contract(Points, unchanged)
SAID: Contract[Said] = Contract(Said, unchanged)
PROPOSED: Contract[Proposed] = Contract(Proposed, unchanged)
LINES: Contract[Lines] = Contract(Lines, unchanged)
