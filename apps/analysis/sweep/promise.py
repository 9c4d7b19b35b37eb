"""What the disk under a sweep was promised to do, and what a spinning one is expected to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import Point
from apps.analysis.sweep.queueing import expected_iops
from apps.inventory.models import DiskExpectation


@dataclass(frozen=True)
class Expected:
    """`promised`: by metric in canonical units; `random_iops`: of a disk arm, one in flight."""

    promised: Mapping[str, float] = field(default_factory=dict)
    random_iops: float | None = None

    def kept(self, point: Point) -> str:
        """Whether a point reaches it. A promise of so many IOPS *or* so many bytes is a cap of
        each: one of them reached is all that a point can do."""
        reached = [
            value >= promised
            for metric, promised in self.promised.items()
            if (value := point.median(metric)) is not None
        ]
        if not reached:
            return ""
        return _("reached") if any(reached) else _("not reached")


def expected_of(cases: Iterable[int]) -> Expected:
    """What one disk under these cases is expected to do; nothing where there are several."""
    rows = DiskExpectation.objects.filter(disk__target__run_targets__cases__in=set(cases))
    found = rows.distinct()[:2]
    if len(found) != 1:
        return Expected()
    row = found[0]
    known = {"iops": row.sla_iops, "bandwidth": row.sla_bandwidth}
    promised = {metric: value for metric, value in known.items() if value is not None}
    if row.seek_ms is None or row.rotation_ms is None:
        return Expected(promised)
    return Expected(promised, expected_iops(row.seek_ms, row.rotation_ms, row.transfer_ms or 0.0))
