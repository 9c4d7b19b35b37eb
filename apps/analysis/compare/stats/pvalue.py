"""How often chance alone would part two sets of repeats at least this far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from apps.analysis.compare.stats import nulls
from apps.analysis.compare.stats.samples import Blocks, Values, clean, paired_values

Test = Literal["rank-sum", "signed-rank"]


@dataclass(frozen=True)
class PValue:
    """Two-sided. `exact` is false where the arrangements were approximated or sampled (fixed seed)
    instead of all counted.
    """

    p: float
    test: Test
    exact: bool


def p_value_exact(a: Values, b: Values, blocks: Blocks | None = None) -> PValue:
    """Permutation p-value of "b is like a", ties included; 1.0 where a side has no value.

    Without `blocks`: Mann and Whitney's rank sum over all C(n_a + n_b, n_a) divisions. With
    `blocks` that hold one value of each side: Wilcoxon's signed rank of the log ratios over all
    2^n signs; blocks that are not complete on both sides fall back to the rank sum.
    """
    pairs = paired_values(a, b, blocks)
    if pairs is not None:
        return _signed_rank(pairs)
    return _rank_sum(clean(a), clean(b))


def _rank_sum(a: list[float], b: list[float]) -> PValue:
    if not a or not b:
        return PValue(1.0, "rank-sum", exact=True)
    doubled = nulls.doubled_ranks(b + a)
    observed = sum(doubled[: len(b)])
    if len(doubled) > nulls.EXACT_RANK_SUM:
        normal = nulls.normal_will_do(doubled, len(b))
        approximate = nulls.rank_sum_normal if normal else nulls.rank_sum_monte_carlo
        return PValue(approximate(doubled, len(b), observed), "rank-sum", exact=False)
    null = nulls.rank_sum_null(tuple(sorted(doubled)), len(b))
    return PValue(null.two_sided(observed), "rank-sum", exact=True)


def _signed_rank(pairs: Sequence[tuple[float, float]]) -> PValue:
    from apps.analysis.compare.stats.effect import log_ratio

    moved = [ratio for a, b in pairs if (ratio := log_ratio(a, b)) != 0]
    if not moved:
        return PValue(1.0, "signed-rank", exact=True)
    doubled = nulls.doubled_ranks([abs(ratio) for ratio in moved])
    observed = sum(rank for rank, ratio in zip(doubled, moved, strict=True) if ratio > 0)
    if len(doubled) > nulls.EXACT_SIGNED_RANK:
        p = nulls.signed_rank_monte_carlo(doubled, observed)
        return PValue(p, "signed-rank", exact=False)
    null = nulls.signed_rank_null(tuple(sorted(doubled)))
    return PValue(null.two_sided(observed), "signed-rank", exact=True)
