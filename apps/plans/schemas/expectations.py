"""Expectations of a step, as they are stored with the step and with the copy of a plan."""

from __future__ import annotations

from typing import Literal

import msgspec

Direction = Literal["least", "most"]
Source = Literal["own", "provider", "model"]


class Expectation(msgspec.Struct, frozen=True):
    """One expected figure: the metric is at least, or at most, `value` in its canonical unit
    (`unit` is the one that people wrote it in). `tolerance` in percent of the value. `operation`
    is empty for each that the step measures. `source`: who says so.

    `value` None: what the disk under test is expected to do by its own page, looked up at the
    launch; there is one only of a provider's promise and of the disk model.
    """

    metric: str
    direction: Direction = "least"
    value: float | None = None
    unit: str = ""
    tolerance: float = 0.0
    source: Source = "own"
    operation: str = ""


Expectations = tuple[Expectation, ...]
