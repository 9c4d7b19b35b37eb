"""Adding latency histograms and asking them, against fio's own figures and against listing."""

from __future__ import annotations

import json
import shutil
import subprocess
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.domain.histograms import cdf, merge, percentiles, to_fixed
from apps.tools.histogram import bin_index, bin_value
from apps.tools.series.histograms import lower_edges, upper_edges
from tests.harness.documents import Document

COUNTS = st.dictionaries(st.integers(0, 2**40), st.integers(1, 1000), min_size=1, max_size=40)


def split(counts: dict[int, int]) -> tuple[list[int], list[int]]:
    """Bins ascending, and their counts."""
    return sorted(counts), [counts[b] for b in sorted(counts)]


def test_merging_adds_counts_per_bin() -> None:
    bins, counts = merge([([1, 5], [2, 3]), ([5, 9], [4, 1]), ([], [])])
    assert bins.tolist() == [1, 5, 9]
    assert counts.tolist() == [2, 7, 1]


def test_merging_nothing_is_empty() -> None:
    bins, counts = merge([])
    assert (len(bins), len(counts)) == (0, 0)


@given(COUNTS, COUNTS)
def test_merging_keeps_every_operation(one: dict[int, int], two: dict[int, int]) -> None:
    bins, counts = merge([split(one), split(two)])
    assert counts.sum() == sum(one.values()) + sum(two.values())
    assert (np.diff(bins) > 0).all()


@given(COUNTS, st.sampled_from([1.0, 25.0, 50.0, 75.0, 100.0]))
def test_percentile_is_the_value_of_that_rank(drawn: dict[int, int], wanted: float) -> None:
    bins, counts = split(drawn)
    every = np.repeat(bins, counts)
    # these percentages are exact in binary, so the rank is exact too
    rank = max(1, ceil(wanted * len(every) / 100))
    assert percentiles(bins, counts, [wanted]) == [every[rank - 1]]


def test_percentiles_round_as_c_does() -> None:
    # 99.9 as a double is a little more than 99.9, so 999 of 1000 are not yet enough for fio
    assert percentiles([1, 2], [999, 1], [99.9]) == [2]
    assert percentiles([1, 2], [9990, 10], [99.0, 50.0]) == [1, 1]


def test_ends_skip_empty_bins() -> None:
    assert percentiles([1, 2, 3, 4], [0, 5, 5, 0], [0.0, 100.0]) == [2, 3]


@pytest.mark.parametrize(("bins", "counts"), [([], []), ([7], [0])])
def test_no_operation_has_no_percentile(bins: list[int], counts: list[int]) -> None:
    assert percentiles(bins, counts, [50, 99]) == [None, None]


def test_merged_percentile_is_not_the_mean_of_percentiles() -> None:
    fast, slow = ([10, 20], [990, 10]), ([1000, 2000], [50, 50])
    merged = merge([fast, slow])
    assert percentiles(*merged, [99])[0] == 2000
    assert (percentiles(*fast, [99])[0], percentiles(*slow, [99])[0]) == (10, 2000)


def test_cdf_climbs_to_one_and_leaves_empty_bins_out() -> None:
    values, share = cdf([10, 20, 30], [1, 0, 3])
    assert values.tolist() == [10, 30]
    assert share.tolist() == [0.25, 1.0]
    assert [len(part) for part in cdf([5], [0])] == [0, 0]


@given(st.integers(0, 2**33))
def test_bins_are_those_the_parsers_use(value: int) -> None:
    middle = bin_value(bin_index(value))
    lower = lower_edges(np.array([value]))
    assert lower[0] <= middle < upper_edges(lower)[0]
    assert lower_edges(np.array([middle])) == lower


@given(COUNTS)
def test_display_buckets_adjoin_and_keep_every_operation(drawn: dict[int, int]) -> None:
    bins, counts = split(drawn)
    low, high, shown = to_fixed(bins, counts, most=60)
    assert len(low) <= 60
    assert shown.sum() == sum(counts)
    assert (low[1:] == high[:-1]).all()
    for value, count in zip(bins, counts, strict=True):
        place = np.searchsorted(low, value, side="right") - 1
        assert low[place] <= value < high[place]
        assert shown[place] >= count


def test_a_narrow_histogram_keeps_its_own_bins() -> None:
    low, high, shown = to_fixed([129, 131, 135], [1, 2, 3])
    assert low.tolist() == [128, 130, 132, 134]
    assert high.tolist() == [130, 132, 134, 136]
    assert shown.tolist() == [1, 2, 0, 3]


def test_nothing_to_display() -> None:
    assert [len(part) for part in to_fixed([], [])] == [0, 0, 0]


def test_too_few_buckets_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 3 octaves"):
        to_fixed([1, 2**30], [1, 1], most=3)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_equals_what_fio_prints(tmp_path: Path) -> None:
    command = (
        "fio --name=r --rw=randrw --bs=4k --size=4m --filename=data --ioengine=psync --numjobs=2 "
        "--time_based --runtime=1 --group_reporting --output-format=json+ --output=out.json "
        "--percentile_list=1:10:50:90:95:99:99.5:99.9:99.95:99.99"
    )
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True, timeout=60)
    job: Document = json.loads((tmp_path / "out.json").read_text())["jobs"][0]
    for operation in ("read", "write"):
        latency = job[operation]["clat_ns"]
        bins, counts = split({int(k): v for k, v in latency["bins"].items()})
        printed = sorted((float(k), v) for k, v in latency["percentile"].items())
        assert percentiles(bins, counts, [p for p, _ in printed]) == [v for _, v in printed]
        values = np.array(bins)
        lower = lower_edges(values)
        assert ((lower <= values) & (values < upper_edges(lower))).all()
