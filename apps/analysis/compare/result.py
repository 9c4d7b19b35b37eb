"""A comparison as an answer: what reports, exports and the API of all rooms show of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.analysis.compare.charts import comparison_charts
from apps.analysis.compare.page.page_data import first_chart
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.run_links import run_links
from apps.analysis.result import (
    AnalysisResult,
    BasisItem,
    Chart,
    Column,
    Link,
    Row,
    Table,
    metric_column,
)
from apps.analysis.verdicts import comparison as compare
from apps.analysis.verdicts.baseline_links import baseline_links
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison, fill_entries
from apps.analysis.verdicts.summary import overall, summaries
from apps.analysis.verdicts.text import SHORT, VerdictText, listed, typical_pair_note
from apps.analysis.verdicts.variation_text import spreads
from apps.tools.metrics import COMPARISON_METRICS

VIEW = "compare"
DRAWN = 10
"""Workloads on a chart, the first ones: as many as fit on one sheet."""
SPREADS = 10
"""Sentences about spreads, the first ones."""


def compute(question: ComparisonQuery) -> AnalysisResult:
    """The answer to a question. Raises ServiceError (400) when there are too many results."""
    return comparison_analysis(compare.compute_comparison(question))


def comparison_analysis(comparison: ComparisonResult) -> AnalysisResult:
    """A comparison as an answer."""
    results = comparison.results
    fill_entries(results)
    question = comparison.question
    if not results:
        words = _("There is nothing to compare: no workload was measured under two levels.")
        return AnalysisResult(
            VIEW, _("Comparison"), question.query(), basis=_basis(comparison),
            links=run_links(comparison.runs), empty=words,
        )  # fmt: skip
    address = f"{reverse('compare')}?{question.query()}"
    return AnalysisResult(
        view=VIEW,
        title=_("Comparison"),
        query=question.query(),
        about=_about(comparison),
        headline=overall(comparison),
        advice=(
            Link(_("The comparison's page"), address),
            *(
                baseline_links([run.pk for run in comparison.runs])
                if comparison.beside.baselines
                else ()
            ),
        ),
        charts=_charts(comparison, results[:DRAWN]),
        tables=(_summary(comparison), *_metrics(comparison)),
        notes=(*_notes(question), *_spreads(comparison)),
        basis=_basis(comparison),
        links=run_links(comparison.runs),
    )


def _notes(question: ComparisonQuery) -> tuple[str, ...]:
    if not question.further.case:
        return ()
    words = _(
        "Selected cases only: selecting repeats after seeing results invalidates the 5 % error"
        " rate."
    )
    return (words,)


def _spreads(comparison: ComparisonResult) -> Iterator[str]:
    """Spreads that differ, the first ones."""
    for name, caption in islice(spreads(comparison, comparison.results), SPREADS):
        yield f"{name}: {caption}" if name else caption


def _about(comparison: ComparisonResult) -> str:
    return _("Baseline “{base}”; against it {levels}").format(
        base=comparison.baseline, levels=", ".join(f"“{one}”" for one in comparison.levels[1:])
    )


def _charts(comparison: ComparisonResult, results: Sequence[ComparedResult]) -> tuple[Chart, ...]:
    metric = first_chart(comparison, results)
    bars = comparison_charts.bars_figure(comparison.repeats, results, metric)
    told = comparison_charts.mains_of(results) if metric == comparison_charts.MAINS else [metric]
    forest = comparison_charts.forest_figure(comparison, results)
    caption = _("Medians and every repeat of {metric}").format(
        metric=listed([str(SHORT[key]) for key in told])
    )
    if len(comparison.results) > len(results):
        words = _("{what}, the first {shown} of {total} workloads")
        caption = words.format(what=caption, shown=len(results), total=len(comparison.results))
    height = comparison_charts.forest_height(comparison, results)
    change = _("Changes with their intervals")
    return (
        Chart("bars", caption, caption, bars, bars["layout"]["height"]),
        Chart("forest", change, change, forest, height),
    )


def _summary(comparison: ComparisonResult) -> Table:
    """A line for each level of each workload, by its headline metric."""
    columns = (
        Column("workload", _("Workload")),
        Column("where", _("Where"), spare=True),
        Column("level", _("Level")),
        Column("metric", _("Metric"), spare=True),
        Column("verdict", _("Verdict"), "verdict"),
        Column("change", _("Change"), "ratio"),
        Column("typical", _("Typical pair"), "ratio", spare=True),
        Column("low", _("Interval from"), "ratio", spare=True),
        Column("high", _("to"), "ratio", spare=True),
        Column("baseline_n", _("Baseline n"), "number", spare=True),
        Column("n", _("n"), "number", spare=True),
        Column("sentence", _("In words"), spare=True),
    )
    rows = tuple(
        Row((
            line.label, line.where, line.level, str(SHORT[line.metric]), line.kind.value,
            line.change.shown, line.change.effect.ratio, line.change.effect.low,
            line.change.effect.high, *line.n, line.text,
        ))
        for line in summaries(comparison)
    )  # fmt: skip
    note = typical_pair_note()
    return Table("summary", _("Workload by workload"), columns, rows, note=note)


def _metrics(comparison: ComparisonResult) -> Iterator[Table]:
    """A table a metric: both sides, change, interval, verdict."""
    network, words = all(one.group.of_network for one in comparison.results), VerdictText()
    rows: dict[str, list[Row]] = {metric: [] for metric in COMPARISON_METRICS}
    for result in comparison.results:
        for entry in result.entries:
            rows[entry.metric].append(_row(comparison.baseline, result, entry, words))
    for metric, mine in rows.items():
        if mine:
            columns, note = _columns(metric, network), typical_pair_note()
            yield Table(metric, str(SHORT[metric]), columns, tuple(mine), note=note, folded=True)


def _columns(metric: str, network: bool) -> tuple[Column, ...]:
    def figure(name: str, title: str) -> Column:
        return metric_column(metric, title=title, name=name, network=network)

    return (
        Column("workload", _("Workload")),
        Column("operation", _("Operation")),
        Column("where", _("Where")),
        Column("baseline", _("Baseline")),
        Column("baseline_n", _("Repeats"), "number"),
        figure("baseline_median", _("Median")),
        figure("baseline_min", _("Minimum")),
        figure("baseline_max", _("Maximum")),
        Column("level", _("Level")),
        Column("n", _("Repeats"), "number"),
        figure("median", _("Median")),
        figure("min", _("Minimum")),
        figure("max", _("Maximum")),
        Column("change", _("Change"), "ratio"),
        Column("typical", _("Typical pair"), "ratio"),
        Column("low", _("Interval from"), "ratio"),
        Column("high", _("to"), "ratio"),
        Column("p", _("p"), "chance"),
        Column("p_corrected", _("p, corrected"), "chance"),
        Column("verdict", _("Verdict"), "verdict"),
        Column("sentence", _("In words")),
    )


def _row(baseline: str, result: ComparedResult, entry: MetricComparison, words: VerdictText) -> Row:
    group, effect = result.group, entry.effect
    return Row((
        group.label, group.operation, group.where, baseline, *entry.baseline_extent, entry.level,
        *entry.extent, entry.change.shown, effect.ratio, effect.low, effect.high, entry.p,
        entry.p_corrected, entry.kind.value, words.sentence(entry.verdict, entry.change),
    ))  # fmt: skip


def _basis(comparison: ComparisonResult) -> tuple[BasisItem, ...]:
    left_out = comparison.left_out
    found = [
        BasisItem(_("Runs"), ", ".join(f"#{run.pk} {run.name}" for run in comparison.runs)),
        BasisItem(_("Results"), f"{comparison.used:,}"),
    ]
    found += [BasisItem(_("Left out"), f"{n:,} × {why}") for why, n in left_out.results.items()]
    tested = ", ".join(str(SHORT[metric]) for metric in comparison.tested)
    found += [BasisItem(_("Tested"), tested)] if comparison.family else []
    return (*found, BasisItem(_("Comparisons corrected together"), f"{comparison.family:,}"))
