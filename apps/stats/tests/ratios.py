"""One comparison by its rank test's interval."""

from __future__ import annotations

from apps.stats.designs import Design
from apps.stats.effect import Effect, effects
from apps.stats.intervals import effects_at
from apps.stats.multiplicity import ALPHA
from apps.stats.samples import Values, clean
from apps.stats.sides import Sides, logarithms


def ratio(a: Values, b: Values, *, in_pairs: bool = False) -> Effect:
    """Return the ratio of b to a (Hodges and Lehmann 1963, on logarithms) with its interval.

    `in_pairs`: repeats of one index are a block.
    """
    x, y = clean(a), clean(b)
    design = Design("all", ((len(x), len(y)),), ())
    if in_pairs:
        design = Design("pairs", ((1, 1),) * len(x), ())
    sides = Sides(logarithms(x)[None, :], logarithms(y)[None, :])
    return effects(effects_at(design, sides, ALPHA))[0]
