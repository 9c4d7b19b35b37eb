"""Decisions of a gate on simulated repeats."""

from __future__ import annotations

import numpy as np
import pytest

from apps.analysis.gate.decisions import (
    Decision,
    GateState,
    LimitedCell,
    Reason,
    decide,
    worst_state,
)
from apps.analysis.gate.more_repeats import more_repeats
from apps.analysis.verdicts.batches import ChainCell

SEED = 20_261_128
MAX_FALSE = 63
"""Of 1,000 gates: 5 % and two standard errors."""


def cell(
    a: list[float], b: list[float], limit: float = 0.95, *, higher: bool = True
) -> LimitedCell:
    return LimitedCell(ChainCell(np.array(a), np.array(b), higher), limit)


def near(value: float, repeats: int, spread: float = 0.002) -> list[float]:
    return [value * (1 + spread * (number % 5 - 2) / 2) for number in range(repeats)]


def one(*args: object, **more: object) -> Decision:
    return decide([cell(*args, **more)])[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ratio", "repeats", "higher", "limit", "state", "reason"),
    [
        (0.90, 6, True, 0.95, GateState.FAILED, Reason.NONE),
        (0.995, 6, True, 0.95, GateState.PASSED, Reason.NONE),
        (2.0, 6, True, 0.95, GateState.PASSED, Reason.NONE),
        (0.95, 6, True, 0.95, GateState.UNDECIDED, Reason.INSIDE),
        (0.50, 3, True, 0.95, GateState.UNDECIDED, Reason.TOO_FEW),
        (1.30, 6, False, 1.10, GateState.FAILED, Reason.NONE),
        (1.02, 6, False, 1.10, GateState.PASSED, Reason.NONE),
        (0.0, 6, True, 0.95, GateState.FAILED, Reason.NONE),
    ],
)
def test_decision_of_a_ratio_follows_its_whole_interval(
    ratio: float, repeats: int, higher: bool, limit: float, state: GateState, reason: Reason
) -> None:
    decision = one(near(1000, repeats), near(1000 * ratio, repeats), limit, higher=higher)
    assert (decision.state, decision.reason) == (state, reason)


def test_decision_with_differing_factors_is_not_comparable_and_takes_no_part() -> None:
    lonely = LimitedCell(
        ChainCell(np.array(near(1, 6)), np.array(near(0.5, 6)), True, 0.0, ("kernel",)), 0.95
    )
    other, alone = decide([lonely, cell(near(1, 6), near(0.5, 6))])
    assert other.state is GateState.NOT_COMPARABLE
    assert (alone.state, alone.limits) == (GateState.FAILED, 1)


def test_decision_among_many_limits_needs_more_evidence_to_fail_but_not_to_pass() -> None:
    bad, good = cell(near(1000, 4), near(900, 4)), cell(near(1000, 4), near(999, 4))
    assert decide([bad])[0].state is GateState.FAILED
    crowd = decide([bad, *[good] * 40])
    assert (crowd[0].state, crowd[0].reason) == (GateState.UNDECIDED, Reason.ALONE)
    assert {one.state for one in crowd[1:]} == {GateState.PASSED}


def test_decision_against_zero_is_undecided() -> None:
    decision = one([0.0] * 6, near(1000, 6))
    assert (decision.state, decision.reason) == (GateState.UNDECIDED, Reason.UNBOUNDED)


def simulated(
    rng: np.random.Generator, ratios: list[float], repeats: int, limit: float
) -> GateState:
    noise = 0.03
    cells = [
        cell(
            list(rng.lognormal(0, noise, repeats)),
            list(ratio * rng.lognormal(0, noise, repeats)),
            limit,
        )
        for ratio in ratios
    ]
    return worst_state([one.state for one in decide(cells)])


@pytest.mark.parametrize(("limits", "repeats"), [(1, 6), (8, 10)])
def test_gates_without_a_difference_fail_rarely(limits: int, repeats: int) -> None:
    """The limit of 0.1 % is far below the noise of 3 %, so the truth lies almost on it."""
    rng = np.random.default_rng(SEED)
    states = [simulated(rng, [1.0] * limits, repeats, 0.999) for _gate in range(1000)]
    assert states.count(GateState.FAILED) <= MAX_FALSE


@pytest.mark.parametrize("limits", [1, 8])
def test_gates_with_one_bad_workload_pass_rarely(
    limits: int,
) -> None:
    rng = np.random.default_rng(SEED)
    ratios = [0.949, *[1.0] * (limits - 1)]
    states = [simulated(rng, ratios, 10, 0.95) for _gate in range(1000)]
    assert states.count(GateState.PASSED) <= MAX_FALSE


def test_more_repeats_grow_with_the_noise_and_need_a_baseline_of_some_size() -> None:
    def needed(noise: float, *, fixed: bool) -> int | None:
        mine = cell(near(1000, 6, noise), near(970, 6, noise))
        (decision,) = decide([mine])
        assert decision.state is GateState.UNDECIDED
        return more_repeats(decision, mine, fixed_baseline=fixed)

    small, large = needed(0.03, fixed=False), needed(0.08, fixed=False)
    assert small is not None
    assert large is not None
    assert 0 < small < large
    # Six repeats of the baseline cannot carry as much, however many are added to the run.
    assert needed(0.08, fixed=True) is None


def test_more_repeats_of_three_are_three_for_an_interval() -> None:
    mine = cell(near(1000, 3), near(900, 3))
    (decision,) = decide([mine])
    assert more_repeats(decision, mine, fixed_baseline=False) == 3


def test_worst_state_without_rows_has_no_result() -> None:
    assert worst_state([]) is GateState.NO_RESULT
    assert worst_state([GateState.PASSED, GateState.FAILED]) is GateState.FAILED
