"""Rounds until steady state, stored with a plan and with each run's copy."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

MIN_ROUNDS = 5
Metric = Literal["iops", "bandwidth", "latency_mean"]

ROUNDS = Field(
    "int",
    _("At most so many rounds"),
    _("0: no rounds, but repeats. The specification has 25."),
    optional=True,
)
STEP = Field("int", _("Number of the step that is tracked"), optional=True)
METRIC = Field(
    "choice",
    _("Figure that is tracked"),
    choices=get_args(Metric),
    labels=(_("IOPS"), _("bandwidth"), _("mean latency")),
    optional=True,
)


class SteadyStateRule(msgspec.Struct, frozen=True):
    """Rounds of all tests until `metric` of step `step` (counted from 1) is steady.

    At most `max_rounds` rounds; 0: the plan has no rounds.
    """

    max_rounds: Annotated[int, Meta(ge=0, le=100), ROUNDS] = 0
    step: Annotated[int, Meta(ge=1, le=1000), STEP] = 1
    metric: Annotated[Metric, METRIC] = "iops"

    def __bool__(self) -> bool:
        return self.max_rounds > 0


NO_ROUNDS = SteadyStateRule()
