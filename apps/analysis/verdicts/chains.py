"""Verdicts on chains of comparisons that are tested together, the main metric first. Pure.

All chains advance one comparison at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from apps.analysis.verdicts.batches import Batch, ChainCell, batches
from apps.analysis.verdicts.verdict import CODES, CONCLUSIONS, Verdict, concluded
from apps.stats.effect import Effect, effects
from apps.stats.gatekeeping import corrected_p, divide_alpha
from apps.stats.intervals import effects_at, effects_each
from apps.stats.multiplicity import ALPHA, ALPHA_WITH_ROUNDING, is_reachable, reachable
from apps.stats.null_distributions import Flags, Floats, Ints
from apps.stats.rank_tests import p_values

Chains = Sequence[Sequence[ChainCell]]


@dataclass(frozen=True)
class _Tests:
    """Tests: a row is a chain, a column an index in it.

    `p` and `adjusted` are NaN without a test; `parts`: number by which the error is divided, by
    chain; `steps`: the tested batches, with their indices in the chains.
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
        """Return tests without results."""
        lengths = np.array([len(chain) for chain in chains], dtype=np.int64)
        shape = len(chains), int(lengths.max(initial=0))
        verdicts: list[list[Verdict | None]] = [[None] * len(chain) for chain in chains]
        return _Tests(
            chains, lengths, np.full(shape, np.nan), np.full(shape, np.nan),
            np.ones(shape[0], dtype=np.int64), verdicts,
        )  # fmt: skip


def verdicts(cells: Sequence[ChainCell]) -> list[Verdict]:
    """Return verdicts on equally important comparisons, with Holm's correction."""
    return [
        found_verdict
        for (found_verdict,) in evaluate_chains([[cell] for cell in cells])
        if found_verdict is not None
    ]


def verdict(cell: ChainCell, cells: int = 1) -> Verdict:
    """Return the verdict on one of `cells` comparisons; the others are unknown here."""
    result = _Tests.of([[cell]])
    (one,) = batches(result.chains, np.zeros(1, dtype=np.int64), 0, cells)
    result.parts[:] = cells
    if cell.differing_factors or not is_reachable(one.design.floor, ALPHA, cells):
        _add_untested(result, one)
    else:
        result.p[:] = p = p_values(one.design, one.sides)
        result.adjusted[:] = np.minimum(1.0, p * cells)
        _add_tested(result, one, 0)
    ((found_verdict,),) = result.verdicts
    assert found_verdict is not None
    return found_verdict


def evaluate_chains(chains: Chains) -> list[list[Verdict | None]]:
    """Return verdicts on each comparison of each chain, None if not tested.

    At most 5 % of such families have any false difference. Chains are not empty. A chain takes part
    if its first comparison has enough repeats (Tarone 1990); a later one with too few is skipped.
    Both depend on numbers of repeats only.
    """
    result = _Tests.of(chains)
    comparable = np.array([not chain[0].differing_factors for chain in chains], dtype=np.bool_)
    count = int(np.count_nonzero(comparable))
    heads = batches(chains, np.arange(len(chains)), 0, count)
    inside = _reachable_chains(comparable, heads)
    cells = int(np.count_nonzero(inside))
    result.parts[:] = max(1, cells or count)
    for one in heads:
        if len((outside := one.of(~inside)).chain_indices):
            _add_untested(result, outside)
    if cells:
        _test(result, [one.of(inside) for one in heads], inside, cells)
        _add_verdicts(result, inside)
    return result.verdicts


def _reachable_chains(comparable: Flags, heads: Sequence[Batch]) -> Flags:
    """Return a mask of the chains that take part."""
    floors = np.ones(len(comparable))
    for one in heads:
        floors[one.chain_indices] = one.design.floor
    return np.array(reachable(np.where(comparable, floors, 1.0)), dtype=np.bool_)


def _test(result: _Tests, heads: Sequence[Batch], inside: Flags, cells: int) -> None:
    """Compute p of each chain's comparisons until one has a p above alpha, which ends the chain."""
    last = np.ones(len(inside))
    going = [one for one in heads if len(one.chain_indices)]
    for at in range(result.p.shape[1]):
        for one in going:
            last[one.chain_indices] = p = p_values(one.design, one.sides)
            result.p[one.chain_indices, at] = p
            result.steps.append((at, one))
        left = np.flatnonzero(inside & (last <= ALPHA_WITH_ROUNDING) & (at + 1 < result.lengths))
        going = [
            one
            for one in batches(result.chains, left, at + 1, cells)
            if is_reachable(one.design.floor, ALPHA, cells)
        ]


def _add_verdicts(result: _Tests, inside: Flags) -> None:
    """Add the verdicts of tested comparisons, up to each chain's first without a difference."""
    tested = ~np.isnan(result.p)
    p_or_zero = np.where(tested, result.p, 0.0)
    result.parts[inside] = divide_alpha(_largest_p(result, p_or_zero, tested)[inside])
    adjusted = corrected_p(p_or_zero, result.parts)
    result.adjusted[tested] = adjusted[tested]
    # An untested comparison has the corrected p of the one before it.
    shown = np.concatenate(
        [np.ones((len(p_or_zero), 1), dtype=bool), adjusted <= ALPHA_WITH_ROUNDING], axis=1
    )
    reported = tested & shown[:, :-1]
    for at, one in result.steps:
        if len((mine := one.of(reported[:, at])).chain_indices):
            _add_tested(result, mine, at)


def _largest_p(result: _Tests, p_or_zero: Floats, tested: Flags) -> Floats:
    """Return the largest p of each chain, 1 if one ended it before all were tested."""
    largest = p_or_zero.max(axis=1, initial=0.0)
    ends = p_or_zero.shape[1] - 1 - np.argmax(tested[:, ::-1], axis=1)
    last = p_or_zero[np.arange(len(p_or_zero)), ends]
    short = (tested.sum(axis=1) < result.lengths) & (last > ALPHA_WITH_ROUNDING)
    return np.where(short, 1.0, largest)


def _add_tested(result: _Tests, one: Batch, at: int) -> None:
    chain_indices, design = one.chain_indices, one.design
    p, adjusted = result.p[chain_indices, at], result.adjusted[chain_indices, at]
    shown = effects_each(design, one.sides, ALPHA / result.parts[chain_indices])
    codes = concluded(shown, p, adjusted, one.higher_is_better, one.minimum)
    columns = (chain_indices, codes, p, adjusted, result.parts[chain_indices], one.minimum * 100)
    rows = zip(*(column.tolist() for column in columns), effects(shown), strict=True)
    (n_a, n_b), exact = one.counts, design.null.exact
    for index, code, own, all_p, cells, minimum, effect in rows:
        kind, sentence = CONCLUSIONS[code]
        result.verdicts[index][at] = Verdict(
            kind, sentence, effect, own, all_p, n_a, n_b, cells, design.test, exact,
            ALPHA / cells, minimum, design=design,
        )  # fmt: skip


def _add_untested(result: _Tests, one: Batch) -> None:
    few = "too_few_in_family" if is_reachable(one.design.floor, ALPHA, 1) else "too_few_repeats"
    (n_a, n_b), shown = one.counts, effects(effects_at(one.design, one.sides, ALPHA))
    for index, effect in zip(one.chain_indices.tolist(), shown, strict=True):
        factors = tuple(result.chains[index][0].differing_factors)
        kind, sentence = CONCLUSIONS[CODES["not_comparable" if factors else few]]
        result.verdicts[index][0] = Verdict(
            kind, sentence, effect, None, None, n_a, n_b, int(result.parts[index]),
            one.design.test, factors=factors,
        )  # fmt: skip


def effects_of(cells: Sequence[ChainCell]) -> list[Effect]:
    """Return effects of comparisons that are shown without a verdict."""
    result: dict[int, Effect] = {}
    for one in batches([[cell] for cell in cells], np.arange(len(cells)), 0, 1):
        shown = effects(effects_at(one.design, one.sides, ALPHA))
        result |= dict(zip(one.chain_indices.tolist(), shown, strict=True))
    return [result[index] for index in range(len(cells))]
