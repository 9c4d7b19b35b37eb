"""Meaning of the maximum of a rate over the windows of a test."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.domain.units import share

MIN_BURST_RATIO = 1.5
"""Ratio of maximum to mean of the windows from which the maximum is a burst."""


def burst_meaning(maximum: float | None, mean: float | None, stddev: float | None) -> str:
    """Return what a maximum over windows means; empty unless it is a burst."""
    if not maximum or not mean or mean < 0 or maximum / mean < MIN_BURST_RATIO:
        return ""
    values = {"ratio": f"{maximum / mean:.2g}", "deviation": share((stddev or 0.0) / mean)}
    if stddev is None:
        text = _("{ratio} times the mean of the windows: a burst, not what the target sustains.")
    else:
        text = _(
            "{ratio} times the mean of the windows, whose deviation is {deviation} of the mean: a "
            "burst, not what the target sustains."
        )
    return text.format(**values)
