"""Repeats that may decide an undecided limit, from the noise of those measured. Pure.

The repeats of both sides grow, as those of tunings of one run do, or only those of the candidate,
whose baseline is another run. A gate has hundreds of rows, so the number is that of a formula.
"""

from __future__ import annotations

from math import ceil, isfinite, log

from apps.analysis.gate.decisions import Decision, GateState, LimitedCell, Reason
from apps.stats.alpha_spending import FIRST_LOOK_SHARE
from apps.stats.multiplicity import ALPHA, is_reachable, min_p
from apps.stats.power import MAX_REPEATS, noise_of, repeats_by_formula
from apps.stats.repeats import RECOMMENDED_REPEATS

MIN_DISTANCE = 1e-4
"""Smallest distance to the limit, as a logarithm, that a number of repeats is computed for."""

SEPARATED = 4.0
"""Distance in standard deviations from which hardly any two repeats overlap.

The formula gives too many there; the smallest number with an interval is enough.
"""


def more_repeats(decision: Decision, cell: LimitedCell, *, fixed_baseline: bool) -> int | None:
    """Return the repeats to add to the candidate; None if no number up to a thousand may decide.

    `fixed_baseline`: no repeats are added to the baseline.
    """
    if decision.state is not GateState.UNDECIDED or decision.reason is Reason.UNBOUNDED:
        return None
    cells = _corrected_cells(decision, cell)
    n_b = decision.n_b
    floor = _floor_repeats(decision, cells, fixed_baseline=fixed_baseline)
    needed = _needed(decision, cell, cells, fixed_baseline=fixed_baseline)
    if floor is None or (needed is None and decision.reason is not Reason.TOO_FEW):
        return None
    return max(1, max(floor, needed or 0) - n_b)


def _corrected_cells(decision: Decision, cell: LimitedCell) -> int:
    """Return the comparisons that share the error at the next look.

    Only "failed" is corrected. A comparison without blocks divides the error among its looks.
    """
    cells = 1 if _is_good(decision, cell) else decision.limits
    if decision.design.test == "blocks" or not decision.design.looks:
        return cells
    spent = decision.design.looks[-1][1]
    return ceil(cells * FIRST_LOOK_SHARE / ((1 - spent) / 2))


def _is_good(decision: Decision, cell: LimitedCell) -> bool:
    """Return True if the estimate is on the good side of the limit."""
    ratio = decision.effect.ratio
    return ratio is not None and (ratio >= cell.limit) == cell.cell.higher_is_better


def _floor_repeats(decision: Decision, cells: int, *, fixed_baseline: bool) -> int | None:
    """Return the smallest repeats of the candidate that have an interval at all."""
    alpha, n_a, n_b = ALPHA * FIRST_LOOK_SHARE, decision.n_a, decision.n_b
    for n in range(max(2, n_b), MAX_REPEATS + 1):
        if is_reachable(min_p(n_a if fixed_baseline else n, n), alpha, cells):
            few = decision.reason is Reason.TOO_FEW
            return max(n, RECOMMENDED_REPEATS) if few else n
    return None


def _needed(
    decision: Decision, cell: LimitedCell, cells: int, *, fixed_baseline: bool
) -> int | None:
    """Return the repeats of the candidate that decide this distance from the limit, else None."""
    noise, ratio = _noise(cell), decision.effect.ratio
    if noise is None or not ratio:
        return None
    distance = abs(log(ratio / cell.limit))
    if distance >= SEPARATED * noise:
        return decision.n_b
    if distance < MIN_DISTANCE:
        return None
    equal = repeats_by_formula(distance / noise, cells)
    if not isfinite(equal) or equal > MAX_REPEATS:
        return None
    return _with_fixed(ceil(equal), decision.n_a) if fixed_baseline else ceil(equal)


def _with_fixed(equal: int, n_a: int) -> int | None:
    """Return the repeats beside `n_a` fixed ones that are as good as `equal` on both sides."""
    rest = 2 / equal - 1 / n_a if n_a else 0.0
    needed = ceil(1 / rest) if rest > 0 else MAX_REPEATS + 1
    return needed if needed <= MAX_REPEATS else None


def _noise(cell: LimitedCell) -> float | None:
    one = cell.cell
    if one.blocks is not None:
        inside = noise_of([one.a, one.b], [one.blocks.a, one.blocks.b])
        if inside is not None:
            return inside
    return noise_of([one.a, one.b])
