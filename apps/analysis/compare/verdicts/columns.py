"""Chains of comparisons in columns: what is asked of them, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from apps.analysis.compare.stats import ALPHA, Effect
from apps.analysis.compare.stats.batch import Effects, Sides
from apps.analysis.compare.stats.designs import Design
from apps.analysis.compare.stats.nulls import Flags, Floats, Ints
from apps.analysis.compare.verdicts.verdict import CONCLUSIONS, Verdict

Codes = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Batch:
    """Comparisons of one design and one layout of blocks, one of each of these chains (`places`).
    `counts`: values of both sides; `minimum`: the share below which nobody cares; `load`: values of
    the comparisons at these places of the batch.
    """

    places: Ints
    design: Design
    counts: tuple[int, int]
    higher_is_better: Flags
    minimum: Floats
    load: Callable[[Ints], Sides]

    @cached_property
    def sides(self) -> Sides:
        """The values of all of them."""
        return self.load(np.arange(len(self.places)))

    def of(self, chains: Flags) -> Batch:
        """Those of these chains alone."""
        rows = np.flatnonzero(chains[self.places])
        if len(rows) == len(self.places):
            return self
        return Batch(
            self.places[rows], self.design, self.counts, self.higher_is_better[rows],
            self.minimum[rows], lambda some: self.load(rows[some]),
        )  # fmt: skip


class Chains(Protocol):
    """Chains of comparisons: the numbers of comparisons of each, and whether nothing but the factor
    differs in it.
    """

    lengths: Ints
    comparable: Flags

    def batches(self, places: Ints, at: int, cells: int) -> list[Batch]:
        """The comparison at this place of each of these chains, as it is designed among so many."""

    def factors(self, chain: int) -> tuple[str, ...]:
        """Labels of what differs as well in this chain."""


@dataclass(frozen=True)
class JudgedChains:
    """A row is a chain, a column a place in it. `said`: whether there is a verdict; `code`: the
    place of its kind and sentence in CONCLUSIONS; `test`: the batch with which it was tested. p is
    NaN where no test was made, and figures that there are not are NaN. `parts`: among how many
    the permitted error was divided, by chain.
    """

    chains: Chains
    said: Flags
    code: Codes
    test: Ints
    p: Floats
    adjusted: Floats
    ratio: Floats
    low: Floats
    high: Floats
    excludes_one: Flags
    minimum: Floats
    parts: Ints
    batches: list[Batch] = field(default_factory=list)

    @staticmethod
    def empty(chains: Chains) -> JudgedChains:
        """Nothing is said yet."""
        shape = len(chains.lengths), int(chains.lengths.max(initial=0))
        p, adjusted, ratio, low, high, minimum = (np.full(shape, np.nan) for _column in range(6))
        return JudgedChains(
            chains, np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.int8),
            np.zeros(shape, dtype=np.int64), p, adjusted, ratio, low, high,
            np.zeros(shape, dtype=np.bool_), minimum, np.ones(shape[0], dtype=np.int64),
        )  # fmt: skip

    def add(self, one: Batch, at: int) -> None:
        """Comparisons at this place of their chains belong to this batch."""
        self.test[one.places, at] = len(self.batches)
        self.minimum[one.places, at] = one.minimum
        self.batches.append(one)

    def set_effects(self, places: Ints, at: int, found: Effects) -> None:
        self.ratio[places, at], self.low[places, at] = found.ratio, found.low
        self.high[places, at], self.excludes_one[places, at] = found.high, found.excludes_one

    def verdict(self, chain: int, at: int) -> Verdict | None:
        """One verdict as an object; None where nothing was said."""
        if not self.said[chain, at]:
            return None
        kind, code = CONCLUSIONS[self.code[chain, at]]
        one, cells = self.batches[self.test[chain, at]], int(self.parts[chain])
        (n_a, n_b), test = one.counts, one.design.test
        effect, p = self._effect(chain, at), _known(self.p[chain, at])
        if p is None:
            factors = self.chains.factors(chain)
            return Verdict(
                kind, code, effect, None, None, n_a, n_b, cells, test, factors=factors
            )  # fmt: skip
        return Verdict(
            kind, code, effect, p, float(self.adjusted[chain, at]), n_a, n_b, cells, test,
            one.design.null.exact, ALPHA / cells, float(self.minimum[chain, at]) * 100,
            design=one.design,
        )  # fmt: skip

    def _effect(self, chain: int, at: int) -> Effect:
        ratio, low, high = (_known(c[chain, at]) for c in (self.ratio, self.low, self.high))
        return Effect(ratio, low, high, bool(self.excludes_one[chain, at]))


def _known(value: float) -> float | None:
    return None if value != value else float(value)
