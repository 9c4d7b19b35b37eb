"""Repeats as they come from the archive, made fit for arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Values = Sequence[float | None] | Floats
"""Repeats of one metric; None or NaN where one has no value."""
Labels = Sequence[Hashable] | npt.NDArray[np.int64]
Blocks = tuple[Labels, Labels]
"""Block labels of both sides, one a value: `blocks[0][i]` is the block in which `a[i]` was
measured.
"""


def clean(values: Values) -> Floats:
    """The finite values, in their order. A repeat without a value (None, NaN, infinite) does not
    count as one.

    Raises ValueError for a negative value: every metric compared here is a rate, a size or a
    time.
    """
    found = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(found)
    kept = found if finite.all() else found[finite]
    if len(kept) and kept.min() < 0:
        raise ValueError("a ratio needs values of zero or more")
    return kept


def paired_values(a: Values, b: Values, blocks: Blocks | None) -> tuple[Floats, Floats] | None:
    """Both sides' values in one order of blocks, if every block holds exactly one finite value of
    each side; else None.

    A block that lost one of its values makes all of them unpaired: dropping only that block would
    keep what succeeded, and a run that fails under one tuning is not a random loss.
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
