"""Sizes of random blocks in an interleaved run.

A block has each workload under each tuning profile several times, in random order. Comparisons
permute the profiles inside a block: two profiles with 3 repeats each have 20 orders, with 1 each
only 2. Drift between blocks has no effect. Drift inside a block is small, because the repeats of a
workload are adjacent.

If a profile restarts daemons, a block has each workload under each profile once, and all workloads
of a profile together, so that they share the restarts.
"""

from __future__ import annotations

from apps.stats.repeats import MIN_REPEATS

FEW_TESTS = 4
MAX_BLOCK_REPEATS_FEW_TESTS, MAX_BLOCK_REPEATS = 2, 4
"""Repeats of a profile in one block. A block of few tests is a large part of the run if long."""


def block_sizes(
    repeats: int, tests: int, tunings: int, *, shares_restarts: bool = False
) -> list[int]:
    """Return the repeats of each tuning profile in each block, as equal as possible.

    With one profile each repeat is a block, so that other factors are measured side by side. Fewer
    repeats than MIN_REPEATS are blocks of one each: they allow no verdict. `shares_restarts`: the
    tests of a profile stand together, so that only whole profiles are in random order.
    """
    if tunings < 2 or repeats < MIN_REPEATS or shares_restarts:
        return [1] * repeats
    limit = MAX_BLOCK_REPEATS_FEW_TESTS if tests < FEW_TESTS else MAX_BLOCK_REPEATS
    number = max(2, repeats // limit)
    less, more = divmod(repeats, number)
    return [less + 1] * more + [less] * (number - more)
