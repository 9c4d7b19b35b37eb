"""Many comparisons at once say what each says alone, tests and intervals agree, drift is taken out;
a very large comparison is not listed.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from apps.stats import rank_tests
from apps.stats.designs import Design
from apps.stats.differences import INFINITE_LOG, differences
from apps.stats.intervals import effects_at
from apps.stats.multiplicity import is_reachable
from apps.stats.null_distributions import Floats
from apps.stats.order_statistics import kth_averages, kth_differences
from apps.stats.rank_tests import p_values
from apps.stats.sides import Sides, logarithms, without_drift
from apps.stats.tests.ratios import ratio

COARSE = st.integers(0, 6).map(float)
DESIGNS = [
    Design("all", ((6, 6),), ()),
    Design("pairs", ((1, 1),) * 6, ((6, 1.0),)),
    Design("blocks", ((3, 3), (3, 3)), ((2, 0.8),)),
]


def matrices(columns: int) -> st.SearchStrategy[Floats]:
    """Rows of repeats with ties and zeros."""
    return arrays(np.float64, (4, columns), elements=COARSE)


@pytest.mark.parametrize("design", DESIGNS)
@given(a=matrices(6), b=matrices(6))
def test_interval_excludes_1_exactly_where_p_is_within_its_level(
    design: Design, a: Floats, b: Floats
) -> None:
    sides = Sides(logarithms(a), logarithms(b))
    p = p_values(design, sides)
    for level in (0.05, 0.01, 0.3):
        assert effects_at(design, sides, level).excludes_one.tolist() == [
            is_reachable(one, level, 1) and design.floor < 1 for one in p.tolist()
        ]


@pytest.mark.parametrize("design", DESIGNS)
@given(a=matrices(6), b=matrices(6))
def test_rows_of_a_batch_are_tested_as_each_alone(design: Design, a: Floats, b: Floats) -> None:
    sides = Sides(logarithms(a), logarithms(b))
    alone = [float(p_values(design, sides.rows(slice(at, at + 1)))[0]) for at in range(4)]
    assert p_values(design, sides).tolist() == alone


@given(a=matrices(6), b=matrices(6))
def test_averages_that_are_counted_say_what_listed_ones_do(a: Floats, b: Floats) -> None:
    sides = Sides(logarithms(a), logarithms(b))
    listed = p_values(DESIGNS[1], sides).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_tests, "MAX_LISTED", 0)
        assert p_values(DESIGNS[1], sides).tolist() == listed


def test_drift_inside_blocks_is_taken_out_along_the_line_through_their_means() -> None:
    times = np.arange(8.0).reshape(1, 8)
    values = 0.05 * times
    a, b = [0, 3, 4, 7], [1, 2, 5, 6]
    sides = Sides(values[:, a], values[:, b], times[:, a], times[:, b])
    found = without_drift(Design("blocks", ((2, 2), (2, 2)), ()), sides)
    assert found.a == pytest.approx(np.array([[0.075, 0.075, 0.275, 0.275]]))
    assert found.b == pytest.approx(found.a)


@given(arrays(np.float64, (1, 8), elements=st.floats(0, 1)), st.permutations(range(4)))
def test_exchanging_labels_inside_a_block_changes_no_value_without_drift(
    values: Floats, order: list[int]
) -> None:
    """The test is exact because values do not depend on which side they are called."""
    design, times = Design("blocks", ((2, 2), (2, 2)), ()), np.arange(8.0).reshape(1, 8)

    def levelled(first: list[int]) -> list[float]:
        a, b = [*first[:2], 4, 7], [*first[2:], 5, 6]
        found = without_drift(design, Sides(values[:, a], values[:, b], times[:, a], times[:, b]))
        return sorted([*found.a[0].tolist(), *found.b[0].tolist()])

    assert levelled(order) == pytest.approx(levelled([0, 1, 2, 3]))


def near(values: list[float]) -> list[float]:
    """Values with infinity for what stands for it."""
    return [np.sign(value) * np.inf if abs(value) > 1000 else value for value in values]


@given(st.lists(COARSE, min_size=1, max_size=12), st.lists(COARSE, min_size=1, max_size=12))
def test_what_is_not_listed_is_found_all_the_same(a: list[float], b: list[float]) -> None:
    design = Design("all", ((len(a), len(b)),), ())
    sides = Sides(*(logarithms(np.array([side])) for side in (a, b)))
    ratios = sorted(differences(design, sides)[0].tolist())
    with np.errstate(divide="ignore"):
        logs_a, logs_b = (np.maximum(np.log(side), -INFINITE_LOG) for side in (a, b))
    found = near(kth_differences(logs_a, logs_b, range(len(ratios))))
    assert found == pytest.approx(ratios, abs=1e-12)
    assert np.sign(found).tolist() == np.sign(ratios).tolist()


@given(st.lists(st.sampled_from([-np.inf, -0.5, -0.1, 0.0, 0.1, 0.3, np.inf]), min_size=1))
def test_averages_are_found_without_listing_them(ratios: list[float]) -> None:
    design, zero = Design("pairs", ((1, 1),) * len(ratios), ()), np.zeros((1, len(ratios)))
    listed = sorted(differences(design, Sides(zero, np.array([ratios])))[0].tolist())
    found = near(kth_averages(np.clip(ratios, -INFINITE_LOG, INFINITE_LOG), range(len(listed))))
    assert found == pytest.approx(listed, abs=1e-9)


def test_thirty_thousand_repeats_a_side_have_a_ratio_with_an_interval() -> None:
    a = np.random.default_rng(1).lognormal(0, 0.02, 30_000)
    found = ratio(a, a * 1.1)
    assert found.ratio == pytest.approx(1.1, rel=1e-9)
    assert found.low is not None
    assert found.high is not None
    assert 1.09 < found.low < 1.1 < found.high < 1.11
    b = a[:2_000] * np.random.default_rng(2).lognormal(0.1, 0.01, 2_000)
    paired = ratio(a[:2_000], b, in_pairs=True)
    assert paired.ratio == pytest.approx(np.exp(0.1), rel=2e-3)
