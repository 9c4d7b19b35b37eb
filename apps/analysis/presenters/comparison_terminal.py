"""Comparison on a terminal: lines of fixed width, with units."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricLine
from apps.analysis.verdicts.headlines import overall
from apps.analysis.verdicts.verdict_text import SHORT, interval, kind_text
from apps.common.domain.value_format import format_difference, format_metric

Cells = tuple[str, ...]


def comparison_lines(comparison: ComparisonResult) -> list[str]:
    """Return a table per workload and level: medians, change with interval, verdict.

    Without a result: one line with the reason.
    """
    if not comparison.results:
        return [_("There is nothing to compare: no workload was measured under two levels.")]
    lines: list[str] = []
    for result in comparison.results:
        lines += ["", _title(result)]
        for index in range(len(result.pairs)):
            lines += _table(_rows(comparison, result, index))
    lines_of_findings = [one.text for one in overall(comparison)]
    return [*lines[1:], "", *lines_of_findings]


def _title(result: ComparedResult) -> str:
    group = result.group
    counts = ", ".join(f"{level} n={len(side)}" for level, side in group.sides.items())
    return " · ".join(part for part in (group.label, group.where, counts) if part)


def _rows(comparison: ComparisonResult, result: ComparedResult, index: int) -> list[Cells]:
    """Return the table of the pair at this index."""
    level = result.pairs[index].level
    head = (
        "",
        f"{comparison.baseline} *",
        level,
        _("change"),
        _("typical pair"),
        _("interval"),
        _("verdict"),
    )
    return [head, *(_row(line, index, result.group.of_network) for line in result.lines)]


def _row(line: MetricLine, index: int, network: bool) -> Cells:
    entry = line.entries[index]
    return (
        str(SHORT[line.metric]),
        format_metric(line.metric, line.baseline.median, network=network),
        format_metric(entry.metric, entry.spread.median, network=network),
        format_difference(entry.change.shown),
        format_difference(entry.effect.ratio),
        interval(entry.change) or "–",
        kind_text(entry.kind),
    )


def _table(rows: list[Cells]) -> list[str]:
    """Align columns: numbers right, text left."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    text_columns = {0, len(widths) - 1}
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if index in text_columns else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
