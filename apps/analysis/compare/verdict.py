"""Better, worse, no difference shown, too few repeats, not comparable: what a comparison may say.

Nothing here is prose for a page: a verdict carries a `code` and the `values` its sentence needs.
`SENTENCES` is the English; a page looks its own language's template up by the same code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from apps.analysis.compare.stats import (
    ALPHA,
    Blocks,
    Effect,
    adjust,
    clean,
    floor_p,
    hodges_lehmann_ratio,
    p_value_exact,
    paired_values,
    too_few,
    within_reach,
)
from apps.analysis.compare.stats.effect import NO_EFFECT
from apps.analysis.compare.stats.samples import Values

Kind = Literal["better", "worse", "no difference shown", "too few repeats", "not comparable"]

PAIR_MARGIN = 4
"""Blocks are paired only where the smallest possible p, corrected, is at most a quarter of alpha.

At the edge (6 blocks, one comparison) a paired test speaks only when every block agrees, and
without drift it sees a third less; the measured table is in docs/usage/statistics.md.
"""

_FIGURES = "{percent:+.1f} % (95 % interval {low:+.1f} to {high:+.1f} %)"

SENTENCES: Mapping[str, str] = {
    "better": f"Better: {_FIGURES}.",
    "worse": f"Worse: {_FIGURES}.",
    "better_unbounded": "Better, by a ratio that has no figure: one side measured zero.",
    "worse_unbounded": "Worse, by a ratio that has no figure: one side measured zero.",
    "not_shown": f"No difference shown: {_FIGURES}.",
    "not_shown_unbounded": "No difference shown; the ratio has no figure: one side measured zero.",
    "not_shown_in_family": (
        f"No difference shown: {_FIGURES} would count alone, "
        "but not as one of {cells} comparisons read at once."
    ),
    "below_minimum": (
        f"No difference that matters: {_FIGURES} is below the {{minimum:g}} % asked for."
    ),
    "too_few": (
        "Too few repeats: {n_a} against {n_b} can never show a difference. "
        "Measure {needed} of each."
    ),
    "too_few_in_family": (
        "Too few repeats for {cells} comparisons at once: {n_a} against {n_b} could show "
        "a difference alone, but not among so many. Measure {needed} of each, or compare fewer."
    ),
    "not_comparable": "Not comparable: these differ as well: {factors}.",
}


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Verdict:
    """What may be said. `p` and `p_adjusted` are None where no test was made; `needed`: repeats a
    side to ask for.
    """

    kind: Kind
    code: str
    effect: Effect
    p: float | None
    p_adjusted: float | None
    n_a: int
    n_b: int
    needed: int
    paired: bool = False
    exact: bool = True
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The verdict in English."""
        return SENTENCES[self.code].format(**self.values)


@dataclass(frozen=True)
class _Plan:
    """What is fixed before the data are looked at: numbers of repeats, whether blocks are paired,
    the floor of p.
    """

    cell: Cell
    n_a: int
    n_b: int
    blocks: Blocks | None
    floor: float


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
    if differing_factors or not _reaches(plan, cells):
        return _untested(plan, cells)
    tested = p_value_exact(a, b, plan.blocks)
    return _tested(plan, tested.p, min(1.0, tested.p * cells), tested.exact, cells)


def verdicts(cells: Sequence[Cell]) -> list[Verdict]:
    """A family of comparisons, corrected together: Holm over those whose repeats could tell at
    all (Tarone).
    """
    comparable = sum(not cell.differing_factors for cell in cells)
    plans = [_plan(cell, comparable) for cell in cells]
    family = within_reach([1.0 if plan.cell.differing_factors else plan.floor for plan in plans])
    tests = [
        p_value_exact(plan.cell.a, plan.cell.b, plan.blocks) if tested else None
        for plan, tested in zip(plans, family, strict=True)
    ]
    adjusted = adjust([test.p if test else None for test in tests])
    size = sum(family)
    return [
        _untested(plan, comparable)
        if test is None or corrected is None
        else _tested(plan, test.p, corrected, test.exact, size)
        for plan, test, corrected in zip(plans, tests, adjusted, strict=True)
    ]


def _plan(cell: Cell, cells: int) -> _Plan:
    """Pairing is decided by the number of blocks and comparisons alone: choosing by the data
    would be cheating.
    """
    n_a, n_b = len(clean(cell.a)), len(clean(cell.b))
    pairs = paired_values(cell.a, cell.b, cell.blocks)
    if pairs is not None:
        floor = floor_p(len(pairs), len(pairs), paired=True)
        if floor * max(1, cells) * PAIR_MARGIN <= ALPHA:
            return _Plan(cell, n_a, n_b, cell.blocks, floor)
    return _Plan(cell, n_a, n_b, None, floor_p(n_a, n_b))


def _reaches(plan: _Plan, cells: int) -> bool:
    return plan.floor * cells <= ALPHA * (1 + 1e-12)


def _effect(plan: _Plan) -> Effect:
    if not plan.n_a or not plan.n_b:
        return NO_EFFECT
    return hodges_lehmann_ratio(plan.cell.a, plan.cell.b, plan.blocks)


def _untested(plan: _Plan, cells: int) -> Verdict:
    needed = too_few(plan.n_a, plan.n_b, cells=max(1, cells)).needed
    kind: Kind = "too few repeats"
    code = "too_few_in_family" if _reaches(plan, 1) else "too_few"
    if plan.cell.differing_factors:
        kind, code = "not comparable", "not_comparable"
    values = {
        "n_a": plan.n_a,
        "n_b": plan.n_b,
        "needed": needed,
        "cells": cells,
        "factors": ", ".join(plan.cell.differing_factors),
    }
    paired = plan.blocks is not None
    effect = _effect(plan)
    return Verdict(
        kind, code, effect, None, None, plan.n_a, plan.n_b, needed, paired, values=values
    )


def _tested(plan: _Plan, p: float, adjusted: float, exact: bool, cells: int) -> Verdict:
    effect = _effect(plan)
    kind, code = _conclusion(plan.cell, effect, p, adjusted)
    values = {
        "percent": _percent(effect.ratio),
        "low": _percent(effect.low),
        "high": _percent(effect.high),
        "minimum": plan.cell.minimum_effect * 100,
        "cells": cells,
        "n_a": plan.n_a,
        "n_b": plan.n_b,
    }
    return Verdict(
        kind,
        code,
        effect,
        p,
        adjusted,
        plan.n_a,
        plan.n_b,
        too_few(plan.n_a, plan.n_b, cells=cells).needed,
        plan.blocks is not None,
        exact,
        values,
    )


def _conclusion(cell: Cell, effect: Effect, p: float, adjusted: float) -> tuple[Kind, str]:
    """Both the corrected test and the interval must say so: what is printed never contradicts
    itself.
    """
    suffix = "" if None not in (effect.ratio, effect.low, effect.high) else "_unbounded"
    if adjusted > ALPHA or not effect.excludes_one:
        alone = p <= ALPHA and effect.excludes_one and not suffix
        return "no difference shown", "not_shown_in_family" if alone else "not_shown" + suffix
    if effect.ratio is not None and abs(effect.ratio - 1) < cell.minimum_effect:
        return "no difference shown", "below_minimum" if not suffix else "not_shown_unbounded"
    rises = effect.ratio is None or effect.ratio > 1
    kind: Literal["better", "worse"] = "better" if rises == cell.higher_is_better else "worse"
    return kind, kind + suffix


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else (ratio - 1) * 100
