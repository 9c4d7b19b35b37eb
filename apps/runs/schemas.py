"""Schemas of JSON fields of attempts and jobs."""

from __future__ import annotations

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema
from apps.remote.responses import JobRefusal
from apps.tools.messages import TranslatableMessage, as_message
from apps.tools.values import Scalar

NO_REASON = as_message("")


class EarlyEnd(msgspec.Struct, omit_defaults=True):
    """Reason for an early end by benchlab: the final state, the failure cause, the first host.

    False if there is none. `of_load`: the background load failed, not the test.
    """

    state: str = ""
    reason: TranslatableMessage = NO_REASON
    failure_cause: str = ""
    host: int | None = None
    of_load: bool = False

    def __bool__(self) -> bool:
        return bool(self.state)


class ImportedFrom(msgspec.Struct, omit_defaults=True):
    """Point of a file that an imported attempt was read from; a later parse finds it again.

    `key`, `occurrence`: of the point; `index`: in the file. `params`: of folder names and of
    the call, which the file lacks.
    `names`: job names distinguish points. `bytes_of`: the attempt that stores the file, if several
    attempts share it.
    """

    key: str
    occurrence: int = 0
    index: int = 0
    path: str = ""
    params: dict[str, Scalar] = {}
    names: bool = False
    bytes_of: str | None = None


class BackgroundFigures(msgspec.Struct, omit_defaults=True):
    """Figures of one operation of a background load, in canonical units; None if not reported."""

    host: str
    operation: str
    bandwidth: float | None = None
    iops: float | None = None
    latency_mean: float | None = None
    latency_p99: float | None = None


class BackgroundReport(msgspec.Struct, omit_defaults=True):
    """What a background load did.

    `ahead_seconds`: how long it ran before the test began. `fault`: why it does not cover the
    test; empty if it does.
    """

    ahead_seconds: float | None = None
    fault: TranslatableMessage = NO_REASON
    figures: tuple[BackgroundFigures, ...] = ()


Argv = tuple[tuple[str, ...], ...]
Remarks = tuple[TranslatableMessage, ...]
OutputRanges = dict[str, tuple[int, int]]
"""Of a stream's name, where in the joined stream a job's own bytes are: [begin, end)."""


EARLY_END: VersionedSchema[EarlyEnd] = VersionedSchema(EarlyEnd)
IMPORTED_FROM: VersionedSchema[ImportedFrom] = VersionedSchema(ImportedFrom)
ARGV: VersionedSchema[Argv] = VersionedSchema(Argv)
BACKGROUND_REPORT: VersionedSchema[BackgroundReport] = VersionedSchema(BackgroundReport)
REMARKS: VersionedSchema[Remarks] = VersionedSchema(Remarks)
REFUSAL: VersionedSchema[JobRefusal] = VersionedSchema(JobRefusal)
OUTPUT_RANGES: VersionedSchema[OutputRanges] = VersionedSchema(OutputRanges)


class WorkloadEffect(msgspec.Struct, frozen=True, order=True):
    """Tool, and its parameters as canonical JSON.

    `settle_seconds`: how long a background load runs before the test begins.
    """

    tool: str
    params: str
    settle_seconds: float = 0.0


class MemberEffect(msgspec.Struct, frozen=True, order=True):
    """Member of a target by its identity on its host.

    `host`: id, login, address, rights and SHA-256 of the pinned key. `content`: SHA-256 of the
    fingerprint of a disk whose content is not benchlab's; "test" if a test left it. `restarts`: how
    daemons of its Ceph cluster are restarted, if a tuning needs that.
    """

    host: str
    kind: str
    role: str
    identity: str
    size: int = 0
    pool_layout: str = ""
    content: str = ""
    restarts: str = ""


class TargetEffect(msgspec.Struct, frozen=True, order=True):
    kind: str
    level: str
    members: tuple[MemberEffect, ...]


class TuningEffect(msgspec.Struct, frozen=True, order=True):
    """Settings as (kind, name, value, section, scope)."""

    settings: tuple[tuple[str, str, str, str, str], ...]
    settle_seconds: float


class CaseCount(msgspec.Struct, frozen=True, order=True):
    """Number of cases of a workload on a target with a tuning, each by its index in the effects."""

    workload: int
    target: int
    tuning: int
    count: int


class Effects(msgspec.Struct, frozen=True):
    """What the cases to be run do; an approval is for one such document.

    `counts`: of the cases. `order`: SHA-256 of the cases in their order; of interleaved cases,
    which are shuffled for each run, of their counts. `further`: rules that may add cases, as
    canonical JSON. `bytes_written`: None if only the device's speed decides. `wipe`: file systems
    may be destroyed. `disturbance`: of a Ceph cluster during each case, as canonical JSON.
    Names and notes are no effects.
    """

    workloads: tuple[WorkloadEffect, ...] = ()
    targets: tuple[TargetEffect, ...] = ()
    tunings: tuple[TuningEffect, ...] = ()
    cases: int = 0
    counts: tuple[CaseCount, ...] = ()
    repeats: int = 0
    order: str = ""
    further: str = ""
    bytes_written: int | None = 0
    wipe: bool = False
    disturbance: str = ""


EFFECTS: VersionedSchema[Effects] = VersionedSchema(Effects)
