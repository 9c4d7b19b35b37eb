"""Verdicts on metrics whose window lengths differ."""

from __future__ import annotations

from apps.analysis.repeats.repeats import Repeats
from apps.analysis.verdicts.batches import ChainCell
from apps.analysis.verdicts.chains import effects_of
from apps.analysis.verdicts.multiplicity import Pair
from apps.analysis.verdicts.verdict import Verdict
from apps.common.domain.verdicts import VerdictKind


def window_verdicts(repeats: Repeats, pair: Pair) -> dict[str, Verdict]:
    """Return the verdict "not comparable" by metric, with the windows of both sides."""
    result = {}
    for metric, difference in pair.incomparable_windows.items():
        values = repeats.metric(metric)
        (effect,) = effects_of([ChainCell(values[pair.a], values[pair.b], True)])
        kind, counts = VerdictKind.NOT_COMPARABLE, pair.counts(metric)
        result[metric] = Verdict(
            kind, kind.value, effect, None, None, *counts, 1, factors=(str(difference),)
        )
    return result
