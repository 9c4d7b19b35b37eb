"""Figures of rounds: one value of a case, all its operations together."""

from __future__ import annotations

from collections.abc import Sequence

from apps.results.models import Measurement
from apps.runs.models import Case

RoundFigures = tuple[float | None, float | None, float | None]
"""IOPS, bandwidth and mean latency of one operation."""
METRICS = ("iops", "bandwidth", "latency_mean")


def whole_iops(case: Case) -> float | None:
    """Operations a second of the case's last result, all operations together."""
    rows = Measurement.objects.filter(case=case, part="", valid=True)
    last = rows.order_by("-attempt__number").values_list("attempt", flat=True).first()
    found = rows.filter(attempt=last).values_list(*METRICS)
    return together("iops", list(found))


def together(metric: str, rows: Sequence[RoundFigures]) -> float | None:
    """One figure of all operations of a test: rates are added, mean latencies weighted by their
    operations. None where it was not measured.
    """
    place = METRICS.index(metric)
    values = [row[place] for row in rows]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    if metric != "latency_mean":
        return sum(known)
    weights = [row[0] or 0.0 for row in rows]
    if not sum(weights):
        return known[0] if len(known) == 1 else None
    return sum(w * v for w, v in zip(weights, known, strict=True)) / sum(weights)
