"""Effects: ratio of level b to level a, with its exact confidence interval."""

from __future__ import annotations

from dataclasses import dataclass

from apps.stats import intervals
from apps.stats.designs import Design
from apps.stats.multiplicity import ALPHA
from apps.stats.samples import Blocks, Values, clean, paired_values
from apps.stats.sides import Sides, logarithms


@dataclass(frozen=True, slots=True)
class Effect:
    """Ratio of b to a with its exact, closed interval.

    `ratio` is None if a level has no value or the ratio is infinite (a is zero, b is not). `low`
    and `high` are None if there are too few values or the end is infinite. `excludes_one` is True
    if the interval exists and 1 is outside, also for an infinite ratio.
    """

    ratio: float | None
    low: float | None
    high: float | None
    excludes_one: bool = False

    @property
    def width(self) -> float | None:
        """Return high over low minus 1; None if an end is missing."""
        return self.high / self.low - 1 if self.low and self.high else None


def hodges_lehmann_ratio(a: Values, b: Values, blocks: Blocks | None = None) -> Effect:
    """Return the ratio of b to a (Hodges and Lehmann 1963, on logarithms) with a 95 % interval.

    Unpaired: median of all n_a * n_b log ratios; the interval inverts Mann and Whitney's U test.
    With `blocks` of one value for each level: median of the Walsh averages of the blocks' log
    ratios; the interval inverts the signed-rank test. Two zeros are equal; one zero makes the ratio
    infinite. Both levels have the same unit.
    """
    pairs = paired_values(a, b, blocks)
    x, y = pairs if pairs is not None else (clean(a), clean(b))
    design = Design("all", ((len(x), len(y)),), ())
    if pairs is not None:
        design = Design("pairs", ((1, 1),) * len(x), ())
    sides = Sides(logarithms(x)[None, :], logarithms(y)[None, :])
    return effects(intervals.effects_at(design, sides, ALPHA))[0]


def effects(rows: intervals.Effects) -> list[Effect]:
    """Return the effects of a batch as a list."""
    columns = [
        [None if value != value else value for value in column.tolist()]
        for column in (rows.ratio, rows.low, rows.high)
    ]
    return list(map(Effect, *columns, rows.excludes_one.tolist()))
