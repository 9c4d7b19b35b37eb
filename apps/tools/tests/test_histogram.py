"""fio's log-linear bins."""

from collections import Counter
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from apps.tools.histogram import (
    LAST_INDEX,
    bin_index,
    bin_top,
    bin_value,
    from_counts,
    latency_of,
    merge,
    percentiles,
)
from apps.tools.parse_result import Histogram

latencies = st.lists(st.integers(0, 10**12), min_size=1, max_size=200)


def from_latencies(values: Iterable[int]) -> Histogram | None:
    return from_counts(Counter(bin_value(bin_index(ns)) for ns in values))


def test_every_bin_holds_its_own_name() -> None:
    assert [bin_index(bin_value(index)) for index in range(LAST_INDEX + 1)] == list(
        range(LAST_INDEX + 1)
    )


def test_names_that_fio_prints() -> None:
    # Read in fio 3.33's JSON+: these bins hold these latencies.
    assert [bin_value(bin_index(ns)) for ns in (1723, 2425, 5219)] == [1720, 2416, 5216]


@given(st.integers(0, 2**33))
def test_a_bin_is_off_by_less_than_a_sixtyfourth(ns: int) -> None:
    assert abs(bin_value(bin_index(ns)) - ns) <= ns / 64


@given(latencies, latencies)
def test_adding_is_the_same_as_measuring_together(one: list[int], other: list[int]) -> None:
    assert merge([from_latencies(one), from_latencies(other)]) == from_latencies(one + other)


@given(latencies)
def test_percentiles_ascend_within_the_limits(values: list[int]) -> None:
    histogram = from_latencies(values)
    assert histogram is not None
    found = list(percentiles(histogram).values())
    assert found == sorted(found)
    assert histogram.bins[0] <= found[0] <= found[-1] <= histogram.bins[-1]


def test_percentiles_of_a_known_distribution() -> None:
    histogram = Histogram(bins=(10, 20, 30), counts=(50, 49, 1))
    assert percentiles(histogram, ["99.9", "50", "51", "99"]) == {
        "50": 10,
        "51": 20,
        "99": 20,
        "99.9": 30,
    }
    latency = latency_of(histogram)
    assert (latency.min, latency.mean, latency.max) == (10, 15.1, 30)


def test_percentile_of_a_rank_in_doubles_is_the_one_of_long_doubles() -> None:
    """fio computes in C's long double: 99.95 as a double is above 99.95, by 2.8e-15."""
    histogram = Histogram(bins=(100, 200), counts=(1999, 1))

    assert percentiles(histogram, ["99.95"]) == {"99.95": 200}


def test_averaging_percentiles_would_be_wrong() -> None:
    fast = Histogram(bins=(10,), counts=(990,))
    slow = Histogram(bins=(1000,), counts=(10,))
    both = merge([fast, slow])
    assert both is not None
    assert percentiles(both, ["99"]) == {"99": 10}


def test_the_top_of_a_bin_is_the_last_latency_in_it() -> None:
    for ns in (0, 63, 127, 128, 129, 1_000, 65_536, 119_296, 324_639_775):
        top = bin_top(bin_value(bin_index(ns)))
        assert bin_index(top) == bin_index(ns)
        assert bin_index(top + 1) == bin_index(ns) + 1
