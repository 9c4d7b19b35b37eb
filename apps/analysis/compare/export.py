"""A comparison as CSV: one row per workload, metric and level, in canonical units."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.stats.spread import extent
from apps.analysis.compare.verdicts.judge import ComparedResult, Entry, MetricLine, fill
from apps.analysis.compare.words import kind_of, sentence
from apps.common.rest.columnar import safe
from apps.tools.metrics import METRICS

HEAD = (
    "workload", "workload_key", "operation", "where", "metric", "unit", "baseline", "level",
    "baseline_n", "baseline_median", "baseline_min", "baseline_max", "n", "median", "min", "max",
    "ratio", "typical_ratio", "typical_low", "typical_high", "p", "p_corrected", "verdict",
    "sentence",
)  # fmt: skip


def comparison_csv(comparison: Comparison) -> str:
    """The table with CRLF line ends (RFC 4180). `ratio`: of the two medians; `typical_ratio`: the
    estimate, to which interval and verdict belong. Text that a spreadsheet would run as a formula
    gets an apostrophe in front (OWASP, "CSV Injection").
    """
    fill(comparison.results)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    for result in comparison.results:
        for line in result.lines:
            for entry in line.entries:
                writer.writerow([safe(cell) for cell in _row(comparison, result, line, entry)])
    return out.getvalue()


def _row(
    comparison: Comparison, result: ComparedResult, line: MetricLine, entry: Entry
) -> Iterator[object]:
    group, verdict = result.group, entry.verdict
    yield from (group.label, group.workload, group.operation, group.where)
    yield from (entry.metric, METRICS[entry.metric].unit, comparison.baseline, entry.level)
    yield from extent(entry.a)
    yield from extent(entry.b)
    yield from (entry.change.medians, entry.effect.ratio, entry.effect.low, entry.effect.high)
    yield from (verdict.p, verdict.p_adjusted) if verdict else (None, None)
    yield from (kind_of(verdict), sentence(verdict, entry.change))
