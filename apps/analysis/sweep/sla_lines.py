"""Promises of the disk under a sweep, and what a spinning one is expected to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import CurvePoint
from apps.inventory.models import Disk
from apps.inventory.selectors.specifications import specifications_of
from apps.plans.domain.evaluate import RATES
from apps.runs.models import Case, RunExpectation
from apps.tools.devices.disk_model import random_iops


@dataclass(frozen=True)
class SlaLimits:
    """`promised`: by metric in canonical units; `random_iops`: of a disk arm, one in flight.
    `each`: a step asks for all of it, while of a provider's caps one is enough.
    """

    promised: Mapping[str, float] = field(default_factory=dict)
    random_iops: float | None = None
    each: bool = False

    def kept(self, point: CurvePoint) -> str:
        """Whether a point reaches it. A promise of so many IOPS *or* so many bytes is a cap of
        each: one of them reached is all that a point can do.
        """
        reached = [
            value >= promised
            for metric, promised in self.promised.items()
            if (value := point.median(metric)) is not None
        ]
        if not reached:
            return ""
        met = all(reached) if self.each else any(reached)
        return _("reached") if met else _("not reached")


def sla_limits(cases: Iterable[int]) -> SlaLimits:
    """Expectations of these cases: the rates that their step asks for where it asks for one of
    each, else what one disk under all of them is promised to do.
    """
    cases = set(cases)
    disks = Disk.objects.filter(target__run_targets__cases__in=cases).order_by()
    found = set(specifications_of(disks.values("pk")).values())
    row = found.pop() if len(found) == 1 else None
    iops = None
    if row is not None and row.seek_ms is not None and row.rotation_ms is not None:
        iops = random_iops(row.seek_ms, row.rotation_ms, row.transfer_ms or 0.0)
    asked = _requested(cases)
    if asked:
        return SlaLimits({m: bound for m, (bound, _either) in asked.items()}, iops, _all(asked))
    known = {"iops": row.sla_iops, "bandwidth": row.sla_bandwidth} if row is not None else {}
    return SlaLimits({metric: value for metric, value in known.items() if value is not None}, iops)


Bounds = dict[str, tuple[float, bool]]


def _all(asked: Bounds) -> bool:
    return not all(either for _bound, either in asked.values())


def _requested(cases: set[int]) -> Bounds:
    """The least of each rate that the steps of these cases ask for, where they ask for one."""
    here = Case.objects.filter(pk__in=cases).order_by()
    rows = RunExpectation.objects.filter(
        run_target__in=here.values("run_target"),
        workload__in=here.values("workload"),
        direction="least",
        metric__in=RATES,
    )
    found: dict[str, set[tuple[float, bool]]] = {}
    for metric, bound, either in rows.values_list("metric", "bound", "either").distinct():
        found.setdefault(metric, set()).add((bound, either))
    return {metric: next(iter(told)) for metric, told in found.items() if len(told) == 1}
