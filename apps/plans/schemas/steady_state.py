"""Rounds until a device is steady, as they are stored with a plan and its copy in each run."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from apps.common.stored.contracts import Contract

LEAST_ROUNDS, MOST_ROUNDS = 5, 100
Metric = Literal["iops", "bandwidth", "latency_mean"]


class SteadyStateRule(msgspec.Struct, frozen=True):
    """Every test is done once a round, until `metric` of the tests of `step` (counted from 1) is
    steady over a window of rounds, in `max_rounds` rounds at most. 0: the plan has no rounds.
    """

    max_rounds: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] = 0
    step: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    metric: Metric = "iops"

    def __bool__(self) -> bool:
        return self.max_rounds > 0


NO_ROUNDS = SteadyStateRule()
STORED: Contract[SteadyStateRule] = Contract(SteadyStateRule)
