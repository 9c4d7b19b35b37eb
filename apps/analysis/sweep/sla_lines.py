"""SLA limits of the disk under a sweep, and the expected random IOPS of a hard disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.analysis.sweep.curve import CurvePoint
from apps.inventory.models import Disk
from apps.inventory.selectors.specifications import specifications_of
from apps.plans.domain.expectation_verdicts import RATES
from apps.runs.models import Case, RunExpectation
from apps.tools.devices.disk_model import random_iops


@dataclass(frozen=True)
class SlaLimits:
    """SLA limits by metric in canonical units.

    `random_iops`: of a disk arm with one operation in flight. `each`: all limits must be met, as a
    step requires; of a provider's limits one is enough.
    """

    promised: Mapping[str, float] = field(default_factory=dict)
    random_iops: float | None = None
    each: bool = False

    def promise_text(self, point: CurvePoint) -> str:
        """Return whether a point reaches the limits, as text.

        IOPS and bandwidth limits of a provider are caps, so a point can reach only one of them.
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
    """Return the rates that the step of these cases expects, else the SLA of their disk."""
    cases = set(cases)
    disks = Disk.objects.filter(target__run_targets__cases__in=cases).order_by()
    result = set(specifications_of(disks.values("pk")).values())
    row = result.pop() if len(result) == 1 else None
    iops = None
    if row is not None and row.seek_ms is not None and row.rotation_ms is not None:
        iops = random_iops(row.seek_ms, row.rotation_ms, row.transfer_ms or 0.0)
    requested = _requested_rates(cases)
    if requested:
        return SlaLimits(
            {m: bound for m, (bound, _either) in requested.items()}, iops, _requires_all(requested)
        )
    sla = {"iops": row.sla_iops, "bandwidth": row.sla_bandwidth} if row is not None else {}
    return SlaLimits({metric: value for metric, value in sla.items() if value is not None}, iops)


Bounds = dict[str, tuple[float, bool]]


def _requires_all(requested: Bounds) -> bool:
    return not all(either for _bound, either in requested.values())


def _requested_rates(cases: set[int]) -> Bounds:
    """Return the minimum of each rate that the steps of these cases expect, if they agree."""
    here = Case.objects.filter(pk__in=cases).order_by()
    rows = RunExpectation.objects.filter(
        run_target__in=here.values("run_target"),
        workload__in=here.values("workload"),
        direction="least",
        metric__in=RATES,
    )
    result: dict[str, set[tuple[float, bool]]] = {}
    for metric, bound, either in rows.values_list("metric", "bound", "either").distinct():
        result.setdefault(metric, set()).add((bound, either))
    return {metric: next(iter(limits)) for metric, limits in result.items() if len(limits) == 1}
