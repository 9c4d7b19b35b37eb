"""The card of a case about the wear of its disks and the energy of its hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.common.domain.value_format import format_metric
from apps.results.models import AttemptCost, DiskWear, Series
from apps.runs.models import Attempt
from apps.tools.metrics import COSTS, METRICS


@dataclass(frozen=True)
class CostCard:
    """`figures`: (label, text); a reason is empty where the figures are there."""

    disks: list[DiskWear]
    figures: list[tuple[str, str]]
    wear_reason: str
    energy_reason: str


def cost_card(attempt: Attempt) -> CostCard | None:
    """Return the card; None for an attempt whose disks and hosts reported nothing."""
    cost: AttemptCost | None = getattr(attempt, "cost", None)
    if cost is None:
        return None
    disks = list(attempt.disk_wear.select_related("disk", "host"))
    rows = Series.objects.filter(attempt=attempt, source=Series.Source.COST)
    means = rows.order_by().values_list("metric", "mean")
    values = {metric: mean for metric, mean in means if mean is not None}
    if not (disks or values):
        return None
    figures = [(_(METRICS[key].label), format_metric(key, values.get(key))) for key in COSTS]
    shown = [row for key, row in zip(COSTS, figures, strict=True) if key in values]
    return CostCard(
        disks,
        [*shown, *_above_idle(values)],
        cost.wear_reason if disks else "",
        cost.energy_reason,
    )


def _above_idle(values: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the share of the energy per GiB that idle hosts would not have needed."""
    result = []
    for source in ("host", "cpu"):
        watts, idle = values.get(f"{source}_watts"), values.get(f"{source}_idle_watts")
        key = f"{source}_joules_per_gib"
        energy = values.get(key)
        if watts and idle is not None and energy is not None:
            label = _("%(metric)s, above idle") % {"metric": _(METRICS[key].label)}
            result.append((label, format_metric(key, max(0.0, energy * (watts - idle) / watts))))
    return result
