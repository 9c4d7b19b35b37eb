"""Notes below a sweep: the curves that the headline does not name, searches, promises, marks."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.analysis.sweep.advice import advice_of
from apps.analysis.sweep.curve_set import CurveSet
from apps.analysis.sweep.forms import CurveForm
from apps.analysis.sweep.headline import best_of
from apps.tools.registry import accesses_at_random

MIN_DEPTH = 2.0
"""Below so many operations in flight a least load says nothing."""


def _of_searches(made: CurveSet) -> Iterator[str]:
    """Notes of searches for the largest load: of several each one's, as the headline has no room
    for them, and the marks.
    """
    if len(searched := made.searched) > 1:
        yield from searched
    if searched:
        yield _(
            "The largest load was looked for: a cross is a value at which what the step "
            "expects does not hold, the solid line the largest at which it does."
        )


def notes_of(made: CurveSet, form: CurveForm) -> tuple[str, ...]:
    """The notes in their order."""
    found = [*_of_curves(made), *_of_searches(made)]
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


def _of_curves(made: CurveSet) -> Iterator[str]:
    """The sentence of each curve that the headline does not name, and the least load of each."""
    best = best_of(made.curves)
    for index, (curve, subject) in enumerate(zip(made.curves, made.names.subjects, strict=True)):
        words = advice_of(curve, subject, made.axis) if best is None or best[0] != index else ""
        depth = curve.useful_depth
        if depth is not None and depth >= MIN_DEPTH:
            text = _(
                "{subject}: with fewer than {depth:.3g} operations in flight the highest rate "
                "cannot be reached (the highest IOPS × the latency with one in flight)."
            )
            words = f"{words} {text.format(subject=subject, depth=depth)}".strip()
        if words:
            yield words
