"""Curves of a sweep with the data of their tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.analysis.repeats.repeat_kinds import RepeatKinds
from apps.analysis.repeats.representative import cases_of
from apps.analysis.sweep.advice import Axis
from apps.analysis.sweep.curve import Curve, curves_of, utilisations
from apps.analysis.sweep.curve_chart import CurveChart
from apps.analysis.sweep.curve_names import CurveNames, curve_names
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.load_search.marks import marks_of
from apps.analysis.sweep.sla_lines import SlaLimits, sla_limits
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.tools.metrics import OVER_TIME
from apps.tools.registry import measures_network

MAX_CURVES = 12


@dataclass(frozen=True)
class CurveSet:
    """Curves with names, chart, cases by measurement, and SLA limits.

    `left_out`: number of curves above the limit.
    """

    curves: tuple[Curve, ...]
    names: CurveNames
    chart: CurveChart
    cases: Mapping[int, int]
    expected: SlaLimits
    left_out: int

    @property
    def axis(self) -> Axis:
        """Return the x axis, for sentences."""
        return Axis(self.chart.label, self.chart.words, self.chart.network)

    @property
    def searched(self) -> list[str]:
        """Return the sentence of each load search."""
        return [marks.label for marks in self.chart.loads if marks is not None]


def curve_set(comparison: ComparisonResult, kinds: RepeatKinds, form: CurveForm) -> CurveSet:
    """Return the curves of a form."""
    rows = kinds.rows(form.kinds)
    cases = cases_of(comparison.repeats.measurement[rows].tolist())
    by_case = utilisations(cases.values())
    used = {one: by_case[case] for one, case in cases.items() if case in by_case}
    every = curves_of(comparison, kinds, form.kinds, form.x, used)
    curves = every[:MAX_CURVES]
    names = curve_names(curves, form.x, form.kinds[0].operation)
    expected = sla_limits(cases.values())
    chart = CurveChart(
        curves,
        names.lines,
        str(form.labels[form.x]),
        lambda x: form.words(form.x, x),
        expected.promised,
        network=all(measures_network(curve.first.tool) for curve in curves),
        series_metrics=[key for key in comparison.query.metrics if key in OVER_TIME],
        loads=marks_of(comparison.runs, form.x, curves, cases),
    )
    return CurveSet(curves, names, chart, cases, expected, len(every) - len(curves))
