"""Expectations of imported runs, as users enter them after the import."""

from __future__ import annotations

from dataclasses import dataclass

from apps.plans.schemas.expectations import Expectation


@dataclass(frozen=True)
class TargetExpectation:
    """An expectation of one target of a run by its name; "" for every target."""

    expected: Expectation
    target: str = ""
