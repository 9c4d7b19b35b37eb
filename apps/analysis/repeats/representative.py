"""The repeat and the case nearest to a median."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from apps.results.models import Figure


def nearest(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> int:
    """The place of the value next to the median; the first where there is none."""
    known = np.isfinite(values)
    if not known.any():
        return 0
    return int(np.nanargmin(np.abs(values - np.median(values[known]))))


def cases_of(measurements: Iterable[int]) -> dict[int, int]:
    """The cases of these measurements."""
    rows = Figure.objects.filter(measurement__in=list(measurements)).order_by()
    return dict(rows.values_list("measurement_id", "case_id"))
