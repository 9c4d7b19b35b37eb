"""Completeness of an output: that of its worst result."""

from __future__ import annotations

from collections.abc import Iterable

from apps.tools.parse_result import Completeness, Measurement

_ORDER: tuple[Completeness, ...] = ("partial", "unknown", "whole")


def worst(measurements: Iterable[Measurement]) -> Completeness:
    """Return the worst state of the results; a result without a state is whole."""
    states = {each.completeness or "whole" for each in measurements}
    return next((state for state in _ORDER if state in states), "whole")
