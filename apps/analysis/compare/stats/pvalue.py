"""How often chance alone would part two sets of repeats at least this far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apps.analysis.compare.stats import batch
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
        p, exact = batch.signed_rank(batch.block_ratios(pairs[0][None, :], pairs[1][None, :]))
        return PValue(float(p[0]), "signed-rank", bool(exact[0]))
    p, exact = batch.rank_sum(clean(a)[None, :], clean(b)[None, :])
    return PValue(float(p[0]), "rank-sum", bool(exact[0]))
