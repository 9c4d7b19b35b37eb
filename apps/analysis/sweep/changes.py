"""Changes of a curve against the baseline's at one value, as a comparison shows them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.verdicts.changes import Change, change_of
from apps.analysis.verdicts.verdict import Verdict


def change_at(
    curves: Sequence[Curve], curve: Curve, point: CurvePoint, metric: str, verdict: Verdict
) -> Change:
    """The change of `curve` at this point: of its median and of the baseline's, which is the like
    curve without a verdict at the same value.
    """
    others = (other for other in curves if other is not curve and is_alike(other, curve))
    bases = (other.at(point.x) for other in others)
    base = next((one for one in bases if one is not None and not one.verdicts), None)
    return change_of(base.median(metric) if base else None, point.median(metric), verdict.effect)


def is_alike(one: Curve, other: Curve) -> bool:
    """Whether two curves are of the same test at the same place."""
    return (one.where, one.first.tool, one.rest) == (other.where, other.first.tool, other.rest)
