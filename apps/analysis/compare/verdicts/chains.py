"""Verdicts on many comparisons read at once: chains of them, the main metric first.

Pure: callable with arrays of repeats, whatever view they come from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np

from apps.analysis.compare.stats import ALPHA, Effect, batch, effects, reaches, within_reach
from apps.analysis.compare.stats.designs import Design, Layout, design_of, layout_of
from apps.analysis.compare.stats.gates import corrected, factors
from apps.analysis.compare.stats.looks import Looks
from apps.analysis.compare.stats.nulls import Flags, Floats, Ints
from apps.analysis.compare.stats.samples import Values
from apps.analysis.compare.verdicts.verdict import Verdict, conclusion
from apps.common.verdicts import VerdictKind

T = TypeVar("T")
COUNTS = np.ones(1, dtype=np.bool_).tobytes()
"""The mark of a value that counts."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The block and the time (in any unit; None where it is not known) of each value of both sides.
    `looks`: after the block of this label so much of the permitted error was spent, ascending; none
    for one look that may spend all. `known`: designs that were found for them, as the metrics of a
    chain have one when every value counts.
    """

    a: Ints
    b: Ints
    times_a: Floats | None = None
    times_b: Floats | None = None
    looks: Looks = ()
    known: dict[tuple[int, int, int], tuple[Design, Layout]] = field(
        default_factory=dict, repr=False, compare=False
    )


@dataclass(frozen=True, slots=True)
class ChainCell:
    """One comparison: repeats of `a` (the reference) and `b`, of one metric in its canonical
    unit.

    `minimum_effect`: a share (0.02 is 2 %) below which nobody cares; `differing_factors`: labels
    of what differs beyond the factor under comparison; `whole`: every value is known to count, so
    that nobody has to look.
    """

    a: Values
    b: Values
    higher_is_better: bool
    minimum_effect: float = 0.0
    differing_factors: Sequence[str] = ()
    blocks: Blocks | None = None
    whole: bool = False


class _Plan(NamedTuple):
    """The design of one comparison, fixed before the data are looked at. `a`, `b`: the values with
    their places.
    """

    cell: ChainCell
    design: Design
    layout: Layout
    n_a: int
    n_b: int
    a: Floats
    b: Floats

    @property
    def comparable(self) -> bool:
        return not self.cell.differing_factors


def verdicts(cells: Sequence[ChainCell]) -> list[Verdict]:
    """Comparisons of which each is as important as the others: Holm's correction."""
    return [said for (said,) in chains_judged([[cell] for cell in cells]) if said is not None]


def verdict(cell: ChainCell, cells: int = 1) -> Verdict:
    """One comparison out of `cells` read at once, of which the others are not known here."""
    plan = _plan(cell, cells)
    if not plan.comparable or not reaches(plan.design.floor, ALPHA, cells):
        return _untested(plan, _effects([plan], [ALPHA])[0], cells)
    (p,) = _p_values([plan])
    return _tested(plan, _effects([plan], [ALPHA / cells])[0], p, min(1.0, p * cells), cells)


def chains_judged(chains: Sequence[Sequence[ChainCell]]) -> list[list[Verdict | None]]:
    """Verdicts of each comparison of each chain, None of those that were not tested; a chain is not
    empty, and asked for a comparison only when that is tested. At most 5 in 100 of such families
    call any difference that is not there.

    A chain takes part where its first comparison has repeats enough (Tarone 1990); a later one that
    has not is passed over. Both look at numbers of repeats only.
    """
    heads = [chain[0] for chain in chains]
    count = sum(not head.differing_factors for head in heads)
    plans = [_plan(head, count) for head in heads]
    inside = within_reach([plan.design.floor if plan.comparable else 1.0 for plan in plans])
    cells = sum(inside)
    tested = _tests(chains, plans, inside, cells)
    parts = factors([_whole(one, len(chain)) for one, chain in zip(tested, chains, strict=True)
                     if one]) if cells else []  # fmt: skip
    said: list[list[Verdict | None]] = [[None] * len(chain) for chain in chains]
    outside = [place for place, reached in enumerate(inside) if not reached]
    shown = _effects([plans[place] for place in outside], [ALPHA] * len(outside))
    for place, effect in zip(outside, shown, strict=True):
        said[place][0] = _untested(plans[place], effect, max(1, cells or count))
    _say(said, [(place, one) for place, one in enumerate(tested) if one], parts)
    return said


class _Step(NamedTuple):
    """A comparison of a chain that was tested, and its place there."""

    place: int
    plan: _Plan
    p: float


def _tests(
    chains: Sequence[Sequence[ChainCell]],
    heads: Sequence[_Plan],
    inside: Sequence[bool],
    cells: int,
) -> list[list[_Step]]:
    """Each chain's comparisons until one of them has a p above alpha, which ends the chain however
    much of the error it has. All chains go one step at a time.
    """
    found: list[list[_Step]] = [[] for _chain in chains]
    going = {place: heads[place] for place, reached in enumerate(inside) if reached}
    for at in range(max(map(len, chains), default=0)):
        tested = _p_values(list(going.values()))
        for (place, plan), p in zip(going.items(), tested, strict=True):
            found[place].append(_Step(at, plan, p))
        left = [p for p, steps in enumerate(found) if steps and reaches(steps[-1].p, ALPHA, 1)]
        more = [(p, _plan(chains[p][at + 1], cells)) for p in left if at + 1 < len(chains[p])]
        going = {p: plan for p, plan in more if reaches(plan.design.floor, ALPHA, cells)}
        if not going and not any(at + 2 < len(chains[p]) for p in left):
            break
    return found


def _whole(steps: Sequence[_Step], length: int) -> list[float]:
    """p of a chain, 1 for all of it that was not tested."""
    return [step.p for step in steps] + [1.0] * (
        len(steps) < length and not reaches(steps[-1].p, ALPHA, 1)
    )


def _say(
    said: list[list[Verdict | None]],
    tested: Sequence[tuple[int, Sequence[_Step]]],
    parts: Sequence[int],
) -> None:
    """The verdicts on what was tested, up to each chain's first that shows nothing."""
    steps: list[tuple[int, _Step, float, int]] = []
    for (chain, mine), part in zip(tested, parts, strict=True):
        for step, adjusted in zip(mine, corrected([one.p for one in mine], part), strict=True):
            steps.append((chain, step, adjusted, part))
            if not reaches(adjusted, ALPHA, 1):
                break
    levels = [ALPHA / part for _chain, _step, _adjusted, part in steps]
    shown = _effects([step.plan for _chain, step, _adjusted, _part in steps], levels)
    for (chain, step, adjusted, part), effect in zip(steps, shown, strict=True):
        said[chain][step.place] = _tested(step.plan, effect, step.p, adjusted, part)


def effects_of(cells: Sequence[ChainCell]) -> list[Effect]:
    """Effects of comparisons, each for itself, for cells that are shown without a verdict."""
    return _effects([_plan(cell, 1) for cell in cells], [ALPHA] * len(cells))


def _plan(cell: ChainCell, cells: int) -> _Plan:
    a, b = np.asarray(cell.a, dtype=np.float64), np.asarray(cell.b, dtype=np.float64)
    blocks = cell.blocks
    if not cell.whole:
        use_a, use_b = _counting(a), _counting(b)
        counts = int(np.count_nonzero(use_a)), int(np.count_nonzero(use_b))
        design, layout = _designed(blocks, counts, (use_a.tobytes(), use_b.tobytes()), cells)
        return _Plan(cell, design, layout, *counts, a, b)
    counts = len(a), len(b)
    found = blocks.known.get((*counts, cells)) if blocks is not None else None
    if found is None:
        found = _designed(blocks, counts, (COUNTS * counts[0], COUNTS * counts[1]), cells)
        if blocks is not None:
            blocks.known[(*counts, cells)] = found
    return _Plan(cell, *found, *counts, a, b)


def _designed(
    blocks: Blocks | None, counts: tuple[int, int], marks: tuple[bytes, bytes], cells: int
) -> tuple[Design, Layout]:
    """The design for values of which those with a mark count, so many of each side."""
    if blocks is not None:
        layout = layout_of(blocks.a.tobytes(), blocks.b.tobytes(), *marks)
        looks = _looks(blocks.looks, layout.labels)
        design = design_of(layout.shape, counts, looks, cells)
        if design.test != "all":
            return design, layout
    else:
        design = design_of((), counts, (), cells)
    return design, layout_of(bytes(8 * len(marks[0])), bytes(8 * len(marks[1])), *marks)


@lru_cache(maxsize=4096)
def _looks(looks: Looks, labels: tuple[int, ...]) -> Looks:
    """The looks by how many of these blocks there were. What came after the last one is looked at
    now, with half of what is left.
    """
    found = [(bisect_right(labels, label), share) for label, share in looks]
    if found and found[-1][0] < len(labels):
        found.append((len(labels), (found[-1][1] + 1) / 2))
    return tuple(found) or ((len(labels), 1.0),)


def _counting(values: Floats) -> Flags:
    """Mask of the values that count: a repeat without one (None, NaN, infinite) does not. Raises
    ValueError for a negative one: every metric compared here is a rate, a size or a time.
    """
    counts = np.isfinite(values)
    if np.count_nonzero(values < 0):
        raise ValueError("a ratio needs values of zero or more")
    return counts


def _p_values(plans: Sequence[_Plan]) -> list[float]:
    return _by_design(plans, [ALPHA] * len(plans), lambda design, sides, _level: list(
        batch.p_values(design, sides).tolist()
    ))  # fmt: skip


def _effects(plans: Sequence[_Plan], levels: Sequence[float]) -> list[Effect]:
    return _by_design(
        plans, levels, lambda design, sides, level: effects(batch.effects_at(design, sides, level))
    )


def _by_design(
    plans: Sequence[_Plan],
    levels: Sequence[float],
    work: Callable[[Design, batch.Sides, float], list[T]],
) -> list[T]:
    """Results of `work` for each plan; those of one design, layout and level come from one call."""
    # By the objects, which are remembered: a design of many blocks takes longer to be hashed.
    places: dict[tuple[int, int, float], list[int]] = defaultdict(list)
    for place, (plan, level) in enumerate(zip(plans, levels, strict=True)):
        places[id(plan.design), id(plan.layout), level].append(place)
    found: dict[int, T] = {}
    for (_design, _layout, level), mine in places.items():
        sides = _sides([plans[place] for place in mine])
        found |= dict(zip(mine, work(plans[mine[0]].design, sides, level), strict=True))
    return [found[place] for place in range(len(plans))]


def _sides(plans: Sequence[_Plan]) -> batch.Sides:
    layout = plans[0].layout
    blocks = [plan.cell.blocks for plan in plans]
    a = batch.logarithms(np.array([plan.a for plan in plans])[:, layout.a])
    b = batch.logarithms(np.array([plan.b for plan in plans])[:, layout.b])
    times_a = [one.times_a for one in blocks if one is not None and one.times_a is not None]
    times_b = [one.times_b for one in blocks if one is not None and one.times_b is not None]
    if plans[0].design.test != "blocks" or len(times_a) + len(times_b) < 2 * len(plans):
        return batch.Sides(a, b)
    return batch.Sides(a, b, np.array(times_a)[:, layout.a], np.array(times_b)[:, layout.b])


def _untested(plan: _Plan, effect: Effect, cells: int) -> Verdict:
    kind = VerdictKind.TOO_FEW
    code = "too_few_in_family" if reaches(plan.design.floor, ALPHA, 1) else "too_few"
    if not plan.comparable:
        kind, code = VerdictKind.NOT_COMPARABLE, "not_comparable"
    return Verdict(
        kind, code, effect, None, None, plan.n_a, plan.n_b, cells, plan.design.test,
        factors=tuple(plan.cell.differing_factors),
    )  # fmt: skip


def _tested(plan: _Plan, effect: Effect, p: float, adjusted: float, cells: int) -> Verdict:
    cell = plan.cell
    kind, code = conclusion(
        effect, p, adjusted, rises_is_better=cell.higher_is_better, minimum=cell.minimum_effect
    )
    return Verdict(
        kind, code, effect, p, adjusted, plan.n_a, plan.n_b, cells, plan.design.test,
        plan.design.null.exact, ALPHA / cells, cell.minimum_effect * 100,
        design=plan.design,
    )  # fmt: skip
