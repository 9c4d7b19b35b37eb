"""Comparison as CSV: a row per workload, metric and level, in canonical units."""

from __future__ import annotations

from apps.analysis.presenters.sheets import csv_lines
from apps.analysis.result import Column, Row, Table
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison, fill_entries
from apps.analysis.verdicts.request_sizes import SizesByLevel, request_sizes
from apps.analysis.verdicts.verdict_text import VerdictText
from apps.tools.metrics import METRICS

COLUMNS = (
    "workload", "workload_key", "operation", "where", "metric", "unit", "baseline", "level",
    "baseline_n", "baseline_median", "baseline_min", "baseline_max", "n", "median", "min", "max",
    "ratio", "typical_ratio", "typical_low", "typical_high", "p", "p_corrected", "verdict",
    "text", "baseline_stalled", "stalled", "baseline_request_size", "request_size",
)  # fmt: skip


def comparison_csv(comparison: ComparisonResult) -> str:
    """Return the comparison as CSV.

    `ratio`: of the two medians; `typical_ratio`: the estimate of interval and verdict.
    `baseline_stalled`, `stalled`: seconds without progress in all repeats of the workload, empty
    without stalls. `baseline_request_size`, `request_size`: mean request size of the device in
    bytes, empty if unknown.
    """
    fill_entries(comparison.results)
    sizes = request_sizes(comparison.results)
    texts = VerdictText()
    rows = tuple(
        _row(comparison, result, entry, texts, sizes)
        for result in comparison.results
        for entry in result.entries
    )
    columns = tuple(Column(name, name) for name in COLUMNS)
    return "".join(csv_lines(Table("comparison", "", columns, rows)))


def _row(
    comparison: ComparisonResult,
    result: ComparedResult,
    entry: MetricComparison,
    texts: VerdictText,
    sizes: SizesByLevel,
) -> Row:
    group, effect = result.group, entry.effect
    note = comparison.within_tests.get((group.slug, entry.level))
    stalled = (note.baseline.stalled, note.own.stalled) if note and note.has_stalls else (None,) * 2
    size = sizes.get((group.slug, entry.level))
    return Row((
        group.label, group.workload, group.operation, group.where, entry.metric,
        METRICS[entry.metric].unit, comparison.baseline, entry.level, *entry.baseline_extent,
        *entry.extent,
        entry.change.medians, effect.ratio, effect.low, effect.high, entry.p, entry.p_corrected,
        entry.kind, texts.sentence(entry.verdict, entry.change), *stalled,
        *((size.baseline, size.own) if size else (None, None)),
    ))  # fmt: skip
