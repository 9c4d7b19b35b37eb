"""Comparison as an AnalysisResult, for reports, exports and the API."""

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
from apps.analysis.verdicts.headlines import Summary, overall, summaries
from apps.analysis.verdicts.request_sizes import METRIC as SIZE_METRIC
from apps.analysis.verdicts.request_sizes import SizesByLevel, request_sizes
from apps.analysis.verdicts.variation_text import spreads, within_texts
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText, listed, typical_pair_note
from apps.tools.metrics import COMPARISON_METRICS, STALLED

VIEW = "compare"
MAX_CHART_WORKLOADS = 10
"""Limit of workloads on a chart: as many as fit on a sheet."""
MAX_SPREADS = 10
"""Limit of sentences about spreads."""


def compute(query: ComparisonQuery) -> AnalysisResult:
    """Return the result of a query. Raises: ServiceError (400) if there are too many results."""
    return comparison_analysis(compare.compute_comparison(query))


def comparison_analysis(comparison: ComparisonResult) -> AnalysisResult:
    """Return a comparison as an AnalysisResult."""
    results = comparison.results
    fill_entries(results)
    query = comparison.query
    if not results:
        text = _("There is nothing to compare: no workload was measured under two levels.")
        return AnalysisResult(
            VIEW, _("Comparison"), query.urlencode(), basis=_basis(comparison),
            links=run_links(comparison.runs), empty=text,
        )  # fmt: skip
    address = f"{reverse('compare')}?{query.urlencode()}"
    return AnalysisResult(
        view=VIEW,
        title=_("Comparison"),
        query=query.urlencode(),
        subject=_shared_text(comparison),
        headline=overall(comparison),
        next_steps=(
            Link(_("The comparison's page"), address),
            *(
                baseline_links([run.pk for run in comparison.runs])
                if comparison.related.baselines
                else ()
            ),
        ),
        charts=_charts(comparison, results[:MAX_CHART_WORKLOADS]),
        tables=(_summary(comparison), *_metrics(comparison)),
        notes=(*_notes(query), *_spreads(comparison), *_within_tests(comparison)),
        basis=_basis(comparison),
        links=run_links(comparison.runs),
    )


def _notes(query: ComparisonQuery) -> tuple[str, ...]:
    if not query.further.case:
        return ()
    text = _(
        # xgettext:no-python-format
        "Selected cases only: selecting repeats after seeing results invalidates the 5 % error"
        " rate."
    )
    return (text,)


def _spreads(comparison: ComparisonResult) -> Iterator[str]:
    """Yield sentences about spreads that differ."""
    for name, caption in islice(spreads(comparison, comparison.results), MAX_SPREADS):
        yield f"{name}: {caption}" if name else caption


def _within_tests(comparison: ComparisonResult) -> Iterator[str]:
    """Yield lines about stalls and about spreads within tests."""
    several = len(comparison.levels) > 2
    lines = (
        f"{name}: {text}"
        for result in comparison.results
        for name, text in within_texts(comparison, result, with_level=several)
    )
    yield from islice(lines, MAX_SPREADS)


def _shared_text(comparison: ComparisonResult) -> str:
    return _("Baseline “{base}”; against it {levels}").format(
        base=comparison.baseline, levels=", ".join(f"“{one}”" for one in comparison.levels[1:])
    )


def _charts(comparison: ComparisonResult, results: Sequence[ComparedResult]) -> tuple[Chart, ...]:
    metric = first_chart(comparison, results)
    bars = comparison_charts.bars_figure(comparison.repeats, results, metric)
    metrics = comparison_charts.mains_of(results) if metric == comparison_charts.MAINS else [metric]
    forest = comparison_charts.forest_figure(comparison, results)
    caption = _("Medians and every repeat of {metric}").format(
        metric=listed([str(SHORT[key]) for key in metrics])
    )
    if len(comparison.results) > len(results):
        text = _("{what}, the first {shown} of {total} workloads")
        caption = text.format(what=caption, shown=len(results), total=len(comparison.results))
    height = comparison_charts.forest_height(comparison, results)
    change = _("Changes with their intervals")
    return (
        Chart("bars", caption, caption, bars, bars["layout"]["height"]),
        Chart("forest", change, change, forest, height),
    )


def _summary(comparison: ComparisonResult) -> Table:
    """Return a row for each level of each workload, by its headline metric."""
    sizes = request_sizes(comparison.results)
    columns = (
        Column("workload", _("Workload")),
        Column("where", _("Where"), spare=True),
        Column("level", comparison.factor_label),
        Column("metric", _("Metric"), spare=True),
        Column("verdict", _("Verdict"), "verdict"),
        Column("change", _("Change"), "ratio"),
        Column("typical", _("Typical pair"), "ratio", spare=True),
        Column("low", _("Interval from"), "ratio", spare=True),
        Column("high", _("to"), "ratio", spare=True),
        Column("baseline_n", _("Baseline n"), "number", spare=True),
        Column("n", _("n"), "number", spare=True),
        Column("text", _("In words"), spare=True),
        *_stall_columns(comparison),
        *(_size_columns() if sizes else ()),
    )
    rows = tuple(
        Row((
            line.label, line.where, line.level, str(SHORT[line.metric]), line.kind.value,
            line.change.shown, line.change.effect.ratio, line.change.effect.low,
            line.change.effect.high, *line.n, line.text, *_stalled(comparison, line),
            *(_sizes(sizes, line) if sizes else ()),
        ))
        for line in summaries(comparison)
    )  # fmt: skip
    note = typical_pair_note()
    return Table("summary", _("Workload by workload"), columns, rows, note=note)


def _size_columns() -> tuple[Column, ...]:
    """Return the columns of the device's mean request sizes."""
    return (
        metric_column(SIZE_METRIC, title=_("Request size, baseline"), name="baseline_request_size"),
        metric_column(SIZE_METRIC, title=_("Request size"), name="request_size"),
    )


def _sizes(sizes: SizesByLevel, line: Summary) -> tuple[float | None, ...]:
    size = sizes.get((line.slug, line.level))
    return (size.baseline, size.own) if size else (None, None)


def _stall_columns(comparison: ComparisonResult) -> tuple[Column, ...]:
    """Return the columns of seconds without progress, if a test had any."""
    if not any(note.has_stalls for note in comparison.within_tests.values()):
        return ()
    return (
        metric_column(STALLED.key, title=_("Stalled, baseline"), name="baseline_stalled"),
        metric_column(STALLED.key, title=_("Stalled"), name="stalled"),
    )


def _stalled(comparison: ComparisonResult, line: Summary) -> tuple[float | None, ...]:
    if not _stall_columns(comparison):
        return ()
    note = comparison.within_tests.get((line.slug, line.level))
    return (note.baseline.stalled, note.own.stalled) if note else (None, None)


def _metrics(comparison: ComparisonResult) -> Iterator[Table]:
    """Yield a table per metric: both sides, change, interval, verdict."""
    network, text = all(one.group.of_network for one in comparison.results), VerdictText()
    rows: dict[str, list[Row]] = {metric: [] for metric in COMPARISON_METRICS}
    for result in comparison.results:
        for entry in result.entries:
            rows[entry.metric].append(_row(comparison.baseline, result, entry, text))
    for metric, mine in rows.items():
        if mine:
            columns, note = _columns(metric, comparison.factor_label, network), typical_pair_note()
            yield Table(metric, str(SHORT[metric]), columns, tuple(mine), note=note, folded=True)


def _columns(metric: str, factor: str, network: bool) -> tuple[Column, ...]:
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
        Column("level", factor),
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
        Column("text", _("In words")),
    )


def _row(baseline: str, result: ComparedResult, entry: MetricComparison, text: VerdictText) -> Row:
    group, effect = result.group, entry.effect
    return Row((
        group.label, group.operation, group.where, baseline, *entry.baseline_extent, entry.level,
        *entry.extent, entry.change.shown, effect.ratio, effect.low, effect.high, entry.p,
        entry.p_corrected, entry.kind.value, text.sentence(entry.verdict, entry.change),
    ))  # fmt: skip


def _basis(comparison: ComparisonResult) -> tuple[BasisItem, ...]:
    left_out = comparison.left_out
    items = [
        BasisItem(_("Runs"), ", ".join(f"#{run.pk} {run.name}" for run in comparison.runs)),
        BasisItem(_("Results"), f"{comparison.used:,}"),
    ]
    items += [BasisItem(_("Left out"), f"{n:,} × {why}") for why, n in left_out.results.items()]
    tested = ", ".join(str(SHORT[metric]) for metric in comparison.tested)
    items += [BasisItem(_("Tested"), tested)] if comparison.family else []
    return (*items, BasisItem(_("Comparisons corrected together"), f"{comparison.family:,}"))
