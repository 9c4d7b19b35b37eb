"""Bins as arrays do what histograms of single numbers do."""

import random

import numpy as np
import pytest

from apps.tools import histogram as plain
from apps.tools.fio.parser.bins import bins as arrays
from apps.tools.fio.parser.bins.bins import (
    EMPTY,
    Bins,
    added,
    from_counts,
    from_mapping,
    grown,
)
from apps.tools.parse_result import Histogram

WANTED = ("0.01", "1", "50", "90", "99", "99.9", "99.99", "100")


def some(seed: int) -> dict[int, int]:
    """A distribution on fio's bins."""
    chance = random.Random(seed)
    places = chance.sample(range(plain.LAST_INDEX + 1), 200)
    return {plain.bin_value(place): chance.randrange(1, 1000) for place in places}


def test_histogram_and_percentiles_are_those_of_single_numbers() -> None:
    for seed in range(20):
        expected = plain.from_counts(some(seed))
        assert expected
        assert arrays.histogram(from_mapping(some(seed))) == expected
        ours = arrays.percentiles(from_mapping(some(seed)), WANTED)
        assert ours == plain.percentiles(expected, WANTED)


@pytest.mark.parametrize("shift", [0, 1])
def test_added_bins_are_the_merged_histogram(shift: int) -> None:
    """Shifted by one, most values are none of fio's."""
    parts = [{value + shift: count for value, count in some(seed).items()} for seed in range(5)]
    total = added([from_mapping(part) for part in parts])
    assert arrays.histogram(total) == plain.merge(plain.from_counts(part) for part in parts)
    assert total.operations == sum(sum(part.values()) for part in parts)


def test_nothing_stays_nothing() -> None:
    assert not EMPTY
    assert not added([EMPTY, EMPTY])
    assert arrays.histogram(EMPTY) is None
    assert arrays.percentiles(EMPTY, WANTED) == {}
    assert arrays.histogram(from_mapping({5: 0})) is None


def test_what_grew_is_the_difference() -> None:
    before, more = from_mapping(some(1)), from_mapping(some(2))
    after = added([before, more])
    difference = grown(before, after)
    assert difference
    assert arrays.histogram(difference) == arrays.histogram(more)
    assert grown(EMPTY, after) is after


@pytest.mark.parametrize("after", [{1: 2, 3: 3}, {1: 3}, {3: 9}, {1: 3, 2: 9}, {}])
def test_bins_that_shrank_or_vanished_were_counted_anew(after: dict[int, int]) -> None:
    assert grown(from_mapping({1: 3, 3: 3}), from_mapping(after)) is None


def test_absurd_counts_are_left_out() -> None:
    bins = from_mapping({1: 2**60, 2: -1, 2**63: 1, -1: 1, 7: 4})
    assert arrays.histogram(bins) == Histogram((7,), (4,))


@pytest.mark.parametrize(
    "counts", [{2: 1, 1: 1}, {-1: 1}, {10**16: 1}, {1: -1}, {1: 2**50}], ids=repr
)
def test_bins_that_fio_does_not_print_are_refused(counts: dict[int, int]) -> None:
    assert from_counts(counts) is None


def test_bins_of_one_object_keep_their_order_and_counts() -> None:
    found = from_counts({1: 3, 5: 0, 7: 2})
    assert found is not None
    assert (found.values.tolist(), found.counts.tolist()) == ([1, 5, 7], [3, 0, 2])


def test_bins_of_one_part_are_taken_as_they_are() -> None:
    part = Bins(np.array([1, 2]), np.array([3, 4]))
    assert added([part]) is part
