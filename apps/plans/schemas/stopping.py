"""Limits of blocks that a run adds until every comparison is precise enough."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from apps.plans.schemas.factors import MAX_LETTERS, TUNING, factor_words
from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

MIN_WITHIN, MAX_WITHIN = 0.5, 50.0
MAX_BLOCKS = 100
USUAL_WITHIN, USUAL_BLOCKS = 3.0, 20
MAX_HOURS = 1_000.0
Hours = Annotated[float, Meta(ge=0.01, le=MAX_HOURS)]

PRECISION = Field(
    "number",
    _("Until all confidence intervals are within (± %)"),
    _(
        "Blocks are added until every comparison is known that well, or a limit is reached. "
        "Empty: the repeats above and no more. 3 is usual."
    ),
    optional=True,
)
FACTOR = Field(
    "choice",
    _("Compare levels of"),
    _(
        "What is compared: the tunings, the targets, the hosts, or the values of a parameter "
        "that a step lists. Blocks have them in random order."
    ),
    example="param:iodepth",
    optional=True,
)
BLOCKS = Field(
    "int", _("At most so many blocks"), _("With the first ones. Empty: 20."), optional=True
)
HOURS = Field(
    "number",
    _("At most so many hours"),
    _(
        "No block is added that would end later, also of a search for the largest load. Empty: "
        "no limit of time."
    ),
    optional=True,
)


class PrecisionLimits(msgspec.Struct, frozen=True):
    """The run adds blocks until every interval is within `precision_percent` of its ratio.

    It stops at `max_blocks` or after `max_hours` of tests. `factor`: the property whose levels are
    compared.
    """

    precision_percent: Annotated[float, Meta(ge=MIN_WITHIN, le=MAX_WITHIN), PRECISION]
    factor: Annotated[str, Meta(max_length=MAX_LETTERS), FACTOR] = TUNING
    max_blocks: Annotated[int, Meta(ge=1, le=MAX_BLOCKS), BLOCKS] = USUAL_BLOCKS
    max_hours: Annotated[Hours | None, HOURS] = None

    @property
    def between(self) -> str:
        """Return the compared levels as text: "tunings", "values of iodepth"."""
        return factor_words(self.factor)


def precision_limits(
    within: float | None, blocks: int | None, hours: float | None, factor: str = ""
) -> PrecisionLimits | None:
    """Return the limits, or None without a width."""
    if within is None:
        return None
    return PrecisionLimits(
        precision_percent=within,
        factor=factor or TUNING,
        max_blocks=USUAL_BLOCKS if blocks is None else blocks,
        max_hours=hours,
    )
