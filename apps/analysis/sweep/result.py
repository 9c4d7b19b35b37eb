"""Computation of a parameter sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.analysis.queries.run_links import run_links
from apps.analysis.repeats.grid import axes_of
from apps.analysis.repeats.levels import levels_of
from apps.analysis.repeats.repeat_kinds import RepeatKinds, kinds_of
from apps.analysis.result import (
    AnalysisResult,
    BasisItem,
    Chart,
    Column,
    Finding,
    Link,
    Row,
    Table,
    Value,
    metric_column,
)
from apps.analysis.sweep.changes import change_at
from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.sweep.curve_set import CurveSet, curve_set
from apps.analysis.sweep.figures import curve_panels
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.headline import headline
from apps.analysis.sweep.knees import Knee
from apps.analysis.sweep.load_search.marks import LoadMarks
from apps.analysis.sweep.notes import notes_of
from apps.analysis.sweep.query import SweepQuery
from apps.analysis.verdicts import comparison as compare
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.verdict_text import SHORT, sentence, typical_pair_note
from apps.tools.metrics import METRICS, metrics_on

VIEW = "sweep"
BOUNDED_METRICS = ("iops", "bandwidth", "latency_mean")
"""Metrics of the headline, whose medians have their intervals in a table."""


@dataclass(frozen=True)
class Sweep:
    """Sweep with the data of its page; `form` is None if no parameter varies."""

    query: SweepQuery
    comparison: ComparisonResult
    form: CurveForm | None
    result: AnalysisResult


def sweep_of(query: SweepQuery) -> Sweep:
    """Return a sweep with its form. Raises: ServiceError (400) if there are too many results."""
    comparison = compare.compute_comparison(query.compared)
    levels = levels_of(comparison.repeats, query.compared)
    kinds = kinds_of(comparison.repeats, levels, query.compared.factor)
    param = query.compared.param
    if not [name for name in axes_of(kinds.found) if name != param]:
        return Sweep(query, comparison, None, _empty_result(query))
    form = CurveForm(query.choices, kinds.found, param)
    if not form.is_valid():
        return Sweep(query, comparison, form, _empty_result(query))
    return Sweep(query, comparison, form, _result(query, comparison, kinds, form))


def compute(query: SweepQuery) -> AnalysisResult:
    """Return the result of a query."""
    return sweep_of(query).result


def _empty_result(query: SweepQuery) -> AnalysisResult:
    text = _("A sweep needs results at different values of a parameter, such as the queue depth.")
    return AnalysisResult(VIEW, _("Parameter sweep"), query.urlencode(), empty=text)


def _result(
    query: SweepQuery, comparison: ComparisonResult, kinds: RepeatKinds, form: CurveForm
) -> AnalysisResult:
    made = curve_set(comparison, kinds, form)
    label = str(form.labels[form.x])
    return AnalysisResult(
        view=VIEW,
        title=_("Over {parameter}").format(parameter=label),
        query=query.urlencode(),
        subject=made.names.common,
        headline=_headline(made, comparison),
        next_steps=_advice(query),
        charts=(_chart(made),),
        tables=tuple(filter(None, (_points(made), _intervals(made), _verdicts(made, comparison)))),
        notes=notes_of(made, form),
        basis=_basis(comparison),
        links=run_links(comparison.runs),
    )


def _headline(made: CurveSet, comparison: ComparisonResult) -> tuple[Finding, ...]:
    """Return the result of a load search, then the usual headline."""
    result = headline(comparison, made.curves, made.names.subjects, made.axis)
    (one, *more) = made.searched or [""]
    return result if more or not one else (Finding(f"{one}."), *result)


def _advice(query: SweepQuery) -> tuple[Link, ...]:
    address = f"{reverse('compare')}?{query.compared.urlencode()}"
    return (Link(_("The comparison with the same verdicts"), address),)


def _chart(made: CurveSet) -> Chart:
    caption = _("The figures over the parameter; the same figures are in the table below")
    return Chart("curves", made.chart.label, caption, curve_panels(made.chart), made.chart.height)


def _points(made: CurveSet) -> Table:
    """Return the table of medians, a row per value of each curve."""
    network = made.chart.network
    loaded = any(curve.is_load for curve in made.curves)
    offered = [*(m.key for m in metrics_on("curve")), *made.chart.series_metrics]
    metrics = [key for key in offered if _has_values(made.curves, key)]
    columns = [
        *([Column("curve", _("Curve"))] if len(made.curves) > 1 else []),
        Column("x", made.chart.label),
        *(metric_column(key, network=network) for key in metrics),
        Column("in_flight", _("In flight"), "number"),
        *([Column("promise", _("Promise"))] if made.expected.promised else []),
        *([Column("holds", _("Expectation"))] if any(made.chart.loads) else []),
        Column("repeats", _("Repeats"), "number"),
        *([Column("knee", _("Knee"))] if loaded else []),
    ]
    rows = []
    for index, (curve, name) in enumerate(zip(made.curves, made.names.lines, strict=True)):
        marks = made.chart.load(index)
        for point in curve.points:
            promise = made.expected.promise_text(point)
            cells: list[Value] = [
                *([name] if len(made.curves) > 1 else []),
                made.chart.words(point.x),
                *(point.median(key) for key in metrics),
                point.in_flight,
                *([promise] if made.expected.promised else []),
                *([_expectation_text(marks, point)] if any(made.chart.loads) else []),
                point.repeats,
                *([_knee_text(curve.knee, point.x)] if loaded else []),
            ]
            rows.append(Row(tuple(cells), made.cases.get(point.measurement)))
    note = _("Medians of the repeats. In flight: IOPS × mean latency (Little's law).")
    if loaded:
        text = _(
            # xgettext:no-python-format
            "The knee is the smallest value within 5 % of the best; “possible” marks the other "
            "values at which resampled repeats have it (95 % of 1,000 resamples)."
        )
        note = f"{note} {text}"
    return Table("points", _("The figures"), tuple(columns), tuple(rows), note)


def _knee_text(result: Knee | None, x: float) -> str:
    if result is None or not (result.has(x) or result.x == x):
        return ""
    if not result.is_settled:
        return _("not settled") if result.x == x else ""
    return _("knee") if result.x == x else _("possible")


def _expectation_text(marks: LoadMarks | None, point: CurvePoint) -> str:
    held = marks.held.get(point.x) if marks else None
    return "" if held is None else _("holds") if held else _("does not hold")


def _intervals(made: CurveSet) -> Table | None:
    """Return the intervals of the medians that the headline uses; None without any."""
    network = made.chart.network
    metrics = [key for key in BOUNDED_METRICS if _has_interval(made.curves, key)]
    if not metrics:
        return None
    columns = (
        Column("curve", _("Curve")),
        Column("x", made.chart.label),
        *(column for key in metrics for column in _interval_columns(key, network)),
    )
    rows = tuple(
        Row((name, made.chart.words(point.x), *(v for k in metrics for v in point.interval(k))))
        for curve, name in zip(made.curves, made.names.lines, strict=True)
        for point in curve.points
    )
    note = _(
        # xgettext:no-python-format
        "95 % intervals of the medians. Fewer than six values have none."
    )
    title = _("Intervals of the medians")
    return Table("intervals", title, columns, rows, note, folded=True)


def _interval_columns(metric: str, network: bool) -> Iterator[Column]:
    name = _(METRICS[metric].head)
    for title, end in ((_("{metric}, from"), "low"), (_("{metric}, to"), "high")):
        yield metric_column(
            metric, title=title.format(metric=name), name=f"{metric}_{end}", network=network
        )


def _has_interval(curves: Sequence[Curve], metric: str) -> bool:
    return any(point.interval(metric)[0] is not None for curve in curves for point in curve.points)


def _has_values(curves: Sequence[Curve], metric: str) -> bool:
    return any(point.median(metric) is not None for curve in curves for point in curve.points)


def _verdicts(made: CurveSet, comparison: ComparisonResult) -> Table | None:
    """Return the comparison's verdicts on each level at each value."""
    rows = []
    for curve, name in zip(made.curves, made.names.lines, strict=True):
        for point in curve.points:
            rows += [
                _verdict(made, curve, name, point, metric)
                for metric in comparison.tested
                if metric in point.verdicts
            ]
    if not rows:
        return None
    columns = (
        Column("curve", _("Curve")),
        Column("x", made.chart.label),
        Column("metric", _("Metric")),
        Column("verdict", _("Against “{base}”").format(base=comparison.baseline), "verdict"),
        Column("change", _("Change"), "ratio"),
        Column("typical", _("Typical pair"), "ratio", spare=True),
        Column("low", _("Interval from"), "ratio", spare=True),
        Column("high", _("to"), "ratio", spare=True),
        Column("baseline_n", _("Baseline n"), "number", spare=True),
        Column("n", _("n"), "number", spare=True),
        Column("baseline_blocks", _("Baseline, random blocks"), "number", spare=True),
        Column("blocks", _("Random blocks"), "number", spare=True),
        Column("text", _("In words"), spare=True),
    )
    text = _(
        "The verdicts of the comparison of the same results: {family} comparisons, corrected "
        "together."
    )
    note = " ".join([text.format(family=comparison.family), typical_pair_note()])
    return Table("verdicts", _("Between the levels"), columns, tuple(rows), note, folded=True)


def _verdict(made: CurveSet, curve: Curve, name: str, point: CurvePoint, metric: str) -> Row:
    verdict = point.verdicts[metric]
    change, effect = change_at(made.curves, curve, point, metric, verdict), verdict.effect
    cells: tuple[Value, ...] = (
        name, made.chart.words(point.x), str(SHORT[metric]), verdict.kind.value,
        change.shown, effect.ratio, effect.low, effect.high, verdict.n_a, verdict.n_b,
        *point.blocks[metric], sentence(verdict, change),
    )  # fmt: skip
    return Row(cells, made.cases.get(point.measurement))


def _basis(comparison: ComparisonResult) -> tuple[BasisItem, ...]:
    left_out = sum(comparison.left_out.results.values())
    tested = ", ".join(_(METRICS[metric].head) for metric in comparison.tested)
    return (
        BasisItem(_("Runs"), ", ".join(f"#{run.pk} {run.name}" for run in comparison.runs)),
        BasisItem(_("Results"), f"{len(comparison.repeats):,}"),
        *([BasisItem(_("Left out"), f"{left_out:,}")] if left_out else []),
        *([BasisItem(_("Tested"), tested)] if comparison.family else []),
        BasisItem(_("Comparisons corrected together"), f"{comparison.family:,}"),
    )
