"""By how much: the ratio of b to a, and the interval of ratios the data cannot rule out."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analysis.compare.stats import batch
from apps.analysis.compare.stats.designs import Design
from apps.analysis.compare.stats.family import ALPHA
from apps.analysis.compare.stats.samples import Blocks, Values, clean, paired_values


@dataclass(frozen=True, slots=True)
class Effect:
    """`ratio` is b over a; `low` to `high` its exact interval (closed).

    `ratio` is None when a side has no value or the ratio is not finite (a measured zero, b did
    not). `low` is None when there are too few values for an interval or it is not finite; the
    same for `high`. `excludes_one`: the interval exists and 1 is outside, which also holds for an
    infinite ratio.
    """

    ratio: float | None
    low: float | None
    high: float | None
    excludes_one: bool = False

    @property
    def width(self) -> float | None:
        """High over low, as a share beyond 1; None where an end is missing."""
        return self.high / self.low - 1 if self.low and self.high else None


def hodges_lehmann_ratio(a: Values, b: Values, blocks: Blocks | None = None) -> Effect:
    """The effect of b over a as a ratio (Hodges and Lehmann 1963, on logarithms), with an exact
    95 % interval.

    Unpaired: median of all n_a * n_b log ratios; the interval leaves out as many of them at each
    end as Mann and Whitney's U allows. With `blocks` of one value a side: median of the Walsh
    averages of the blocks' log ratios; the interval is the inverted signed-rank test. Two zeros are
    equal; one zero makes a ratio infinite. Units cancel: any unit, the same on both sides.
    """
    pairs = paired_values(a, b, blocks)
    x, y = pairs if pairs is not None else (clean(a), clean(b))
    design = Design("all", ((len(x), len(y)),), ())
    if pairs is not None:
        design = Design("pairs", ((1, 1),) * len(x), ())
    sides = batch.Sides(batch.logarithms(x)[None, :], batch.logarithms(y)[None, :])
    return effects(batch.effects_at(design, sides, ALPHA))[0]


def effects(found: batch.Effects) -> list[Effect]:
    """The effects of a batch, one by one."""
    columns = [
        [None if value != value else value for value in column.tolist()]
        for column in (found.ratio, found.low, found.high)
    ]
    return list(map(Effect, *columns, found.excludes_one.tolist()))
