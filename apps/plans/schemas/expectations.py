"""Expectations of a step, stored with the step and with each run's copy."""

from __future__ import annotations

from typing import Literal

import msgspec

Direction = Literal["least", "most"]
Source = Literal["own", "provider", "model"]


class Expectation(msgspec.Struct, frozen=True):
    """One expected figure: at least or at most `value`, in the metric's canonical unit.

    `unit`: the unit it was entered in. `tolerance`: percent of the value. `operation`: empty for
    each that the step measures. `source`: where the value comes from. `value` None: the figure of
    the disk's specification, read at launch; only for an SLA and for the disk model.
    """

    metric: str
    direction: Direction = "least"
    value: float | None = None
    unit: str = ""
    tolerance: float = 0.0
    source: Source = "own"
    operation: str = ""


Expectations = tuple[Expectation, ...]
