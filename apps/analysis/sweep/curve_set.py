"""The curves of a sweep with what their tables and sentences need beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.analysis.repeats.repeat_kinds import RepeatKinds
from apps.analysis.repeats.representative import cases_of
from apps.analysis.sweep.advice import Axis
from apps.analysis.sweep.curve import Curve, curves_of, utilisations
from apps.analysis.sweep.figures import Drawn
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.load_search.marks import marks_of
from apps.analysis.sweep.naming import Names, names_of
from apps.analysis.sweep.sla_lines import SlaLimits, sla_limits
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.tools.metrics import OVER_TIME
from apps.tools.registry import measures_network

MAX_CURVES = 12


@dataclass(frozen=True)
class CurveSet:
    """Curves, what the rows of their tables lead to, and what was promised."""

    curves: tuple[Curve, ...]
    names: Names
    drawn: Drawn
    cases: Mapping[int, int]
    expected: SlaLimits
    left_out: int

    @property
    def axis(self) -> Axis:
        """The parameter along the bottom, for sentences."""
        return Axis(self.drawn.label, self.drawn.words, self.drawn.network)

    @property
    def searched(self) -> list[str]:
        """The sentence of each search for the largest load."""
        return [marks.label for marks in self.drawn.loads if marks is not None]


def curve_set(comparison: ComparisonResult, kinds: RepeatKinds, form: CurveForm) -> CurveSet:
    """The curves that a form asks for."""
    rows = kinds.rows(form.kinds)
    cases = cases_of(comparison.repeats.measurement[rows].tolist())
    by_case = utilisations(cases.values())
    used = {one: by_case[case] for one, case in cases.items() if case in by_case}
    every = curves_of(comparison, kinds, form.kinds, form.x, used)
    curves = every[:MAX_CURVES]
    names = names_of(curves, form.x, form.kinds[0].operation)
    expected = sla_limits(cases.values())
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
    return CurveSet(curves, names, drawn, cases, expected, len(every) - len(curves))
