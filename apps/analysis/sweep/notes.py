"""Notes below a sweep: curves without headline, load searches, SLA limits, marks."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.analysis.sweep.advice import advice_of
from apps.analysis.sweep.curve_set import CurveSet
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.headline import best_of
from apps.tools.registry import accesses_at_random

MIN_DEPTH = 2.0
"""Limit of operations in flight below which a minimum load is not mentioned."""


def _search_notes(made: CurveSet) -> Iterator[str]:
    """Yield notes of load searches: results if there are several, and the marks."""
    if len(searched := made.searched) > 1:
        yield from searched
    if searched:
        yield _(
            "Search for the largest load: a cross marks a value that fails the step's "
            "expectations, the solid line the largest value that meets them."
        )


def notes_of(made: CurveSet, form: CurveForm) -> tuple[str, ...]:
    """Return the notes in order."""
    result = [*_curve_notes(made), *_search_notes(made)]
    iops = made.expected.random_iops
    if iops is not None and any(accesses_at_random(k.tool, k.params) for k in form.kinds):
        text_of_curve = _(
            "From its seek, rotation and transfer times this disk is expected to do {iops:.0f} "
            "random operations a second with one in flight."
        )
        result.append(text_of_curve.format(iops=iops))
    if made.expected.promised:
        result.append(
            _(
                "A promise counts as reached where its IOPS or its bandwidth is: with small blocks "
                "the first is the limit, with large ones the second."
            )
        )
    if made.left_out:
        text_of_curve = _("{shown} of {total} curves are drawn: choose fewer above.")
        total = len(made.curves) + made.left_out
        result.append(text_of_curve.format(shown=len(made.curves), total=total))
    if any(point.verdicts for curve in made.curves for point in curve.points):
        result.append(_marks_note())
    return tuple(result)


def _marks_note() -> str:
    return _(
        # xgettext:no-python-format
        "On the chart: a triangle up is better and one down worse than the baseline at that value; "
        "dots are repeats, bands the 95 % interval of the median (from six repeats on)."
    )


def _curve_notes(made: CurveSet) -> Iterator[str]:
    """Yield the sentence of each curve without headline, and the minimum load of each."""
    best = best_of(made.curves)
    for index, (curve, subject) in enumerate(zip(made.curves, made.names.subjects, strict=True)):
        text_of_curve = (
            advice_of(curve, subject, made.axis) if best is None or best[0] != index else ""
        )
        depth = curve.useful_depth
        if depth is not None and depth >= MIN_DEPTH:
            text = _(
                "{subject}: with fewer than {depth:.3g} operations in flight the highest rate "
                "cannot be reached (the highest IOPS × the latency with one in flight)."
            )
            text_of_curve = f"{text_of_curve} {text.format(subject=subject, depth=depth)}".strip()
        if text_of_curve:
            yield text_of_curve
