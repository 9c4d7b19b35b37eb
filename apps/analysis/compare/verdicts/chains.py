"""Verdicts on many comparisons read at once: chains of them, the main metric first.

Pure: callable with arrays of repeats, whatever view they come from. All chains go one step at a
time, in columns; a verdict becomes an object where somebody reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.analysis.compare.stats import ALPHA, Effect, batch, effects, reaches, within_reach
from apps.analysis.compare.stats.family import REACHED
from apps.analysis.compare.stats.gates import corrected, divided
from apps.analysis.compare.stats.nulls import Flags, Floats
from apps.analysis.compare.verdicts.cells import Blocks, CellChains, ChainCell
from apps.analysis.compare.verdicts.columns import Batch, Chains, JudgedChains
from apps.analysis.compare.verdicts.verdict import CODES, Verdict, concluded

__all__ = ["Blocks", "ChainCell", "chains_judged", "effects_of", "judged", "verdict", "verdicts"]


def verdicts(cells: Sequence[ChainCell]) -> list[Verdict]:
    """Comparisons of which each is as important as the others: Holm's correction."""
    return [said for (said,) in chains_judged([[cell] for cell in cells]) if said is not None]


def verdict(cell: ChainCell, cells: int = 1) -> Verdict:
    """One comparison out of `cells` read at once, of which the others are not known here."""
    chains = CellChains([[cell]])
    found, (one,) = (
        JudgedChains.empty(chains),
        chains.batches(np.zeros(1, dtype=np.int64), 0, cells),
    )
    found.add(one, 0)
    found.parts[:] = cells
    if not chains.comparable[0] or not reaches(one.design.floor, ALPHA, cells):
        _say_untested(found, one)
    else:
        found.p[:] = p = batch.p_values(one.design, one.sides)
        found.adjusted[:] = np.minimum(1.0, p * cells)
        _say_tested(found, one, 0)
    said = found.verdict(0, 0)
    assert said is not None
    return said


def chains_judged(chains: Sequence[Sequence[ChainCell]]) -> list[list[Verdict | None]]:
    """`judged` of single comparisons: the verdicts of each chain, None of those that were not
    tested. A chain is not empty.
    """
    found = judged(CellChains(chains))
    return [
        [found.verdict(place, at) for at in range(len(chain))] for place, chain in enumerate(chains)
    ]


def judged(chains: Chains) -> JudgedChains:
    """Verdicts of each comparison of each chain. At most 5 in 100 of such families call any
    difference that is not there.

    A chain takes part where its first comparison has repeats enough (Tarone 1990); a later one that
    has not is passed over. Both look at numbers of repeats only.
    """
    found = JudgedChains.empty(chains)
    count = int(np.count_nonzero(chains.comparable))
    heads = chains.batches(np.arange(len(chains.lengths)), 0, count)
    inside = _inside(chains, heads)
    cells = int(np.count_nonzero(inside))
    found.parts[:] = max(1, cells or count)
    for one in heads:
        if len((outside := one.of(~inside)).places):
            found.add(outside, 0)
            _say_untested(found, outside)
    if cells:
        steps = _tests(found, [one.of(inside) for one in heads], inside, cells)
        _say(found, steps, inside)
    return found


def _inside(chains: Chains, heads: Sequence[Batch]) -> Flags:
    """Mask of the chains that take part."""
    floors = np.ones(len(chains.lengths))
    for one in heads:
        floors[one.places] = one.design.floor
    return np.array(within_reach(np.where(chains.comparable, floors, 1.0)), dtype=np.bool_)


def _tests(
    found: JudgedChains, heads: Sequence[Batch], inside: Flags, cells: int
) -> list[tuple[int, Batch]]:
    """p of each chain's comparisons until one of them has a p above alpha, which ends the chain
    however much of the error it has. What was tested, with its place in the chains.
    """
    chains, last = found.chains, np.ones(len(inside))
    done: list[tuple[int, Batch]] = []
    going = [one for one in heads if len(one.places)]
    for at in range(int(chains.lengths.max(initial=0))):
        for one in going:
            found.add(one, at)
            last[one.places] = p = batch.p_values(one.design, one.sides)
            found.p[one.places, at] = p
        done += [(at, one) for one in going]
        left = np.flatnonzero(inside & (last <= REACHED) & (at + 1 < chains.lengths))
        going = [
            one for one in chains.batches(left, at + 1, cells)
            if reaches(one.design.floor, ALPHA, cells)
        ] if len(left) else []  # fmt: skip
    return done


def _say(found: JudgedChains, steps: Sequence[tuple[int, Batch]], inside: Flags) -> None:
    """The verdicts on what was tested, up to each chain's first that shows nothing."""
    tested = ~np.isnan(found.p)
    known = np.where(tested, found.p, 0.0)
    found.parts[inside] = divided(_whole(found, known, tested)[inside])
    adjusted = corrected(known, found.parts)
    found.adjusted[tested] = adjusted[tested]
    # What was not tested has as much against it as what stands before it.
    shown = np.concatenate([np.ones((len(known), 1), dtype=bool), adjusted <= REACHED], axis=1)
    said = tested & shown[:, :-1]
    found.p[tested & ~said] = np.nan
    found.said[said] = True
    for at, one in steps:
        if len((mine := one.of(said[:, at])).places):
            _say_tested(found, mine, at)


def _whole(found: JudgedChains, known: Floats, tested: Flags) -> Floats:
    """The largest p of each chain, 1 where one ended it before all of it was tested."""
    largest = known.max(axis=1, initial=0.0)
    ends = known.shape[1] - 1 - np.argmax(tested[:, ::-1], axis=1)
    last = known[np.arange(len(known)), ends]
    short = (tested.sum(axis=1) < found.chains.lengths) & (last > REACHED)
    return np.where(short, 1.0, largest)


def _say_tested(found: JudgedChains, one: Batch, at: int) -> None:
    places = one.places
    levels = ALPHA / found.parts[places]
    effect = batch.effects_each(one.design, one.sides, levels)
    found.set_effects(places, at, effect)
    found.said[places, at] = True
    found.code[places, at] = concluded(
        effect, found.p[places, at], found.adjusted[places, at], one.higher_is_better, one.minimum
    )


def _say_untested(found: JudgedChains, one: Batch) -> None:
    places = one.places
    found.set_effects(places, 0, batch.effects_at(one.design, one.sides, ALPHA))
    found.said[places, 0] = True
    few = "too_few_in_family" if reaches(one.design.floor, ALPHA, 1) else "too_few"
    comparable = found.chains.comparable[places]
    found.code[places, 0] = np.where(comparable, CODES[few], CODES["not_comparable"])


def effects_of(cells: Sequence[ChainCell]) -> list[Effect]:
    """Effects of comparisons, each for itself, for cells that are shown without a verdict."""
    chains = CellChains([[cell] for cell in cells])
    found: dict[int, Effect] = {}
    for one in chains.batches(np.arange(len(cells)), 0, 1):
        shown = effects(batch.effects_at(one.design, one.sides, ALPHA))
        found |= dict(zip(one.places.tolist(), shown, strict=True))
    return [found[place] for place in range(len(cells))]
