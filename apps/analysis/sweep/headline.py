"""The sentence that a sweep says first: which value is best, at what cost, and whether a level
makes a difference there. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from apps.analysis.answers import Said
from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.words import SHORT, interval, percent
from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.common.units import share
from apps.common.verdicts import COMPARISON_VERDICTS, DECIDED, VerdictKind

Words = Callable[[float], str]


def headline(
    comparison: Comparison, curves: Sequence[Curve], names: Sequence[str], label: str, words: Words
) -> tuple[Said, ...]:
    """The curve to use and its value; then how its level compares there."""
    best = _best(curves)
    if best is None:
        return ()
    place, curve, point = best
    said = Said(_value(curve, point, names[place] if len(curves) > 1 else "", label, words))
    return (said, *_of_levels(comparison, curves, curve, point, f"{label} {words(point.x)}"))


def _best(curves: Sequence[Curve]) -> tuple[int, Curve, CurvePoint] | None:
    """The curve with the most throughput at its knee (at its peak without one). A level that no
    verdict calls better gives way to the baseline.
    """
    found = []
    for place, curve in enumerate(curves):
        point = use_point(curve)
        if point is not None:
            found.append((place, curve, point))
    if not found:
        return None
    first = max(found, key=lambda row: row[2].median(row[1].throughput) or 0.0)
    verdict = first[2].verdicts.get(first[1].throughput)
    if verdict is None or verdict.kind is VerdictKind.BETTER:
        return first
    same = [row for row in found if _alike(row[1], first[1]) and not row[2].verdicts]
    return same[0] if same else first


def _alike(one: Curve, other: Curve) -> bool:
    return (one.where, one.first.tool, one.rest) == (other.where, other.first.tool, other.rest)


def use_point(curve: Curve) -> CurvePoint | None:
    """The point to use: the knee's, else the peak's."""
    return curve.at(curve.knee) if curve.knee is not None else curve.peak


def _value(curve: Curve, point: CurvePoint, name: str, label: str, words: Words) -> str:
    where = ", ".join(word for word in (name, f"{label} {words(point.x)}") if word)
    peak = curve.peak
    if curve.knee is None or peak is None:
        if len(curve.points) > 1 and point is curve.points[-1]:
            text = _("{where} gives the most, and more was not measured: the rise may go on.")
        else:
            text = _("{where} gives the most.")
        return text.format(where=where)
    if peak is point:
        return _("{where} is the peak, and the smallest value near it.").format(where=where)
    much = share((point.median(curve.throughput) or 0.0) / (peak.median(curve.throughput) or 1.0))
    latency = _latency(point, peak)
    if latency is None:
        return _("{where}: {much} of the peak.").format(where=where, much=much)
    words_of = _("{where}: {much} of the peak at {latency} of its latency.")
    return words_of.format(where=where, much=much, latency=latency)


def _latency(point: CurvePoint, peak: CurvePoint) -> str | None:
    here, there = point.median("latency_mean"), peak.median("latency_mean")
    return share(here / there) if here is not None and there else None


def _of_levels(
    comparison: Comparison, curves: Sequence[Curve], best: Curve, point: CurvePoint, at: str
) -> list[Said]:
    """Every level's verdict at that value, by the throughput."""
    found = []
    for curve in curves:
        here = curve.at(point.x)
        verdict = here.verdicts.get(curve.throughput) if here and _alike(curve, best) else None
        if verdict is None:
            continue
        values = {
            "level": curve.level, "base": comparison.baseline, "at": at,
            "metric": SHORT[curve.throughput], "change": percent(verdict.effect.ratio),
            "interval": interval(verdict.effect),
        }  # fmt: skip
        found.append(Said(_LEVELS[verdict.kind]().format(**values), verdict.kind))
    order = [*DECIDED, *COMPARISON_VERDICTS]
    return sorted(found, key=lambda said: order.index(said.kind or VerdictKind.NOT_TESTED))


_LEVELS: dict[VerdictKind, Callable[[], str]] = {
    VerdictKind.BETTER: lambda: _(
        "At {at} “{level}” is better than “{base}”: {metric} {change} ({interval})."
    ),
    VerdictKind.WORSE: lambda: _(
        "At {at} “{level}” is worse than “{base}”: {metric} {change} ({interval})."
    ),
    VerdictKind.NO_DIFFERENCE: lambda: _(
        "At {at} no difference between “{level}” and “{base}” is shown."
    ),
    VerdictKind.TOO_FEW: lambda: _(
        "At {at} there are too few repeats to tell “{level}” from “{base}”."
    ),
    VerdictKind.NOT_COMPARABLE: lambda: _(
        "At {at} “{level}” and “{base}” are not comparable: more than that differs."
    ),
}
