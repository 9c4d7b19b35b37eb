"""Many comparisons at once say what each says alone; a very large one is not listed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from apps.analysis.compare.stats import batch, hodges_lehmann_ratio, p_value_exact
from apps.analysis.compare.stats.select import kth_averages, kth_differences

COARSE = st.integers(0, 6).map(float)


def matrices(columns: int) -> st.SearchStrategy[batch.Floats]:
    """Rows of repeats with ties and zeros."""
    return arrays(np.float64, (4, columns), elements=COARSE)


@given(matrices(5), matrices(6))
def test_rows_of_a_batch_are_tested_as_each_alone(a: batch.Floats, b: batch.Floats) -> None:
    p, exact = batch.rank_sum(a, b)
    assert exact.all()
    assert p.tolist() == [p_value_exact(x, y).p for x, y in zip(a, b, strict=True)]


@given(matrices(6), matrices(6))
def test_blocks_of_a_batch_are_tested_as_each_alone(a: batch.Floats, b: batch.Floats) -> None:
    labels = list(range(6))
    p, _exact = batch.signed_rank(batch.block_ratios(a, b))
    alone = [p_value_exact(x, y, (labels, labels)).p for x, y in zip(a, b, strict=True)]
    assert p.tolist() == alone


@given(matrices(5), matrices(6))
def test_effects_of_a_batch_are_those_of_each_alone(a: batch.Floats, b: batch.Floats) -> None:
    found = batch.ratios_of(a, b)
    for row, (x, y) in enumerate(zip(a, b, strict=True)):
        alone = hodges_lehmann_ratio(x, y)
        for said, one in ((found.ratio, alone.ratio), (found.low, alone.low)):
            assert (None if np.isnan(said[row]) else said[row]) == one
        assert found.excludes_one[row] == alone.excludes_one


def near(values: list[float]) -> list[float]:
    """What stands for infinity as it."""
    return [np.sign(value) * np.inf if abs(value) > 1000 else value for value in values]


@given(st.lists(COARSE, min_size=1, max_size=12), st.lists(COARSE, min_size=1, max_size=12))
def test_what_is_not_listed_is_found_all_the_same(a: list[float], b: list[float]) -> None:
    ratios = sorted(batch.log_ratio(x, y) for x in a for y in b)
    with np.errstate(divide="ignore"):
        logs_a, logs_b = (np.maximum(np.log(side), -batch.FAR) for side in (a, b))
    found = near(kth_differences(logs_a, logs_b, range(len(ratios))))
    assert found == pytest.approx(ratios, abs=1e-12)
    assert np.sign(found).tolist() == np.sign(ratios).tolist()


@given(st.lists(st.sampled_from([-np.inf, -0.5, -0.1, 0.0, 0.1, 0.3, np.inf]), min_size=1))
def test_averages_are_found_without_listing_them(ratios: list[float]) -> None:
    listed = sorted(batch._averages(np.array([ratios]))[0])
    found = near(kth_averages(np.clip(ratios, -batch.FAR, batch.FAR), range(len(listed))))
    assert found == pytest.approx(listed, abs=1e-9)


def test_thirty_thousand_repeats_a_side_have_a_ratio_with_an_interval() -> None:
    a = np.random.default_rng(1).lognormal(0, 0.02, 30_000)
    found = hodges_lehmann_ratio(a, a * 1.1)
    assert found.ratio == pytest.approx(1.1, rel=1e-9)
    assert found.low is not None
    assert found.high is not None
    assert 1.09 < found.low < 1.1 < found.high < 1.11
    labels = list(range(2_000))
    b = a[:2_000] * np.random.default_rng(2).lognormal(0.1, 0.01, 2_000)
    paired = hodges_lehmann_ratio(a[:2_000], b, (labels, labels))
    assert paired.ratio == pytest.approx(np.exp(0.1), rel=2e-3)
