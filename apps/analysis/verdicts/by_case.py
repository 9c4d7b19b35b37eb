"""Verdicts of a comparison by case, for views that draw cases at their own positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.levels import levels_of
from apps.analysis.verdicts import comparison as compare
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison, fill_entries
from apps.results.models import Measurement
from apps.tools.metrics import OVER_TIME


def compare_with_tuning(
    query: ComparisonQuery, name: str, metric: str
) -> tuple[ComparisonResult, bool]:
    """Return the comparison of tunings, and True if the named one is its baseline.

    False if no or several tunings have the name. Raises: ServiceError (400) if there are too many
    results.
    """
    over_time = (metric,) if metric in OVER_TIME else ()
    comparison = compare.compute_comparison(replace(query, factor="tuning", metrics=over_time))
    label = _label(comparison, name)
    if label and label != comparison.baseline:
        comparison = compare.compute_comparison(replace(comparison.query, baseline=label))
    return comparison, bool(label)


def _label(comparison: ComparisonResult, name: str) -> str:
    """Return the level of the named tuning; empty if there is none, or several."""
    repeats = comparison.repeats
    levels = levels_of(repeats, comparison.query)
    result = {
        levels.labels[level]
        for level, conditions in zip(levels.of.tolist(), repeats.conditions.tolist(), strict=True)
        if repeats.shared[conditions].tuning_name == name
    }
    return result.pop() if len(result) == 1 else ""


def entries_by_case(
    comparison: ComparisonResult, operation: str, metric: str
) -> dict[int, MetricComparison]:
    """Return the metric's comparisons by case of each level."""
    operation_results = [one for one in comparison.results if one.group.operation == operation]
    fill_entries(operation_results)
    entries = dict(_by_measurement(comparison, operation_results, metric))
    cases = Measurement.objects.filter(pk__in=entries).values_list("pk", "case_id")
    return {case: entries[pk] for pk, case in cases}


def _by_measurement(
    comparison: ComparisonResult, results: Iterable[ComparedResult], metric: str
) -> Iterable[tuple[int, MetricComparison]]:
    for result in results:
        line = result.line(metric)
        for entry in line.entries if line else ():
            rows = result.group.sides[entry.level]
            yield from ((pk, entry) for pk in comparison.repeats.measurement[rows].tolist())
