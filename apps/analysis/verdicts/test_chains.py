"""Verdicts on many comparisons read at once: chains of them, the main metric first.

Pure: callable with arrays of repeats, whatever view they come from. All chains go one step at a
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.analysis.verdicts.single_test import Batch, Blocks, ChainCell, batches
from apps.analysis.verdicts.verdict import CODES, CONCLUSIONS, Verdict, concluded
from apps.stats import batch
from apps.stats.effect import Effect, effects
from apps.stats.gatekeeping import corrected_p, divide_alpha
from apps.stats.multiplicity import ALPHA, ALPHA_WITH_ROUNDING, is_reachable, reachable
from apps.stats.null_distributions import Flags, Floats, Ints

__all__ = ["Blocks", "ChainCell", "effects_of", "evaluate_chains", "verdict", "verdicts"]

Chains = Sequence[Sequence[ChainCell]]


@dataclass(frozen=True)
class _Tests:
    """A row is a chain, a column a place in it. p and its correction are NaN where no test was
    made; `parts`: among how many the permitted error is divided, by chain; `steps`: the batches
    that were tested, with their places in the chains.
    """

    chains: Chains
    lengths: Ints
    p: Floats
    adjusted: Floats
    parts: Ints
    verdicts: list[list[Verdict | None]]
    steps: list[tuple[int, Batch]] = field(default_factory=list)

    @staticmethod
    def of(chains: Chains) -> _Tests:
        """Nothing is tested yet."""
        lengths = np.array([len(chain) for chain in chains], dtype=np.int64)
        shape = len(chains), int(lengths.max(initial=0))
        verdicts: list[list[Verdict | None]] = [[None] * len(chain) for chain in chains]
        return _Tests(
            chains, lengths, np.full(shape, np.nan), np.full(shape, np.nan),
            np.ones(shape[0], dtype=np.int64), verdicts,
        )  # fmt: skip


def verdicts(cells: Sequence[ChainCell]) -> list[Verdict]:
    """Comparisons of which each is as important as the others: Holm's correction."""
    return [
        found_verdict
        for (found_verdict,) in evaluate_chains([[cell] for cell in cells])
        if found_verdict is not None
    ]


def verdict(cell: ChainCell, cells: int = 1) -> Verdict:
    """One comparison out of `cells` read at once, of which the others are not known here."""
    found = _Tests.of([[cell]])
    (one,) = batches(found.chains, np.zeros(1, dtype=np.int64), 0, cells)
    found.parts[:] = cells
    if cell.differing_factors or not is_reachable(one.design.floor, ALPHA, cells):
        _say_untested(found, one)
    else:
        found.p[:] = p = batch.p_values(one.design, one.sides)
        found.adjusted[:] = np.minimum(1.0, p * cells)
        _say_tested(found, one, 0)
    ((found_verdict,),) = found.verdicts
    assert found_verdict is not None
    return found_verdict


def evaluate_chains(chains: Chains) -> list[list[Verdict | None]]:
    """Verdicts of each comparison of each chain, None of those that were not tested. At most 5 in
    100 of such families call any difference that is not there. A chain is not empty.

    A chain takes part where its first comparison has repeats enough (Tarone 1990); a later one that
    has not is passed over. Both look at numbers of repeats only.
    """
    found = _Tests.of(chains)
    comparable = np.array([not chain[0].differing_factors for chain in chains], dtype=np.bool_)
    count = int(np.count_nonzero(comparable))
    heads = batches(chains, np.arange(len(chains)), 0, count)
    inside = _inside(comparable, heads)
    cells = int(np.count_nonzero(inside))
    found.parts[:] = max(1, cells or count)
    for one in heads:
        if len((outside := one.of(~inside)).places):
            _say_untested(found, outside)
    if cells:
        _test(found, [one.of(inside) for one in heads], inside, cells)
        _say(found, inside)
    return found.verdicts


def _inside(comparable: Flags, heads: Sequence[Batch]) -> Flags:
    """Mask of the chains that take part."""
    floors = np.ones(len(comparable))
    for one in heads:
        floors[one.places] = one.design.floor
    return np.array(reachable(np.where(comparable, floors, 1.0)), dtype=np.bool_)


def _test(found: _Tests, heads: Sequence[Batch], inside: Flags, cells: int) -> None:
    """P of each chain's comparisons until one of them has a p above alpha, which ends the chain
    however much of the error it has.
    """
    last = np.ones(len(inside))
    going = [one for one in heads if len(one.places)]
    for at in range(found.p.shape[1]):
        for one in going:
            last[one.places] = p = batch.p_values(one.design, one.sides)
            found.p[one.places, at] = p
            found.steps.append((at, one))
        left = np.flatnonzero(inside & (last <= ALPHA_WITH_ROUNDING) & (at + 1 < found.lengths))
        going = [
            one
            for one in batches(found.chains, left, at + 1, cells)
            if is_reachable(one.design.floor, ALPHA, cells)
        ]


def _say(found: _Tests, inside: Flags) -> None:
    """The verdicts on what was tested, up to each chain's first that shows nothing."""
    tested = ~np.isnan(found.p)
    known = np.where(tested, found.p, 0.0)
    found.parts[inside] = divide_alpha(_whole(found, known, tested)[inside])
    adjusted = corrected_p(known, found.parts)
    found.adjusted[tested] = adjusted[tested]
    # What was not tested has as much against it as what stands before it.
    shown = np.concatenate(
        [np.ones((len(known), 1), dtype=bool), adjusted <= ALPHA_WITH_ROUNDING], axis=1
    )
    reported = tested & shown[:, :-1]
    for at, one in found.steps:
        if len((mine := one.of(reported[:, at])).places):
            _say_tested(found, mine, at)


def _whole(found: _Tests, known: Floats, tested: Flags) -> Floats:
    """The largest p of each chain, 1 where one ended it before all of it was tested."""
    largest = known.max(axis=1, initial=0.0)
    ends = known.shape[1] - 1 - np.argmax(tested[:, ::-1], axis=1)
    last = known[np.arange(len(known)), ends]
    short = (tested.sum(axis=1) < found.lengths) & (last > ALPHA_WITH_ROUNDING)
    return np.where(short, 1.0, largest)


def _say_tested(found: _Tests, one: Batch, at: int) -> None:
    places, design = one.places, one.design
    p, adjusted = found.p[places, at], found.adjusted[places, at]
    shown = batch.effects_each(design, one.sides, ALPHA / found.parts[places])
    codes = concluded(shown, p, adjusted, one.higher_is_better, one.minimum)
    columns = (places, codes, p, adjusted, found.parts[places], one.minimum * 100)
    rows = zip(*(column.tolist() for column in columns), effects(shown), strict=True)
    (n_a, n_b), exact = one.counts, design.null.exact
    for place, code, own, all_p, cells, minimum, effect in rows:
        kind, sentence = CONCLUSIONS[code]
        found.verdicts[place][at] = Verdict(
            kind, sentence, effect, own, all_p, n_a, n_b, cells, design.test, exact,
            ALPHA / cells, minimum, design=design,
        )  # fmt: skip


def _say_untested(found: _Tests, one: Batch) -> None:
    few = "too_few_in_family" if is_reachable(one.design.floor, ALPHA, 1) else "too_few_repeats"
    (n_a, n_b), shown = one.counts, effects(batch.effects_at(one.design, one.sides, ALPHA))
    for place, effect in zip(one.places.tolist(), shown, strict=True):
        factors = tuple(found.chains[place][0].differing_factors)
        kind, sentence = CONCLUSIONS[CODES["not_comparable" if factors else few]]
        found.verdicts[place][0] = Verdict(
            kind, sentence, effect, None, None, n_a, n_b, int(found.parts[place]),
            one.design.test, factors=factors,
        )  # fmt: skip


def effects_of(cells: Sequence[ChainCell]) -> list[Effect]:
    """Effects of comparisons, each for itself, for cells that are shown without a verdict."""
    found: dict[int, Effect] = {}
    for one in batches([[cell] for cell in cells], np.arange(len(cells)), 0, 1):
        shown = effects(batch.effects_at(one.design, one.sides, ALPHA))
        found |= dict(zip(one.places.tolist(), shown, strict=True))
    return [found[place] for place in range(len(cells))]
