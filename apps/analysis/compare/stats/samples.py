"""Repeats as they come from the archive, made fit for arithmetic."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

Values = Sequence[float | None]
Blocks = tuple[Sequence[Hashable], Sequence[Hashable]]
"""Block labels of both sides, one a value: `blocks[0][i]` is the block in which `a[i]` was
measured.
"""


def clean(values: Values) -> list[float]:
    """The finite values, in their order. A repeat without a value (None, NaN, infinite) does not
    count as one.

    Raises ValueError for a negative value: every metric compared here is a rate, a size or a
    time.
    """
    kept = [float(value) for value in values if value is not None and math.isfinite(value)]
    if kept and min(kept) < 0:
        raise ValueError("a ratio needs values of zero or more")
    return kept


def paired_values(a: Values, b: Values, blocks: Blocks | None) -> list[tuple[float, float]] | None:
    """(a, b) of each block, if every block holds exactly one finite value of each side; else
    None.

    A block that lost one of its values makes all of them unpaired: dropping only that block would
    keep what succeeded, and a run that fails under one tuning is not a random loss.
    """
    if blocks is None:
        return None
    side_a, side_b = _by_block(a, blocks[0]), _by_block(b, blocks[1])
    if side_a is None or side_b is None or not side_a or side_a.keys() != side_b.keys():
        return None
    return [(side_a[block], side_b[block]) for block in side_a]


def _by_block(values: Values, labels: Sequence[Hashable]) -> dict[Hashable, float] | None:
    if len(values) != len(labels):
        raise ValueError("one block label is needed for each value")
    usable = clean(values)
    by_label = dict(zip(labels, usable, strict=False))
    return by_label if len(usable) == len(values) == len(by_label) else None
