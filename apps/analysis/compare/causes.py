"""Conditions that would explain the differences of a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence

from apps.analysis.causes.affected import AffectedRepeats, MeasuredRepeat, affected_repeats
from apps.analysis.causes.report import CauseReport, Subject, affected_text, cause_report
from apps.analysis.repeats.confounders import IMPLIED
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind
from apps.tools.metrics import METRICS

MAX_WORKLOADS = 3
"""Limit of workloads with a report: each needs queries of its own."""


def comparison_causes(comparison: ComparisonResult, slug: str = "") -> tuple[CauseReport, ...]:
    """Return the reports on the workloads with a difference, or on one of them.

    Workloads without a shown difference have one if their results form two groups.
    """
    subjects = []
    for result in comparison.results:
        if slug and result.group.slug != slug:
            continue
        if (subject := _subject(comparison, result)) is not None:
            subjects.append(subject)
    return tuple(cause_report(subject) for subject in subjects[:MAX_WORKLOADS])


def _subject(comparison: ComparisonResult, result: ComparedResult) -> Subject | None:
    metric = METRICS[result.main]
    if metric.higher_is_better is None:
        return None
    levels = _levels(result)
    measured = [
        MeasuredRepeat(int(key), float(value), level)
        for level in levels
        for key, value in zip(*_values(result, level), strict=True)
    ]
    affected = affected_repeats(
        measured,
        higher_is_better=metric.higher_is_better,
        levels_differ=_is_different(result, levels),
    )
    if affected is None:
        return None
    factor = comparison.query.factor.partition(":")[0]
    return Subject(
        title=result.group.label,
        affected=affected,
        affected_text=affected_text(affected, _affected_level(affected)),
        without=IMPLIED[factor],
        plan=next((run.plan_id for run in reversed(comparison.runs) if run.plan_id), None),
        workload=_workload(result),
    )


def _values(result: ComparedResult, level: str) -> tuple[list[int], list[float]]:
    rows = result.group.sides[level]
    repeats = result.repeats
    return repeats.measurement[rows].tolist(), repeats.metric(result.main)[rows].tolist()


def _levels(result: ComparedResult) -> Sequence[str]:
    """Return the baseline and the level that differs most from it; all if no ratio is known."""
    line = result.line(result.main)
    ratios = [
        (abs(math.log(entry.effect.ratio)), entry.level)
        for entry in (line.entries if line else ())
        if entry.effect.ratio
    ]
    baseline = next(iter(result.group.sides))
    return (baseline, max(ratios)[1]) if ratios else tuple(result.group.sides)


def _is_different(result: ComparedResult, levels: Sequence[str]) -> bool:
    """Return True if a verdict on these levels shows a difference, or confounders prevent it."""
    kinds = [
        head.kind
        for number, pair in enumerate(result.pairs)
        if pair.level in levels and (head := result.head(number)) is not None
    ]
    return any(kind in (*DIFFERENCE_SHOWN, VerdictKind.NOT_COMPARABLE) for kind in kinds)


def _affected_level(affected: AffectedRepeats) -> str:
    return next(one.level for one in affected.repeats if one.affected)


def _workload(result: ComparedResult) -> int:
    rows = next(iter(result.group.sides.values()))
    return int(result.repeats.points[result.repeats.point[rows[0]]].pk)
