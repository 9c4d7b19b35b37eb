"""Points of a file as its row keeps them. Plain Python, for processes that read before Django is
loaded.
"""

from __future__ import annotations

import msgspec

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
