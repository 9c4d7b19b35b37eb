"""What a disturbance did, stored with the attempt."""

from __future__ import annotations

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema


class PhaseFigures(msgspec.Struct, frozen=True):
    """One phase on the time axis of the load, in seconds, with the clients' figures.

    `iops`: mean of the operations per second. `latency_p99`: ns, of added histograms; None without.
    """

    name: str
    start: float
    end: float
    iops: float | None = None
    latency_p99: float | None = None


class DisturbanceDocument(msgspec.Struct, frozen=True):
    """Marks in seconds since the load began, phases, and series.

    `reason`: why it ended early. `is_unseen`: no sample saw a recovery.
    `is_readded`: an array copied only what its bitmap names. `load_end`: last second of
    the load. `recovered_bytes`: moved until the end. `worst_iops`: the lowest interval from the
    disturbance on. `below_seconds`: below the expected IOPS; None without an expectation.
    `seconds`, `degraded`, `misplaced`, `recovery`: of the cluster. `iops`: of the clients, from
    `iops_start` in steps of `iops_interval`.
    """

    kind: str
    text: str = ""
    marks: dict[str, float] = {}
    reason: str = ""
    is_unseen: bool = False
    is_readded: bool = False
    load_end: float = 0.0
    phases: tuple[PhaseFigures, ...] = ()
    time_to_clean: float | None = None
    time_to_return: float | None = None
    recovered_bytes: int | None = None
    worst_iops: float | None = None
    below_seconds: float | None = None
    checks: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    degraded: tuple[int, ...] = ()
    misplaced: tuple[int, ...] = ()
    recovery: tuple[int, ...] = ()
    iops: tuple[float | None, ...] = ()
    iops_start: float = 0.0
    iops_interval: float = 1.0


DISTURBANCE: VersionedSchema[DisturbanceDocument] = VersionedSchema(DisturbanceDocument)
