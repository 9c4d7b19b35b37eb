"""Repeat and case nearest to a median."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from apps.results.models import ResultSummary


def nearest(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> int:
    """Return the index of the value nearest to the median; 0 without values."""
    finite = np.isfinite(values)
    if not finite.any():
        return 0
    return int(np.nanargmin(np.abs(values - np.median(values[finite]))))


def cases_of(measurements: Iterable[int]) -> dict[int, int]:
    """Return the cases of these measurements."""
    rows = ResultSummary.objects.filter(measurement__in=list(measurements)).order_by()
    return dict(rows.values_list("measurement_id", "case_id"))
