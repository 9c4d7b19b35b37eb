"""Decisions of a gate: repeats of two sides against a limit of their ratio. Pure.

Two errors are controlled for the whole gate, however many limits it has:

- a false "failed": the intervals that fail are corrected for all limits (Bonferroni; limits that
  so few repeats can never fail take no part, Tarone 1990);
- a false "passed" of the whole gate: it passes only if every limit passes, so each may use its own
  interval of 95 % (intersection-union test; Berger 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from apps.analysis.verdicts.batches import Batch, ChainCell, batches
from apps.stats.designs import Design
from apps.stats.effect import Effect, effects
from apps.stats.intervals import effects_each
from apps.stats.multiplicity import ALPHA, is_reachable, reachable
from apps.stats.null_distributions import Flags


class GateState(StrEnum):
    """State of a limit, and of the whole gate; the worst first."""

    FAILED = "failed"
    NO_RESULT = "no_result"
    NOT_COMPARABLE = "not_comparable"
    UNDECIDED = "undecided"
    PASSED = "passed"


STATES = tuple(GateState)


class Reason(StrEnum):
    """Reason of an undecided limit."""

    NONE = ""
    INSIDE = "inside"
    """The limit lies inside the interval."""
    ALONE = "alone"
    """The repeats would fail one limit, but not one of so many."""
    TOO_FEW = "too_few"
    """So few repeats have no interval."""
    UNBOUNDED = "unbounded"
    """One side measured zero."""


@dataclass(frozen=True)
class LimitedCell:
    """Comparison with a limit: the ratio of b to a that is still good."""

    cell: ChainCell
    limit: float


@dataclass(frozen=True)
class Decision:
    """Decision on one limit.

    `effect` has the interval that decided it, of confidence 1 - `level`; `limits`: number of limits
    that share the error of a false "failed".
    """

    state: GateState
    reason: Reason
    effect: Effect
    level: float
    limits: int
    n_a: int
    n_b: int
    design: Design


def decide(cells: Sequence[LimitedCell]) -> list[Decision]:
    """Return the decisions on the limits of one gate, in their order.

    A cell with `differing_factors` is not comparable and takes no part.
    """
    chains = [[one.cell] for one in cells]
    comparable = np.array([not one.cell.differing_factors for one in cells], dtype=np.bool_)
    count = max(1, int(np.count_nonzero(comparable)))
    heads = batches(chains, np.arange(len(cells)), 0, count)
    counted = _reachable_limits(comparable, heads)
    limits = int(np.count_nonzero(counted))
    result: dict[int, Decision] = {}
    for batch in heads:
        result |= _decide_batch(batch, cells, counted, limits or count)
    return [result[index] for index in range(len(cells))]


def _reachable_limits(comparable: Flags, heads: Sequence[Batch]) -> Flags:
    """Return a mask of the limits that could fail; it depends on numbers of repeats only."""
    floors = np.ones(len(comparable))
    for batch in heads:
        floors[batch.chain_indices] = batch.design.floor
    return np.array(reachable(np.where(comparable, floors, 1.0)), dtype=np.bool_)


def _decide_batch(
    batch: Batch, cells: Sequence[LimitedCell], counted: Flags, limits: int
) -> dict[int, Decision]:
    design, rows = batch.design, len(batch.chain_indices)
    own = effects(effects_each(design, batch.sides, np.full(rows, ALPHA)))
    corrected = effects(effects_each(design, batch.sides, np.full(rows, ALPHA / limits)))
    result = {}
    for index, alone, together in zip(batch.chain_indices.tolist(), own, corrected, strict=True):
        cell = cells[index]
        state, reason, effect, level = _decided(
            cell, alone, together if counted[index] else None, ALPHA / limits
        )
        if reason is Reason.UNBOUNDED and not is_reachable(design.floor, ALPHA, 1):
            reason = Reason.TOO_FEW
        if cell.cell.differing_factors:
            state, reason = GateState.NOT_COMPARABLE, Reason.NONE
        result[index] = Decision(state, reason, effect, level, limits, *batch.counts, design)
    return result


def _decided(
    cell: LimitedCell, alone: Effect, together: Effect | None, level: float
) -> tuple[GateState, Reason, Effect, float]:
    """Return state, reason, and the interval with its level.

    `together`: effect with the corrected interval, None if the repeats are too few for one.
    """
    if together is not None and _is_beyond(together, cell):
        return GateState.FAILED, Reason.NONE, together, level
    if _is_within(alone, cell):
        return GateState.PASSED, Reason.NONE, alone, ALPHA
    if _is_beyond(alone, cell):
        return GateState.UNDECIDED, Reason.ALONE, alone, ALPHA
    if alone.low is None or alone.high is None:
        return GateState.UNDECIDED, Reason.UNBOUNDED, alone, ALPHA
    if together is None or together.low is None or together.high is None:
        return GateState.UNDECIDED, Reason.INSIDE, alone, ALPHA
    return GateState.UNDECIDED, Reason.INSIDE, together, level


def _is_beyond(effect: Effect, cell: LimitedCell) -> bool:
    """Return True if the whole interval is worse than the limit."""
    if cell.cell.higher_is_better:
        return effect.high is not None and effect.high < cell.limit
    return effect.low is not None and effect.low > cell.limit


def _is_within(effect: Effect, cell: LimitedCell) -> bool:
    """Return True if the whole interval is on the good side of the limit, or on it."""
    if cell.cell.higher_is_better:
        return effect.low is not None and effect.low >= cell.limit
    return effect.high is not None and effect.high <= cell.limit


def worst_state(states: Sequence[GateState]) -> GateState:
    """Return the state of a gate; without any limit it has no result."""
    return min(states, key=STATES.index, default=GateState.NO_RESULT)
