"""Values of steady-state rounds: one value per case, of all its operations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from apps.results.models import Measurement
from apps.runs.models import Case
from apps.runs.models.states import BAD_ATTEMPT

RoundFigures = tuple[float | None, ...]
"""The metrics below of one operation."""
METRICS = ("iops", "bandwidth", "latency_mean", "latency_max")


def case_figures(cases: Iterable[Case], metric: str) -> dict[int, float | None]:
    """Return the value of each case's last valid result, for the rule and for pages."""
    rows = Measurement.objects.filter(
        case__in=[case.pk for case in cases], component="", valid=True, attempt__valid=True
    ).exclude(attempt__state__in=BAD_ATTEMPT)
    attempts: dict[int, dict[int, list[RoundFigures]]] = defaultdict(lambda: defaultdict(list))
    ordered = rows.order_by("attempt__number").values_list("case_id", "attempt_id", *METRICS)
    for case, attempt, *figures in ordered:
        attempts[case][attempt].append(tuple(figures))
    return {case: together(metric, list(own.values())[-1]) for case, own in attempts.items()}


def together(metric: str, rows: Sequence[RoundFigures]) -> float | None:
    """Combine the operations of a case: add rates, weight mean latencies, take the largest maximum.

    None if a value is missing.
    """
    column = METRICS.index(metric)
    values = [row[column] for row in rows]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    if metric == "latency_max":
        return max(known)
    if metric != "latency_mean":
        return sum(known)
    weights = [row[0] or 0.0 for row in rows]
    if not sum(weights):
        return known[0] if len(known) == 1 else None
    return sum(w * v for w, v in zip(weights, known, strict=True)) / sum(weights)
