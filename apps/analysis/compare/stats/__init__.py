"""Comparison statistics: pure functions on lists of repeats, no Django, no scipy at import time.

What each does and why it was chosen is in `docs/usage/statistics.md`.
"""

from apps.analysis.compare.stats.drift import Drift, OrderCheck, drift, order_check
from apps.analysis.compare.stats.effect import Effect, effects, hodges_lehmann_ratio
from apps.analysis.compare.stats.family import (
    ALPHA,
    Reach,
    floor_p,
    reaches,
    too_few,
    within_reach,
)
from apps.analysis.compare.stats.samples import Blocks, clean, paired_values
from apps.analysis.compare.stats.spread import Spread, spread

__all__ = [
    "ALPHA",
    "Blocks",
    "Drift",
    "Effect",
    "OrderCheck",
    "Reach",
    "Spread",
    "clean",
    "drift",
    "effects",
    "floor_p",
    "hodges_lehmann_ratio",
    "order_check",
    "paired_values",
    "reaches",
    "spread",
    "too_few",
    "within_reach",
]
