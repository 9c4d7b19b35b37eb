"""The completeness of an output: that of the worst of its results."""

from __future__ import annotations

from collections.abc import Iterable

from apps.tools.parse_result import Completeness, Measurement

_ORDER: tuple[Completeness, ...] = ("partial", "unknown", "whole")


def worst(measurements: Iterable[Measurement]) -> Completeness:
    """Return the worst state among the results; one without a state of its own is whole."""
    states = {each.completeness or "whole" for each in measurements}
    return next((state for state in _ORDER if state in states), "whole")
