"""Verdicts on the spread of each comparison's main metric, as a family of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.analysis.verdicts.batches import Batch, ChainCell, batches
from apps.stats.gatekeeping import corrected_p, divide_alpha
from apps.stats.intervals import effects_each
from apps.stats.multiplicity import ALPHA, ALPHA_WITH_ROUNDING, reachable
from apps.stats.null_distributions import Floats, Ints
from apps.stats.rank_tests import p_values
from apps.stats.sides import Sides
from apps.stats.variability import MIN_RATIO, design_of_distances, distances


@dataclass(frozen=True, slots=True)
class Variability:
    """Spread that differs: ratio of the level over the baseline, with its interval.

    An unbounded end is None.
    """

    ratio: float
    low: float | None
    high: float | None
    p: float
    p_corrected: float


def variabilities(chains: Sequence[Sequence[ChainCell]]) -> dict[int, Variability]:
    """Return spreads that differ by MIN_RATIO or more, by chain.

    The family-wise error rate is alpha (Holm 1979).
    """
    comparable = [index for index, chain in enumerate(chains) if not chain[0].differing_factors]
    heads = batches(chains, np.array(comparable, dtype=np.int64), 0, len(comparable))
    floors = np.ones(len(chains))
    for one in heads:
        floors[one.chain_indices] = design_of_distances(one.design).floor
    inside = np.array(reachable(floors), dtype=np.bool_)
    if not inside.any():
        return {}
    tested = [few for one in heads if len((few := one.of(inside)).chain_indices)]
    p = np.ones(len(floors))
    for one in tested:
        p[one.chain_indices] = p_values(design_of_distances(one.design), _distances(one))
    parts = np.ones(len(floors), dtype=np.int64)
    parts[inside] = divide_alpha(p[inside])
    adjusted = corrected_p(p[:, None], parts)[:, 0]
    shown = inside & (adjusted <= ALPHA_WITH_ROUNDING)
    result: dict[int, Variability] = {}
    for one in tested:
        if len((few := one.of(shown)).chain_indices):
            result |= _large_differences(few, p, adjusted, parts)
    return result


def _distances(one: Batch) -> Sides:
    return distances(one.design, one.sides)


def _large_differences(
    one: Batch, p: Floats, adjusted: Floats, parts: Ints
) -> dict[int, Variability]:
    chain_indices = one.chain_indices
    design = design_of_distances(one.design)
    effects = effects_each(design, _distances(one), ALPHA / parts[chain_indices])
    is_large = np.maximum(effects.ratio, 1 / effects.ratio) >= MIN_RATIO
    columns = (
        effects.ratio,
        effects.low,
        effects.high,
        p[chain_indices],
        adjusted[chain_indices],
        is_large,
    )
    return {
        index: Variability(ratio, _finite(low), _finite(high), one_p, all_p)
        for index, ratio, low, high, one_p, all_p, wide in zip(
            chain_indices.tolist(), *(column.tolist() for column in columns), strict=True
        )
        if wide
    }


def _finite(value: float) -> float | None:
    return None if value != value else value
