"""Runs that go on until they are decided, on made-up pages with a known truth."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from apps.analysis.verdicts.batches import ChainCell
from apps.analysis.verdicts.chains import evaluate_chains
from apps.analysis.verdicts.verdict import Verdict
from apps.plans.domain.blocks import block_sizes
from apps.stats.alpha_spending import FIRST_LOOK_SHARE, alpha_spent
from tests.statistics.verdicts import (
    Rate,
    Said,
    SimulatedPage,
    decided,
    until_block,
)


@dataclass(frozen=True)
class Deciding:
    """A page that begins with its repeats, and gets blocks until every main metric's interval is
    within this share, or there are `limit` blocks. It is looked at after each of them.
    """

    page: SimulatedPage
    within: float = 0.03
    limit: int = 20


@dataclass(frozen=True)
class Decided:
    """`wrong`: experiments of which any look said "better" or "worse" of a workload that does not
    differ; `found`: differing workloads of which the last look said so; `blocks` at the end, the
    mean; `stopped`: experiments that reached the limit.
    """

    wrong: Rate
    found: Rate
    blocks: float
    stopped: Rate


def decide(deciding: Deciding, count: int, seed: int = 1) -> Decided:
    """So many experiments; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    ended = [_decide(deciding, rng) for _number in range(count)]
    page = deciding.page
    real = page.real if page.effect != 1.0 else 0
    hits = [decided(chain[0]) for one in ended for chain in one.said[:real]]
    undecided = sum(not one.decided for one in ended)
    return Decided(
        Rate(sum(one.alarm for one in ended), count),
        Rate(sum(hits), max(1, len(hits))),
        float(np.mean([one.blocks for one in ended])),
        Rate(undecided, count),
    )


@dataclass(frozen=True)
class _End:
    said: Said
    blocks: int
    alarm: bool
    decided: bool


def _decide(deciding: Deciding, rng: np.random.Generator) -> _End:
    page, limit = deciding.page, deciding.limit
    planned = block_sizes(page.repeats, page.workloads, 2)
    whole = page.make(rng, planned + [max(planned)] * (limit - len(planned)))
    equal = page.real if page.effect != 1.0 else 0
    alarm = done = False
    for blocks in range(len(planned), limit + 1):
        said = _look(whole, blocks, limit)
        alarm |= any(decided(one) for chain in said[equal:] for one in chain)
        done = all(_within(chain, deciding.within) for chain in said)
        if done:
            break
    return _End(said, blocks, alarm, done)


def _look(whole: list[list[ChainCell]], blocks: int, limit: int) -> Said:
    looks = tuple(
        (block, FIRST_LOOK_SHARE * alpha_spent(block, limit)) for block in range(1, blocks + 1)
    )
    return evaluate_chains(
        [[until_block(cell, blocks, looks) for cell in chain] for chain in whole]
    )


def _within(chain: list[Verdict | None], within: float) -> bool:
    main = chain[0]
    if main is None or main.p is None or not (main.effect.low and main.effect.high):
        return False
    return sqrt(main.effect.high / main.effect.low) - 1 <= within
