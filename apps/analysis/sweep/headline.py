"""Headline of a sweep: the best curve, and its level's verdicts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from apps.analysis.result import Finding
from apps.analysis.sweep.advice import Axis, advice_of
from apps.analysis.sweep.changes import change_at, is_alike
from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.verdict import Verdict
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText
from apps.common.domain.verdicts import COMPARISON_VERDICTS, DIFFERENCE_SHOWN, VerdictKind


def headline(
    comparison: ComparisonResult, curves: Sequence[Curve], subjects: Sequence[str], axis: Axis
) -> tuple[Finding, ...]:
    """Return the best curve's sentence, and the verdicts on levels at its best value."""
    best = best_of(curves)
    if best is None:
        return ()
    index, curve, point = best
    finding = Finding(advice_of(curve, subjects[index], axis))
    at = f"{axis.label} {axis.words(point.x)}"
    return (finding, *_level_findings(comparison, curves, curve, point, at))


def best_of(curves: Sequence[Curve]) -> tuple[int, Curve, CurvePoint] | None:
    """Return the curve with the highest throughput at the point to use.

    A level without a verdict "better" yields to the baseline.
    """
    result = []
    for index, curve in enumerate(curves):
        point = use_point(curve)
        if point is not None:
            result.append((index, curve, point))
    if not result:
        return None
    first = max(result, key=lambda row: row[2].median(row[1].throughput) or 0.0)
    verdict = first[2].verdicts.get(first[1].throughput)
    if verdict is None or verdict.kind is VerdictKind.BETTER:
        return first
    same = [row for row in result if is_alike(row[1], first[1]) and not row[2].verdicts]
    return same[0] if same else first


def use_point(curve: Curve) -> CurvePoint | None:
    """Return the point to use: of a settled knee, else the peak."""
    return curve.at(curve.knee.x) if curve.knee and curve.knee.is_settled else curve.peak


def _level_findings(
    comparison: ComparisonResult, curves: Sequence[Curve], best: Curve, point: CurvePoint, at: str
) -> list[Finding]:
    """Return every level's verdict on throughput at that value."""
    result = []
    for curve in curves:
        here = curve.at(point.x)
        verdict = here.verdicts.get(curve.throughput) if here and is_alike(curve, best) else None
        if here is None or verdict is None:
            continue
        values = {
            "level": curve.level,
            "base": comparison.baseline,
            "at": at,
            "metric": SHORT[curve.throughput],
            "figures": _figures(curves, curve, here, verdict),
        }
        result.append(Finding(_LEVELS[verdict.kind]().format(**values), verdict.kind))
    order = [*DIFFERENCE_SHOWN, *COMPARISON_VERDICTS]
    return sorted(result, key=lambda finding: order.index(finding.kind or VerdictKind.NOT_TESTED))


def _figures(curves: Sequence[Curve], curve: Curve, here: CurvePoint, verdict: Verdict) -> str:
    change = change_at(curves, curve, here, curve.throughput, verdict)
    return VerdictText().figures(change)


_LEVELS: dict[VerdictKind, Callable[[], str]] = {
    VerdictKind.BETTER: lambda: _("At {at} “{level}” is better than “{base}”: {metric} {figures}."),
    VerdictKind.WORSE: lambda: _("At {at} “{level}” is worse than “{base}”: {metric} {figures}."),
    VerdictKind.NO_DIFFERENCE: lambda: _(
        "At {at} no difference between “{level}” and “{base}” is shown."
    ),
    VerdictKind.TOO_FEW_REPEATS: lambda: _(
        "At {at} there are too few repeats to separate “{level}” from “{base}”."
    ),
    VerdictKind.NOT_COMPARABLE: lambda: _(
        "At {at} “{level}” and “{base}” are not comparable: more than that differs."
    ),
}
