"""Change of a curve against the baseline's curve at one value. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.verdicts.changes import Change, change_of
from apps.analysis.verdicts.verdict import Verdict


def change_at(
    curves: Sequence[Curve], curve: Curve, point: CurvePoint, metric: str, verdict: Verdict
) -> Change:
    """Return the change of `curve` at this point: of the medians, and of the verdict.

    The baseline is the like curve without a verdict at the same value.
    """
    others = (other for other in curves if other is not curve and is_alike(other, curve))
    base_points = (other.at(point.x) for other in others)
    base = next((one for one in base_points if one is not None and not one.verdicts), None)
    return change_of(base.median(metric) if base else None, point.median(metric), verdict.effect)


def is_alike(one: Curve, other: Curve) -> bool:
    """Return True if two curves have the same test and target."""
    return (one.where, one.first.tool, one.rest) == (other.where, other.first.tool, other.rest)
