"""Better, worse, no difference shown, too few repeats, not comparable: what a comparison may say.

Nothing here is prose for a page: a verdict carries a `code` and the `values` its sentence needs.
`SENTENCES` is the English; a page looks its own language's template up by the same code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from apps.analysis.compare.stats import (
    ALPHA,
    Blocks,
    Effect,
    adjust,
    batch,
    clean,
    effects,
    floor_p,
    paired_values,
    reaches,
    too_few,
    within_reach,
)
from apps.analysis.compare.stats.samples import Floats, Values
from apps.tools.words import gettext_noop as _


class Kind(StrEnum):
    """The answers, as programs read them; what people read is in LOOKS of benchlab_badges."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no_difference"
    TOO_FEW = "too_few"
    NOT_COMPARABLE = "not_comparable"
    NOT_TESTED = "not_tested"


DECIDED = (Kind.BETTER, Kind.WORSE)

PAIR_MARGIN = 4
"""Blocks are paired only where the smallest possible p, corrected, is at most a quarter of alpha.

At the edge (6 blocks, one comparison) a paired test speaks only when every block agrees, and
without drift it sees a third less; the measured table is in docs/usage/statistics.md.
"""

SENTENCES: Mapping[str, str] = {
    "better": _("Better: {percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %)."),
    "worse": _("Worse: {percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %)."),
    "better_unbounded": _("Better, by a ratio that has no figure: one side measured zero."),
    "worse_unbounded": _("Worse, by a ratio that has no figure: one side measured zero."),
    "not_shown": _(
        "No difference shown: {percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %)."
    ),
    "not_shown_unbounded": _(
        "No difference shown; the ratio has no figure: one side measured zero."
    ),
    "not_shown_in_family": _(
        "No difference shown: {percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %) would "
        "count alone, but not as one of {cells} comparisons read at once."
    ),
    "below_minimum": _(
        "No difference that matters: {percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %) "
        "is below the {minimum:g} % asked for."
    ),
    "too_few": _(
        "Too few repeats: {n_a} against {n_b} can never show a difference. "
        "Measure {needed} of each."
    ),
    "too_few_in_family": _(
        "Too few repeats for {cells} comparisons at once: {n_a} against {n_b} could show "
        "a difference alone, but not among so many. Measure {needed} of each, or compare fewer."
    ),
    "not_comparable": _("Not comparable: these differ as well: {factors}."),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One comparison: repeats of `a` (the reference) and `b`, of one metric in its canonical
    unit.

    `minimum_effect`: a share (0.02 is 2 %) below which nobody cares; `differing_factors`: labels
    of what differs beyond the factor under comparison; `blocks`: the block of each value, aligned
    with `a` and `b`.
    """

    a: Values
    b: Values
    higher_is_better: bool
    minimum_effect: float = 0.0
    differing_factors: Sequence[str] = ()
    blocks: Blocks | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said. `p` and `p_adjusted` are None where no test was made; `cells`: how many
    comparisons were read at once; `minimum`: percent below which nobody cares; `factors`: what
    differs as well.
    """

    kind: Kind
    code: str
    effect: Effect
    p: float | None
    p_adjusted: float | None
    n_a: int
    n_b: int
    cells: int
    paired: bool = False
    exact: bool = True
    minimum: float = 0.0
    factors: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """Repeats a side to ask for."""
        return too_few(self.n_a, self.n_b, cells=max(1, self.cells)).needed

    @property
    def values(self) -> dict[str, Any]:
        """What the sentence needs."""
        return {
            "percent": _percent(self.effect.ratio),
            "low": _percent(self.effect.low),
            "high": _percent(self.effect.high),
            "minimum": self.minimum,
            "cells": self.cells,
            "n_a": self.n_a,
            "n_b": self.n_b,
            "needed": self.needed,
            "factors": ", ".join(self.factors),
        }

    @property
    def sentence(self) -> str:
        """The verdict in English."""
        return SENTENCES[self.code].format(**self.values)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is fixed before the data are looked at: the values that count, whether they are paired
    by blocks (then aligned), the floor of p.
    """

    cell: Cell
    n_a: int
    n_b: int
    a: Floats
    b: Floats
    paired: bool
    floor: float

    @property
    def shape(self) -> tuple[int, int, bool]:
        return len(self.a), len(self.b), self.paired


@dataclass(frozen=True, slots=True)
class _Test:
    p: float
    exact: bool


def verdict(
    a: Values,
    b: Values,
    *,
    higher_is_better: bool,
    cells: int = 1,
    minimum_effect: float = 0.0,
    differing_factors: Sequence[str] = (),
    blocks: Blocks | None = None,
) -> Verdict:
    """One comparison out of `cells` read at once (corrected by Bonferroni: the others are not
    known here).
    """
    cell = Cell(a, b, higher_is_better, minimum_effect, differing_factors, blocks)
    plan = _plan(cell, cells)
    (effect,) = _effects([plan])
    if differing_factors or not reaches(plan.floor, ALPHA, cells):
        return _untested(plan, effect, cells)
    (test,) = _tests([plan])
    return _tested(plan, effect, test, min(1.0, test.p * cells), cells)


def verdicts(cells: Sequence[Cell]) -> list[Verdict]:
    """A family of comparisons, corrected together: Holm over those whose repeats could tell at
    all (Tarone). Comparisons with as many repeats are worked out at once.
    """
    comparable = sum(not cell.differing_factors for cell in cells)
    plans = [_plan(cell, comparable) for cell in cells]
    floors = [1.0 if plan.cell.differing_factors else plan.floor for plan in plans]
    family = [plan for plan, reached in zip(plans, within_reach(floors), strict=True) if reached]
    tests = _tests(family)
    adjusted = [p for p in adjust([test.p for test in tests]) if p is not None]
    found = {
        id(plan): (test, corrected)
        for plan, test, corrected in zip(family, tests, adjusted, strict=True)
    }
    said = []
    for plan, effect in zip(plans, _effects(plans), strict=True):
        if id(plan) in found:
            said.append(_tested(plan, effect, *found[id(plan)], len(family)))
        else:
            said.append(_untested(plan, effect, comparable))
    return said


def effects_of(sides: Sequence[tuple[Values, Values]]) -> list[Effect]:
    """How far both sides lie apart, unpaired, for what is shown without a verdict."""
    return _effects([_unpaired(Cell(a, b, True), clean(a), clean(b)) for a, b in sides])


def _plan(cell: Cell, cells: int) -> _Plan:
    """Pairing is decided by the number of blocks and comparisons alone: choosing by the data
    would be cheating.
    """
    a, b = clean(cell.a), clean(cell.b)
    blocks = len(cell.a)
    floor = floor_p(blocks, blocks, paired=True)
    if cell.blocks and floor * max(1, cells) * PAIR_MARGIN <= ALPHA:
        pairs = paired_values(cell.a, cell.b, cell.blocks)
        if pairs is not None:
            return _Plan(cell, len(a), len(b), *pairs, True, floor)
    return _unpaired(cell, a, b)


def _unpaired(cell: Cell, a: Floats, b: Floats) -> _Plan:
    return _Plan(cell, len(a), len(b), a, b, False, floor_p(len(a), len(b)))


def _tests(plans: Sequence[_Plan]) -> list[_Test]:
    found: list[_Test | None] = [None] * len(plans)
    for (_n_a, _n_b, paired), places, a, b in _alike(plans):
        p, exact = batch.signed_rank(batch.block_ratios(a, b)) if paired else batch.rank_sum(a, b)
        for place, one in zip(places, map(_Test, p.tolist(), exact.tolist()), strict=True):
            found[place] = one
    return [test for test in found if test is not None]


def _effects(plans: Sequence[_Plan]) -> list[Effect]:
    found: list[Effect | None] = [None] * len(plans)
    for (_n_a, _n_b, paired), places, a, b in _alike(plans):
        of = batch.paired_ratios_of(batch.block_ratios(a, b)) if paired else batch.ratios_of(a, b)
        for place, one in zip(places, effects(of), strict=True):
            found[place] = one
    return [effect for effect in found if effect is not None]


def _alike(
    plans: Sequence[_Plan],
) -> list[tuple[tuple[int, int, bool], list[int], Floats, Floats]]:
    """Plans of one shape together, with their places and both sides as matrices."""
    places: dict[tuple[int, int, bool], list[int]] = defaultdict(list)
    for place, plan in enumerate(plans):
        places[plan.shape].append(place)
    return [
        (
            shape,
            mine,
            np.array([plans[place].a for place in mine]),
            np.array([plans[place].b for place in mine]),
        )
        for shape, mine in places.items()
    ]


def _untested(plan: _Plan, effect: Effect, cells: int) -> Verdict:
    kind = Kind.TOO_FEW
    code = "too_few_in_family" if reaches(plan.floor, ALPHA, 1) else "too_few"
    if plan.cell.differing_factors:
        kind, code = Kind.NOT_COMPARABLE, "not_comparable"
    factors = tuple(plan.cell.differing_factors)
    return Verdict(
        kind, code, effect, None, None, plan.n_a, plan.n_b, cells, plan.paired, factors=factors
    )


def _tested(plan: _Plan, effect: Effect, test: _Test, adjusted: float, cells: int) -> Verdict:
    kind, code = _conclusion(plan.cell, effect, test.p, adjusted)
    minimum = plan.cell.minimum_effect * 100
    return Verdict(
        kind, code, effect, test.p, adjusted, plan.n_a, plan.n_b, cells,
        plan.paired, test.exact, minimum,
    )  # fmt: skip


def _conclusion(cell: Cell, effect: Effect, p: float, adjusted: float) -> tuple[Kind, str]:
    """Both the corrected test and the interval must say so: what is printed never contradicts
    itself.
    """
    suffix = "" if None not in (effect.ratio, effect.low, effect.high) else "_unbounded"
    if adjusted > ALPHA or not effect.excludes_one:
        alone = p <= ALPHA and effect.excludes_one and not suffix
        return Kind.NO_DIFFERENCE, "not_shown_in_family" if alone else "not_shown" + suffix
    if effect.ratio is not None and abs(effect.ratio - 1) < cell.minimum_effect:
        return Kind.NO_DIFFERENCE, "below_minimum" if not suffix else "not_shown_unbounded"
    rises = effect.ratio is None or effect.ratio > 1
    kind = Kind.BETTER if rises == cell.higher_is_better else Kind.WORSE
    return kind, kind.value + suffix


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else (ratio - 1) * 100
