"""Workloads: created once for each key, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apps.plans.models import Workload
from apps.plans.schemas.planned import PlannedCase
from apps.tools.fields import Params
from apps.tools.params import workload_key


def workloads_ensure(cases: Iterable[PlannedCase]) -> Mapping[str, Workload]:
    """Return the workload of each case by key; create new ones. Safe for concurrent calls."""
    new = {
        case.workload_key: Workload(
            key=case.workload_key, tool=case.tool, params=case.params, label=case.label[:200]
        )
        for case in cases
    }
    Workload.objects.bulk_create(new.values(), ignore_conflicts=True)
    return Workload.objects.in_bulk(list(new), field_name="key")


def workload_ensure(*, tool: str, params: Params) -> Workload:
    """Return the workload of these parameters; create it if it is new."""
    row, _created = Workload.objects.get_or_create(
        key=workload_key(tool, params),
        defaults={"tool": tool, "params": params.canonical(), "label": params.describe()[:200]},
    )
    return row
