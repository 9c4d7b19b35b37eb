"""Blocks of the repeats of an interleaved run.

A block has each test under each tuning several times, in random order: exchanging the tunings
inside it is what a comparison tests with, and of two tunings with 3 repeats each there are 20
orders, with 1 each only 2. Drift between blocks then counts for nothing; drift inside them is
small, as the repeats of one test stand next to each other.
"""

from __future__ import annotations

LEAST_IN_BLOCKS = 4
"""Fewer repeats than these are blocks of one each: they show nothing anyway."""
SMALL, LARGE = 2, 4
"""Repeats of a tuning in one block, at most: of few tests, whose block is a large part of the run,
and of more.
"""
FEW_TESTS = 4


def block_sizes(repeats: int, tests: int, tunings: int) -> list[int]:
    """Repeats of each tuning in each block, as equal as can be. With one tuning there is nothing
    to exchange: each repeat is a block, so that other factors are measured side by side.
    """
    if tunings < 2 or repeats < LEAST_IN_BLOCKS:
        return [1] * repeats
    most = SMALL if tests < FEW_TESTS else LARGE
    number = max(2, repeats // most)
    less, more = divmod(repeats, number)
    return [less + 1] * more + [less] * (number - more)
