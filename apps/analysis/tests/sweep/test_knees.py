"""The uncertainty of a knee: from repeats, within blocks, and when it is not settled."""

from __future__ import annotations

import pytest

from apps.analysis.sweep.knees import PointSample, knee_of

RATES = {1: 1_000.0, 4: 3_900.0, 16: 9_450.0, 64: 9_950.0, 256: 9_900.0}
BLOCKS = tuple(range(1, 9))


def samples(factors: dict[int, tuple[float, ...]], blocks: tuple[int, ...]) -> list[PointSample]:
    """The rate at each depth times the factors of its repeats, by depth or for all (0)."""
    return [
        PointSample(depth, tuple(rate * f for f in factors.get(depth, factors[0])), blocks)
        for depth, rate in RATES.items()
    ]


EVEN = (1.0,) * 8
NOISE = (0.99, 1.01, 1.02, 0.98, 1.0, 1.015, 0.985, 1.005)


def test_knee_of_equal_repeats_has_no_range() -> None:
    found = knee_of(samples({0: EVEN}, BLOCKS))
    assert found is not None
    assert (found.x, found.low, found.high, found.is_settled) == (64, 64, 64, True)


def test_knee_near_the_limit_has_a_range() -> None:
    found = knee_of(samples({0: NOISE, 16: NOISE[::-1]}, (0,) * 8))
    assert found is not None
    assert (found.x, found.low, found.high, found.is_settled) == (64, 16, 64, True)


def test_noise_that_a_block_shares_does_not_widen_the_range() -> None:
    shared = knee_of(samples({0: NOISE}, BLOCKS))
    assert shared is not None
    assert (shared.low, shared.high) == (64, 64)


def test_same_repeats_always_give_same_range() -> None:
    rows = samples({0: NOISE, 16: NOISE[::-1]}, (0,) * 8)
    assert knee_of(rows) == knee_of(rows)


@pytest.mark.parametrize(
    ("factors", "repeats"),
    [((1.0,) * 4, 4), ((0.8, 1.2, 1.0, 0.85, 1.15), 5)],
    ids=["too few repeats", "too wide a spread"],
)
def test_knee_of_doubtful_repeats_is_not_settled(factors: tuple[float, ...], repeats: int) -> None:
    found = knee_of(samples({0: factors}, (0,) * repeats))
    assert found is not None
    assert not found.is_settled


def test_rise_without_an_end_has_no_knee() -> None:
    rows = [PointSample(x, (float(x),) * 5, (0,) * 5) for x in (1, 2, 4)]
    assert knee_of(rows) is None
