"""One job of a document of thousands: its figures instead of what JSON holds of it.

A decoded job takes ten times the memory of what a measurement needs, and all jobs of a document
stay until it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from apps.tools.fio.parser.bins.bins import Bins, added, narrowed
from apps.tools.fio.parser.direction import MIXED, SYNC, Part, Phase, bare, directions_of, read_part
from apps.tools.fio.parser.syncs import read_sync
from apps.tools.fio.parser.tables import Whole, whole_of
from apps.tools.fio.parser.targets import group_of
from apps.tools.fio.parser.totals import MAX_PARTS
from apps.tools.text import number
from apps.tools.values import Decoded

from .repair import ALL_CLIENTS

Like = tuple[int, str, str, float | None]
"""Group, operation, host and port."""

# What is asked of a job beside its figures, and of its directions by `calls`.
_KEPT = (
    *("jobname", "groupid", "error", "eta", "elapsed", "job options", "job_start"),
    *("hostname", "port", "total_err", "first_error"),
)
_COUNTED = ("io_bytes", "total_ios", "runtime", "short_ios")
_AT_ONCE = 60


@dataclass
class _Gathered:
    """The bins of parts that no table shows. `bearer` has those of all; the others have `empty`, a
    bin without operations. `waiting`: to be added, many at once.
    """

    bearer: Phase
    empty: Bins
    waiting: list[Bins] = field(default_factory=list)

    def settle(self) -> None:
        """Add what waits."""
        if self.waiting:
            self.bearer.bins = added([self.bearer.bins, *self.waiting])
            self.waiting.clear()


@dataclass
class PartsBefore:
    """The parts of a document so far: how many of a key, and the bins of those no table shows."""

    number: Counter[Like] = field(default_factory=Counter)
    _gathered: dict[Like, _Gathered] = field(default_factory=dict)

    def gather(self, part: Part, like: Like) -> None:
        """Have the first such part bear the bins of this one: a total has both or neither."""
        if not part.bins:
            return
        phase = part.phases[part.percentiles_of or ""]
        found = self._gathered.get(like)
        if found is None:
            empty = Bins(part.bins.values[:1].copy(), np.zeros(1, np.int64))
            self._gathered[like] = _Gathered(phase, empty)
            return
        found.waiting.append(phase.bins)
        phase.bins = found.empty
        if len(found.waiting) >= _AT_ONCE:
            found.settle()

    def settle(self) -> None:
        """Give the bearers everything: the document is over."""
        for found in self._gathered.values():
            found.settle()


class ReadJob(Decoded):
    """The members of a job that are asked for again, with its figures beside them."""

    __slots__ = ("parts", "whole")
    parts: Mapping[str, Part]
    whole: Whole

    @classmethod
    def of(cls, job: Decoded, before: PartsBefore) -> ReadJob:
        """The figures of a decoded job. `before`: the parts of jobs before it."""
        kept = cls({name: job[name] for name in _KEPT if name in job})
        for operation, raw in directions_of(job).items():
            kept[operation] = {name: raw[name] for name in _COUNTED if name in raw}
        kept.parts = {
            operation: _kept_part(part, _like(job, operation), before)
            for operation, part in parts_of(job).items()
        }
        kept.whole = whole_job(job)
        return kept


def _like(job: Decoded, operation: str) -> Like:
    """The key that parts have in common which may be taken together."""
    server = str(job.get("hostname", "")), number(job.get("port"))
    return group_of(job), operation, *server


def _kept_part(part: Part, like: Like, before: PartsBefore) -> Part:
    before.number[like] += 1
    if before.number[like] > MAX_PARTS:
        part = bare(part)
        before.gather(part, like)
    for phase in part.phases.values():
        phase.bins = narrowed(phase.bins)
    return part


def parts_of(job: Decoded) -> Mapping[str, Part]:
    """The parts of a job by operation."""
    if isinstance(job, ReadJob):
        return job.parts
    called = str(job.get("jobname", ""))[:100]
    name = "" if called == ALL_CLIENTS else called  # no name of a job
    # With unified_rw_reporting=both all directions together stand beside each.
    raws = {**directions_of(job), MIXED: job.get(MIXED)}
    read = {operation: read_part(name, raw) for operation, raw in raws.items()}
    parts = {operation: part for operation, part in read.items() if part is not None}
    sync = read_sync(name, job) if parts else None
    return parts | ({SYNC: sync} if sync else {})


def whole_job(job: Decoded) -> Whole:
    """The figures of a job that belong to none of its directions."""
    return job.whole if isinstance(job, ReadJob) else whole_of(job)
