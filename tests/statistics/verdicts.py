"""Simulation of verdicts on made-up pages with a known truth: how often they are wrong, and how
often they see a real difference (`bin/bench stats`).

Pages are made as a run makes them: blocks of `apps.plans.domain.blocks`, tunings in random order
inside them, one workload after the other; drift goes over the whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
import numpy.typing as npt

from apps.analysis.verdicts.batches import Blocks, ChainCell
from apps.analysis.verdicts.chains import evaluate_chains
from apps.analysis.verdicts.verdict import Verdict
from apps.common.domain.verdicts import DIFFERENCE_SHOWN
from apps.plans.domain.blocks import block_sizes
from apps.stats.alpha_spending import FIRST_LOOK_SHARE, Looks
from apps.stats.power import repeats_needed
from tests.statistics.disturbed import NONE, Disturbance

Floats = npt.NDArray[np.float64]
Said = list[list[Verdict | None]]
Noise = Callable[[np.random.Generator, int], Floats]


def _two_modes(rng: np.random.Generator, size: int) -> Floats:
    return rng.normal(0, 0.3, size) + 4.0 * (rng.random(size) < 0.3)


NOISE: dict[str, Noise] = {
    "normal": lambda rng, size: rng.normal(0, 1, size),
    "heavy tails": lambda rng, size: rng.standard_t(2, size),
    "skewed": lambda rng, size: rng.exponential(1, size),
    "two modes": _two_modes,
    "coarse steps": lambda rng, size: np.round(rng.normal(0, 1, size)),
}
"""Noise of the logarithm, in units of the scenario's `sd`."""
DRIFTS: dict[str, Callable[[Floats], Floats]] = {
    "line": lambda at: at,
    "warming up": lambda at: 1 - np.exp(-5 * at),
    "step": lambda at: (at > 0.37).astype(np.float64),
}
"""Courses of drift: its share at 0 (the run's start) to 1."""


@dataclass(frozen=True)
class SimulatedPage:
    """The truth of a made-up page: `metrics` of each of `workloads`, which share half of their
    noise; `effect`, ratio of b over a, of the first `changed` workloads (all if None); `sd` of the
    logarithms; `drift`, ratio of the run's end over its start, along `course`; `disturbed` beyond
    that.
    """

    workloads: int = 24
    metrics: int = 5
    repeats: int = 6
    effect: float = 1.0
    changed: int | None = None
    sd: float = 0.02
    noise: str = "normal"
    drift: float = 1.0
    course: str = "line"
    disturbed: Disturbance = NONE

    def make(
        self, rng: np.random.Generator, sizes: Sequence[int] | None = None
    ) -> list[list[ChainCell]]:
        """A chain of comparisons for each workload, in blocks of these sizes."""
        sizes = sizes or block_sizes(self.repeats, self.workloads, 2)
        return [self._chain(rng, sizes, place) for place in range(self.workloads)]

    def _chain(self, rng: np.random.Generator, sizes: Sequence[int], place: int) -> list[ChainCell]:
        blocks = np.repeat(np.arange(1, len(sizes) + 1), [2 * size for size in sizes])
        second = np.concatenate([
            rng.permutation(np.repeat([False, True], size)) for size in sizes
        ])  # fmt: skip
        times = np.concatenate([
            2 * self.workloads * sum(sizes[:number]) + 2 * size * place + np.arange(2 * size)
            for number, size in enumerate(sizes)
        ]).astype(np.float64)  # fmt: skip
        trend = np.log(self.drift) * DRIFTS[self.course](times / (2 * self.workloads * sum(sizes)))
        shared = NOISE[self.noise](rng, len(times))
        gain = np.log(self.effect) * (self.changed is None or place < self.changed)
        both = Blocks(
            blocks[~second], blocks[second], times[~second], times[second],
            ((len(sizes), FIRST_LOOK_SHARE),),
        )  # fmt: skip
        cells = []
        for number in range(self.metrics):
            own = NOISE[self.noise](rng, len(times)) if number else shared
            noise = (shared + own) / 2 * (1 if not number else sqrt(2))
            noise = self.sd * self.disturbed.applied(rng, noise, second, blocks)
            values = np.exp(noise + trend + gain * second)
            cells.append(ChainCell(values[~second], values[second], True, blocks=both))
        return cells

    @property
    def real(self) -> int:
        """Number of workloads that differ in truth."""
        return self.workloads if self.changed is None else self.changed


@dataclass(frozen=True)
class Extended:
    """A page that is looked at, and again after every one of `additions`, each of so many more
    repeats.
    """

    page: SimulatedPage
    additions: tuple[int, ...] = (6, 6, 6)

    def looks(self, rng: np.random.Generator) -> Iterator[Said]:
        """Verdicts at each look, the planned end first."""
        sizes = [
            block_sizes(n, self.page.workloads, 2) for n in (self.page.repeats, *self.additions)
        ]
        ends = np.cumsum([len(part) for part in sizes]).tolist()
        shares = [1 - (1 - FIRST_LOOK_SHARE) / 2**number for number in range(len(ends))]
        whole = self.page.make(rng, [size for part in sizes for size in part])
        for number, end in enumerate(ends):
            looks = tuple(zip(ends[: number + 1], shares, strict=False))
            yield evaluate_chains(
                [[until_block(cell, end, looks) for cell in chain] for chain in whole]
            )


def until_block(cell: ChainCell, end: int, looks: Looks) -> ChainCell:
    """A comparison with the blocks up to this one."""
    blocks = cell.blocks
    assert blocks is not None, "pages are made in blocks"
    a, b = blocks.a <= end, blocks.b <= end
    assert blocks.times_a is not None
    assert blocks.times_b is not None
    kept = Blocks(blocks.a[a], blocks.b[b], blocks.times_a[a], blocks.times_b[b], looks)
    return ChainCell(np.asarray(cell.a)[a], np.asarray(cell.b)[b], True, blocks=kept)


def wrong_at_any_look(extended: Extended, count: int, seed: int = 1) -> Rate:
    """Pages of equal workloads of which any look says "better" or "worse"."""
    rng = np.random.default_rng(seed)
    alarms = [
        any(decided(one) for said in extended.looks(rng) for chain in said for one in chain)
        for _number in range(count)
    ]
    return Rate(sum(alarms), count)


def pages(page: SimulatedPage, count: int, seed: int = 1) -> Iterator[Said]:
    """Verdicts of `count` such pages; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    for _number in range(count):
        yield evaluate_chains(page.make(rng))


def decided(said: Verdict | None) -> bool:
    return said is not None and said.kind in DIFFERENCE_SHOWN


@dataclass(frozen=True)
class Rate:
    """A share of `of` tries."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        return self.hits / self.of

    @property
    def error(self) -> float:
        """Its binomial standard error."""
        return sqrt(max(self.share * (1 - self.share), 1 / self.of) / self.of)

    def __str__(self) -> str:
        return f"{self.share:6.1%} ± {self.error:.1%}"


def wrong(page: SimulatedPage, count: int, seed: int = 1) -> Rate:
    """Pages with a "better" or "worse" of a workload that does not differ."""
    alarms = [
        any(decided(one) for chain in said[page.real :] for one in chain)
        if page.effect != 1.0
        else any(decided(one) for chain in said for one in chain)
        for said in pages(page, count, seed)
    ]
    return Rate(sum(alarms), count)


def found(page: SimulatedPage, count: int, seed: int = 1) -> Rate:
    """Workloads that differ and whose main metric says so."""
    hits = [decided(chain[0]) for said in pages(page, count, seed) for chain in said[: page.real]]
    return Rate(sum(hits), len(hits))


def contradictions(page: SimulatedPage, count: int, seed: int = 1) -> int:
    """Intervals that leave out 1 beside "no difference shown", or hold it beside a difference."""
    tested = [
        one for said in pages(page, count, seed) for chain in said for one in chain
        if one is not None and one.p is not None
    ]  # fmt: skip
    return sum(one.effect.excludes_one != decided(one) for one in tested)


def coverage(page: SimulatedPage, count: int, seed: int = 1) -> Rate:
    """Intervals beside a verdict on a main metric that hold the true ratio."""
    held = []
    for said in pages(page, count, seed):
        for place, chain in enumerate(said):
            truth = page.effect if place < page.real else 1.0
            one = chain[0]
            if one is not None and one.p is not None and one.effect.low and one.effect.high:
                held.append(one.effect.low <= truth <= one.effect.high)
    return Rate(sum(held), len(held))


def advised(workloads: int, effect: float = 0.05, noise: float = 0.02) -> int:
    """Repeats that a plan of so many workloads and two tunings is advised."""
    needed = repeats_needed(
        effect, noise, workloads, partial(block_sizes, tests=workloads, tunings=2)
    )
    assert needed is not None, "a noise of 2 % takes no thousand repeats"
    return needed
