"""Limits of blocks that a run adds until every comparison is precise enough."""

from __future__ import annotations

import msgspec

from apps.plans.schemas.factors import TUNING, factor_words

LEAST_WITHIN, MOST_WITHIN = 0.5, 50.0
MOST_BLOCKS = 100
USUAL_WITHIN, USUAL_BLOCKS = 3.0, 20
MOST_HOURS = 1_000.0


class PrecisionLimits(msgspec.Struct, frozen=True):
    """The run adds blocks until every interval is within `precision_percent` of its ratio.

    It stops at `max_blocks` or after `max_hours` of tests. `factor`: the property whose levels are
    compared.
    """

    precision_percent: float
    max_blocks: int
    max_hours: float | None = None
    factor: str = TUNING

    @property
    def between(self) -> str:
        """Return the compared levels as text: "tunings", "values of iodepth"."""
        return factor_words(self.factor)


def until_of(
    within: float | None, blocks: int | None, hours: float | None, factor: str = ""
) -> PrecisionLimits | None:
    """Return the limits, or None without a width."""
    if within is None:
        return None
    return PrecisionLimits(
        within, USUAL_BLOCKS if blocks is None else blocks, hours, factor or TUNING
    )
