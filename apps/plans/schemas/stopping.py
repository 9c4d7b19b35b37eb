"""Limits of blocks that a run adds until every comparison is precise enough."""

from __future__ import annotations

import msgspec

from apps.plans.schemas.factors import TUNING, factor_words

LEAST_WITHIN, MOST_WITHIN = 0.5, 50.0
MOST_BLOCKS = 100
USUAL_WITHIN, USUAL_BLOCKS = 3.0, 20
MOST_HOURS = 1_000.0


class PrecisionLimits(msgspec.Struct, frozen=True):
    """Blocks are added until every interval is within `within` percent of its ratio, or there are
    `blocks` of them, or the tests have taken `hours`. `factor`: between whose levels is decided
    (exchange.py).
    """

    within: float
    blocks: int
    hours: float | None = None
    factor: str = TUNING

    @property
    def between(self) -> str:
        """Between what it decides, in words."""
        return factor_words(self.factor)


def until_of(
    within: float | None, blocks: int | None, hours: float | None, factor: str = ""
) -> PrecisionLimits | None:
    """None where nobody asked for it."""
    if within is None:
        return None
    return PrecisionLimits(
        within, USUAL_BLOCKS if blocks is None else blocks, hours, factor or TUNING
    )
