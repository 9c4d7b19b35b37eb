"""Repeats without missing values, and pairs of repeats by block."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Values = Sequence[float | None] | Floats
"""Repeats of one metric; None or NaN for a missing value."""
Labels = Sequence[Hashable] | npt.NDArray[np.int64]
Blocks = tuple[Labels, Labels]
"""Block labels of both levels: `a[i]` was measured in block `blocks[0][i]`."""


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


def paired_values(a: Values, b: Values, blocks: Blocks | None) -> tuple[Floats, Floats] | None:
    """Return both levels' values in one order of blocks; None if a block lacks a finite value.

    Dropping only the incomplete block would select what succeeded: failing under one tuning is
    not a random loss.
    """
    if blocks is None:
        return None
    side_a, side_b = _by_block(a, blocks[0]), _by_block(b, blocks[1])
    if side_a is None or side_b is None or not side_a or side_a.keys() != side_b.keys():
        return None
    return np.array(list(side_a.values())), np.array([side_b[block] for block in side_a])


def _by_block(values: Values, labels: Labels) -> dict[Hashable, float] | None:
    if len(values) != len(labels):
        raise ValueError("one block label is needed for each value")
    usable = clean(values)
    names = labels.tolist() if isinstance(labels, np.ndarray) else labels
    by_label = dict(zip(names, usable.tolist(), strict=False))
    return by_label if len(usable) == len(values) == len(by_label) else None
