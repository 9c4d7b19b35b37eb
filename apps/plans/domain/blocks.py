"""Sizes of random blocks in an interleaved run.

A block has each workload under each tuning profile several times, in random order. Comparisons
permute the profiles inside a block: two profiles with 3 repeats each have 20 orders, with 1 each
only 2. Drift between blocks has no effect. Drift inside a block is small, because the repeats of a
workload are adjacent.
"""

from __future__ import annotations

MIN_IN_BLOCKS = 4
"""Fewer repeats than these are blocks of one each: they show nothing anyway."""
SMALL, LARGE = 2, 4
"""Repeats of a tuning in one block, at most: of few tests, whose block is a large part of the run,
and of more.
"""
FEW_TESTS = 4


def block_sizes(repeats: int, tests: int, tunings: int) -> list[int]:
    """Return the repeats of each tuning profile in each block, as equal as possible.

    With one profile each repeat is a block, so that other factors are measured side by side.
    """
    if tunings < 2 or repeats < MIN_IN_BLOCKS:
        return [1] * repeats
    most = SMALL if tests < FEW_TESTS else LARGE
    number = max(2, repeats // most)
    less, more = divmod(repeats, number)
    return [less + 1] * more + [less] * (number - more)
