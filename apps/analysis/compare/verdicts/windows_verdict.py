"""Verdicts on metrics of which a pair's sides have other windows."""

from __future__ import annotations

from apps.analysis.compare.matching.repeats import Repeats
from apps.analysis.compare.verdicts.chains import ChainCell, effects_of
from apps.analysis.compare.verdicts.family import Pair
from apps.analysis.compare.verdicts.verdict import Verdict
from apps.common.verdicts import VerdictKind


def apart_verdicts(repeats: Repeats, pair: Pair) -> dict[str, Verdict]:
    """By metric: not comparable, with the windows of both sides."""
    found = {}
    for metric, difference in pair.windows_apart.items():
        values = repeats.metric(metric)
        (effect,) = effects_of([ChainCell(values[pair.a], values[pair.b], True)])
        kind, counts = VerdictKind.NOT_COMPARABLE, pair.counts(metric)
        found[metric] = Verdict(
            kind, kind.value, effect, None, None, *counts, 1, factors=(str(difference),)
        )
    return found
