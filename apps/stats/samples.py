"""Repeats without missing values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.stats.null_distributions import Floats

Values = Sequence[float | None] | Floats
"""Repeats of one metric; None or NaN for a missing value."""


def clean(values: Values) -> Floats:
    """Return the finite values in their order.

    Raises: ValueError for a negative value, as each metric is a rate, a size or a time.
    """
    array = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(array)
    values_present = array if finite.all() else array[finite]
    if len(values_present) and values_present.min() < 0:
        raise ValueError("a ratio needs values of zero or more")
    return values_present
