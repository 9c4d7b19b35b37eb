"""A sweep worked out: the room's one function from a question to an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.analysis.answers import (
    Answer,
    Chart,
    Column,
    Fact,
    Link,
    Row,
    Said,
    Table,
    Value,
    metric_column,
)
from apps.analysis.compare import comparison as compare
from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.matching.levels import levels_of
from apps.analysis.compare.words import SHORT, sentence
from apps.analysis.run_links import links_of
from apps.analysis.sweep.curve import Curve, CurvePoint, cases_of, curves_of, utilisations
from apps.analysis.sweep.figures import Drawn, curve_panels
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.headline import headline
from apps.analysis.sweep.kinds import RepeatKinds, kinds_of
from apps.analysis.sweep.naming import names_of
from apps.analysis.sweep.promise import Expected, expected_of
from apps.analysis.sweep.question import SweepQuestion
from apps.analysis.sweep.saturation.marks import LoadMarks, marks_of
from apps.analysis.table.grid import axes_of
from apps.tools.metrics import METRICS, OVER_TIME, metrics_on
from apps.tools.registry import accesses_at_random, measures_network

MOST_CURVES = 12
VIEW = "sweep"


@dataclass(frozen=True)
class Sweep:
    """A sweep's answer with what its page needs beside it. `form` is None where nothing varies."""

    question: SweepQuestion
    comparison: Comparison
    form: CurveForm | None
    answer: Answer


@dataclass(frozen=True)
class _Made:
    """Curves, what the rows of their tables lead to, and what was promised."""

    curves: tuple[Curve, ...]
    names: tuple[str, ...]
    drawn: Drawn
    cases: Mapping[int, int]
    expected: Expected
    left_out: int


def sweep_of(question: SweepQuestion) -> Sweep:
    """The answer with its form. Raises Refused (400) when there are too many results."""
    comparison = compare.answer(question.compared)
    levels = levels_of(comparison.repeats, question.compared)
    kinds = kinds_of(comparison.repeats, levels, question.compared.factor)
    param = question.compared.param
    if not [name for name in axes_of(kinds.found) if name != param]:
        return Sweep(question, comparison, None, _nothing(question))
    form = CurveForm(question.choices, kinds.found, param)
    if not form.is_valid():
        return Sweep(question, comparison, form, _nothing(question))
    return Sweep(question, comparison, form, _answer(question, comparison, kinds, form))


def answer(question: SweepQuestion) -> Answer:
    """The answer alone."""
    return sweep_of(question).answer


def _nothing(question: SweepQuestion) -> Answer:
    words = _("A sweep needs results at different values of a parameter, such as the queue depth.")
    return Answer(VIEW, _("Over one parameter"), question.query(), empty=words)


def _answer(
    question: SweepQuestion, comparison: Comparison, kinds: RepeatKinds, form: CurveForm
) -> Answer:
    made = _make(comparison, kinds, form)
    label = str(form.labels[form.x])
    names = names_of(made.curves, form.x, form.kinds[0].operation)
    return Answer(
        view=VIEW,
        title=_("Over {parameter}").format(parameter=label),
        query=question.query(),
        about=names.common,
        headline=_headline(made, comparison, label),
        advice=_advice(question),
        charts=(_chart(made),),
        tables=tuple(filter(None, (_points(made), _verdicts(made, comparison)))),
        notes=_notes(made, form),
        basis=_basis(comparison),
        links=links_of(comparison.runs),
    )


def _headline(made: _Made, comparison: Comparison, label: str) -> tuple[Said, ...]:
    """Of a search for the largest load what it found, which is what was asked; then the usual."""
    found = headline(comparison, made.curves, made.names, label, made.drawn.words)
    (one, *more) = _searched(made) or [""]
    return found if more or not one else (Said(f"{one}."), *found)


def _searched(made: _Made) -> list[str]:
    return [marks.said for marks in made.drawn.loads if marks is not None]


def _make(comparison: Comparison, kinds: RepeatKinds, form: CurveForm) -> _Made:
    rows = kinds.rows(form.kinds)
    cases = cases_of(comparison.repeats.measurement[rows].tolist())
    by_case = utilisations(cases.values())
    used = {one: by_case[case] for one, case in cases.items() if case in by_case}
    every = curves_of(comparison, kinds, form.kinds, form.x, used)
    curves = every[:MOST_CURVES]
    names = names_of(curves, form.x, form.kinds[0].operation)
    expected = expected_of(cases.values())
    drawn = Drawn(
        curves,
        names.lines,
        str(form.labels[form.x]),
        lambda x: form.words(form.x, x),
        expected.promised,
        network=all(measures_network(curve.first.tool) for curve in curves),
        asked=[key for key in comparison.question.metrics if key in OVER_TIME],
        loads=marks_of(comparison.runs, form.x, curves, cases),
    )
    return _Made(curves, names.lines, drawn, cases, expected, len(every) - len(curves))


def _advice(question: SweepQuestion) -> tuple[Link, ...]:
    address = f"{reverse('compare')}?{question.compared.query()}"
    return (Link(_("The comparison with the same verdicts"), address),)


def _chart(made: _Made) -> Chart:
    said = _("The figures over the parameter; the same figures are in the table below")
    return Chart("curves", made.drawn.label, said, curve_panels(made.drawn), made.drawn.height)


def _points(made: _Made) -> Table:
    """Medians: a row for each value of each curve."""
    network = made.drawn.network
    offered = [*(m.key for m in metrics_on("curve")), *made.drawn.asked]
    metrics = [key for key in offered if _known(made.curves, key)]
    columns = [
        *([Column("curve", _("Curve"))] if len(made.curves) > 1 else []),
        Column("x", made.drawn.label),
        *(metric_column(key, network=network) for key in metrics),
        Column("in_flight", _("In flight"), "number"),
        *([Column("promise", _("Promise"))] if made.expected.promised else []),
        *([Column("holds", _("Expectation"))] if any(made.drawn.loads) else []),
        Column("repeats", _("Repeats"), "number"),
        Column("knee", _("Knee")),
    ]
    rows = []
    for index, (curve, name) in enumerate(zip(made.curves, made.names, strict=True)):
        marks = made.drawn.load(index)
        for point in curve.points:
            kept = made.expected.kept(point)
            cells: list[Value] = [
                *([name] if len(made.curves) > 1 else []),
                made.drawn.words(point.x),
                *(point.median(key) for key in metrics),
                point.in_flight,
                *([kept] if made.expected.promised else []),
                *([_holds(marks, point)] if any(made.drawn.loads) else []),
                point.repeats,
                _("knee") if point.x == curve.knee else "",
            ]
            rows.append(Row(tuple(cells), made.cases.get(point.measurement)))
    note = _(
        "Medians of the repeats. The knee is the smallest value within 5 % of the best. In flight: "
        "IOPS × mean latency (Little's law)."
    )
    return Table("points", _("The figures"), tuple(columns), tuple(rows), note)


def _holds(marks: LoadMarks | None, point: CurvePoint) -> str:
    held = marks.held.get(point.x) if marks else None
    return "" if held is None else _("holds") if held else _("does not hold")


def _known(curves: Sequence[Curve], metric: str) -> bool:
    return any(point.median(metric) is not None for curve in curves for point in curve.points)


def _verdicts(made: _Made, comparison: Comparison) -> Table | None:
    """The comparison's verdicts on each level at each value."""
    rows = []
    for curve, name in zip(made.curves, made.names, strict=True):
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
        Column("x", made.drawn.label),
        Column("metric", _("Metric")),
        Column("verdict", _("Against “{base}”").format(base=comparison.baseline), "verdict"),
        Column("change", _("Change"), "ratio"),
        Column("low", _("Interval from"), "ratio", spare=True),
        Column("high", _("to"), "ratio", spare=True),
        Column("sentence", _("In words"), spare=True),
    )
    words = _(
        "The verdicts of the comparison of the same results: {family} comparisons, corrected "
        "together."
    )
    note = words.format(family=comparison.family)
    return Table("verdicts", _("Between the levels"), columns, tuple(rows), note, folded=True)


def _verdict(made: _Made, curve: Curve, name: str, point: CurvePoint, metric: str) -> Row:
    verdict = point.verdicts[metric]
    effect = verdict.effect
    cells: tuple[Value, ...] = (
        name, made.drawn.words(point.x), str(SHORT[metric]), verdict.kind.value,
        effect.ratio, effect.low, effect.high, sentence(verdict),
    )  # fmt: skip
    return Row(cells, made.cases.get(point.measurement))


def _of_searches(made: _Made) -> Iterator[str]:
    """Notes of searches for the largest load: of several each one's, as the headline has no room
    for them, and the marks.
    """
    if len(searched := _searched(made)) > 1:
        yield from searched
    if searched:
        yield _(
            "The largest load was looked for: a cross is a value at which what the step "
            "expects does not hold, the solid line the largest at which it does."
        )


def _notes(made: _Made, form: CurveForm) -> tuple[str, ...]:
    found = []
    for curve, name in zip(made.curves, made.names, strict=True):
        if curve.knee is not None:
            found.append(_knee(curve, name, made.drawn))
    found += _of_searches(made)
    iops = made.expected.random_iops
    if iops is not None and any(accesses_at_random(k.tool, k.params) for k in form.kinds):
        words = _(
            "From its seek, rotation and transfer times this disk is expected to do {iops:.0f} "
            "random operations a second with one in flight."
        )
        found.append(words.format(iops=iops))
    if made.expected.promised:
        found.append(
            _(
                "A promise counts as reached where its IOPS or its bandwidth is: with small blocks "
                "the first is the limit, with large ones the second."
            )
        )
    if made.left_out:
        words = _("{shown} of {total} curves are drawn: choose fewer above.")
        total = len(made.curves) + made.left_out
        found.append(words.format(shown=len(made.curves), total=total))
    if any(point.verdicts for curve in made.curves for point in curve.points):
        found.append(_marks())
    return tuple(found)


def _marks() -> str:
    return _(
        "On the chart: a triangle up is better and one down worse than the baseline at that value; "
        "dots are repeats, bands the 95 % interval of the median (from six repeats on)."
    )


def _knee(curve: Curve, name: str, drawn: Drawn) -> str:
    values = {"name": name, "label": drawn.label, "knee": drawn.words(curve.knee or 0.0)}
    if curve.knee == curve.points[0].x:
        said = _("{name}: nothing is gained beyond the smallest value, {label} {knee}.")
    else:
        said = _("{name}: the rise ends at {label} {knee}, the dotted line.")
    found = said.format(**values)
    depth = curve.useful_depth
    if depth is None:
        return found
    words = _(
        "By the queueing model {depth:.3g} operations in flight are of use (the highest IOPS × the "
        "latency at the lowest value); more only wait."
    )
    return f"{found} {words.format(depth=depth)}"


def _basis(comparison: Comparison) -> tuple[Fact, ...]:
    left_out = sum(comparison.left_out.results.values())
    tested = ", ".join(str(METRICS[metric].head) for metric in comparison.tested)
    return (
        Fact(_("Runs"), ", ".join(f"#{run.pk} {run.name}" for run in comparison.runs)),
        Fact(_("Results"), f"{len(comparison.repeats):,}"),
        *([Fact(_("Left out"), f"{left_out:,}")] if left_out else []),
        *([Fact(_("Tested"), tested)] if comparison.family else []),
        Fact(_("Comparisons corrected together"), f"{comparison.family:,}"),
    )
