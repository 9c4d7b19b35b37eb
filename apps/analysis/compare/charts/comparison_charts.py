"""Charts of the comparison page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.analysis.compare.charts import forest
from apps.analysis.compare.charts.bars import Bar, BarPanel, bars_with_intervals
from apps.analysis.queries.comparison_runs import merged_histogram
from apps.analysis.repeats.groups import Group
from apps.analysis.repeats.repeats import Repeats, as_list
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison
from apps.analysis.verdicts.verdict import Verdict
from apps.analysis.verdicts.verdict_text import SHORT, kind_text
from apps.common.domain.charts import ChartFigure
from apps.common.domain.histograms import Ints, percentiles
from apps.common.domain.verdicts import COMPARISON_VERDICTS
from apps.results.presenters.chart_figures import Distribution, percentile_curves
from apps.tools.metrics import shown_unit, with_percentiles

MERGED = with_percentiles("90")
Merged = dict[str, tuple[Ints, Ints]]


MAINS = "main"
"""Bars of each workload by its own main metric."""


def bars_figure(repeats: Repeats, results: Sequence[ComparedResult], metric: str) -> ChartFigure:
    """Return bars of medians and repeats of one metric, or of MAINS."""
    return bars_with_intervals(list(_panels(repeats, results, metric)))


def _panels(repeats: Repeats, results: Sequence[ComparedResult], metric: str) -> Iterator[BarPanel]:
    network = bool(results) and all(result.group.of_network for result in results)
    for key in mains_of(results) if metric == MAINS else [metric]:
        shown = [result for result in results if metric != MAINS or result.main == key]
        bars = [
            Bar(full_label(result.group), level, as_list(repeats.metric(key)[rows]))
            for result in shown
            for level, rows in result.group.sides.items()
        ]
        yield BarPanel(str(SHORT[key]), shown_unit(key, network=network), bars)


def mains_of(results: Sequence[ComparedResult]) -> list[str]:
    """Return the main metrics of these workloads, each once."""
    return list(dict.fromkeys(result.main for result in results))


def forest_figure(comparison: ComparisonResult, results: Sequence[ComparedResult]) -> ChartFigure:
    """Return the change of each tested comparison with its interval."""
    names = {kind: kind_text(kind) for kind in COMPARISON_VERDICTS}
    return forest.ratio_forest(
        _rows(comparison, results), label=_("Change (logarithmic scale)"), names=names
    )


def forest_height(comparison: ComparisonResult, results: Sequence[ComparedResult]) -> int:
    """Return the pixels of the forest plot."""
    return forest.forest_height(_rows(comparison, results))


def _rows(
    comparison: ComparisonResult, results: Sequence[ComparedResult]
) -> list[forest.ForestRow]:
    many = len(comparison.levels) > 2
    return [
        forest.ForestRow(full_label(group), _label(entry, many), entry.effect, verdict.kind)
        for group, entry, verdict in tested_entries(results)
    ]


def tested_entries(
    results: Sequence[ComparedResult],
) -> list[tuple[Group, MetricComparison, Verdict]]:
    """Return tested comparisons, each once: bandwidth with the verdict of IOPS is omitted."""
    entries = []
    for result in results:
        seen: list[Verdict] = []
        for line in result.lines:
            for entry in line.entries:
                verdict = entry.verdict
                if verdict is not None and not any(verdict is one for one in seen):
                    seen.append(verdict)
                    entries.append((result.group, entry, verdict))
    return entries


def merged_histograms(repeats: Repeats, group: Group) -> Merged:
    """Return the summed histogram of each level that has one."""
    entries = {
        level: merged_histogram(repeats.measurement[rows].tolist())
        for level, rows in group.sides.items()
    }
    return {level: (bins, counts) for level, (bins, counts) in entries.items() if len(bins)}


def percentile_figure(merged: Merged) -> ChartFigure:
    """Return the latency by percentile of each level."""
    curves = [Distribution(level, bins, counts) for level, (bins, counts) in merged.items()]
    return percentile_curves(curves, title="")


def merged_percentiles(merged: Merged) -> dict[str, list[int | None]]:
    """Return ns at each of MERGED by level, from the summed counts."""
    percents = [float(name) for name in MERGED]
    return {level: percentiles(bins, counts, percents) for level, (bins, counts) in merged.items()}


def full_label(group: Group) -> str:
    return " · ".join(part for part in (group.label, group.where) if part)


def _label(entry: MetricComparison, many: bool) -> str:
    metric = str(SHORT[entry.metric])
    return f"{entry.level} · {metric}" if many else metric
