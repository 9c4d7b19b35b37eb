"""Results of several hosts added: every expected number is a sum made by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.multi_host import overlap
from apps.tools.multi_host.host_results import HostResult
from apps.tools.multi_host.merge import labelled, merge
from apps.tools.parse_result import Histogram, Latency, Measurement, Parsed, Series

MIB = 1024 * 1024


def measured(operation: str = "read", **fields: object) -> Measurement:
    values = {"bandwidth": 40960.0, "iops": 10.0, "values": {"runtime": 4.0, "total_ios": 40}}
    return Measurement(operation, **values | fields)  # type: ignore[arg-type] # fields by name


def share(host: str, *found: Measurement, start: float = 0.0, **labels: str) -> HostResult:
    return HostResult(host, Parsed("fio", "json", "3.33", found), start, labels)


def whole(*shares: HostResult) -> Measurement:
    return merge(shares).measurements[0]


def test_hosts_that_ran_together_add_up_to_the_last_digit() -> None:
    merged = merge([share("a", measured(iops=10.1)), share("b", measured(iops=20.2))])
    total = merged.measurements[0]
    assert (total.component, total.iops, total.bandwidth) == ("", 10.1 + 20.2, 81920.0)
    assert total.values["total_ios"] == 80
    assert total.values["overlap"] == 1.0
    assert [m.component for m in merged.measurements[1:]] == ["a", "b"]
    assert merged.warnings == ()


def test_only_the_time_in_which_all_ran_counts() -> None:
    """b starts a second later: of a's 10+20+30+40 operations 20+30+40 lie in the common three
    seconds, of b's 5+5+5+5 the first three.
    """
    a = measured(iops=25.0, series=[Series("iops", (10.0, 20.0, 30.0, 40.0))])
    b = measured(iops=5.0, series=[Series("iops", (5.0, 5.0, 5.0, 5.0))])
    total = whole(share("a", a), share("b", b, start=1.0))
    assert total.iops == pytest.approx((20 + 30 + 40 + 15) / 3)
    assert total.values["common_seconds"] == 3.0
    assert total.values["runtime"] == 5.0
    assert total.values["overlap"] == 0.75


def test_merge_without_series_adds_averages_with_a_warning() -> None:
    merged = merge([share("a", measured()), share("b", measured(), start=1.0)])
    assert merged.measurements[0].iops == 20.0
    assert "only 75% of the time" in merged.warnings[0]


def test_a_small_shift_without_a_series_is_not_worth_a_word() -> None:
    assert merge([share("a", measured()), share("b", measured(), start=0.02)]).warnings == ()


def test_hosts_that_never_ran_at_the_same_time_have_no_sum() -> None:
    series = [Series("iops", (10.0,) * 4)]
    late = share("b", measured(series=series), start=4.0)
    merged = merge([share("a", measured(series=series)), late])
    total = merged.measurements[0]
    assert (total.iops, total.bandwidth) == (None, None)
    assert merged.completeness == "partial"
    assert merged.warnings == ("read: the hosts never ran at the same time, so there is no sum",)


def test_a_sum_without_one_of_the_hosts_is_not_whole() -> None:
    merged = merge([share("a", measured()), share("b", measured("write"))])
    assert merged.completeness == "partial"
    assert merged.warnings == ("b has no figures for read", "a has no figures for write")


def test_percentiles_come_from_the_added_histogram() -> None:
    """99 fast operations and one slow one, against one fast and 99 slow ones: half of 200 are fast,
    while the average of the two medians would be neither.
    """
    fast, slow = 1_000, 1_000_000
    percents = {"50": 0.0, "99": 0.0}
    a = measured(
        histogram=Histogram((fast, slow), (99, 1)), latency=Latency(900, 2_000, slow, 0, percents)
    )
    b = measured(
        histogram=Histogram((fast, slow), (1, 99)), latency=Latency(950, 900_000, slow + 5, 0, {})
    )
    total = whole(share("a", a), share("b", b))
    assert total.histogram == Histogram((fast, slow), (100, 100))
    assert total.latency.percentiles == {"50": fast, "99": slow}
    assert (total.latency.min, total.latency.max) == (900, slow + 5)
    assert total.latency.mean == (100 * 2_000 + 100 * 900_000) / 200


def test_without_every_histogram_there_are_no_percentiles() -> None:
    a = measured(histogram=Histogram((1,), (40,)), latency=Latency(mean=1.0, percentiles={"50": 1}))
    b = measured(latency=Latency(mean=3.0, percentiles={"50": 3}))
    total = whole(share("a", a), share("b", b))
    assert total.histogram is None
    assert total.latency.percentiles == {}
    assert total.latency.mean == 2.0


def test_the_mean_is_that_of_all_operations() -> None:
    """1 and 3, and three times 5: mean 19 / 5; squares 1 + 9 + 75 = 85, so 85/5 - 3.8² = 2.56."""
    a = measured(values={"runtime": 1.0, "total_ios": 2}, latency=Latency(mean=2.0, stddev=1.0))
    b = measured(values={"runtime": 1.0, "total_ios": 3}, latency=Latency(mean=5.0, stddev=0.0))
    latency = whole(share("a", a), share("b", b)).latency
    assert latency.mean == pytest.approx(3.8)
    assert latency.stddev == pytest.approx(1.6)


def test_what_one_host_says_of_the_whole_cluster_stays_with_the_whole() -> None:
    asked = measured(iops=1.0, values={"runtime": 1.0, "ceph": {"health": "HEALTH_OK"}})
    other = measured(iops=1.0, values={"runtime": 1.0})
    assert whole(share("node1", asked), share("node2", other)).values["ceph"] == {
        "health": "HEALTH_OK"
    }


def test_an_unknown_figure_is_not_taken_for_nothing() -> None:
    total = whole(share("a", measured(bandwidth=None)), share("b", measured()))
    assert total.bandwidth is None
    assert total.iops == 20.0


def test_a_host_without_an_operation_is_named() -> None:
    merged = merge([share("a", measured("read"), measured("write")), share("b", measured("read"))])
    assert "b has no figures for write" in merged.warnings
    assert [m.iops for m in merged.measurements if not m.component] == [20.0, 10.0]


def test_a_host_that_never_synced_lacks_nothing() -> None:
    synced = measured("sync", bandwidth=None, values={"runtime": 4.0, "total_ios": 2}, iops=0.5)
    merged = merge([share("a", measured("write"), synced), share("b", measured("write"))])
    assert merged.completeness == "whole"
    assert merged.warnings == ()
    sync = next(m for m in merged.measurements if m.operation == "sync" and not m.component)
    assert (sync.bandwidth, sync.iops) == (None, 0.5)


def test_series_meet_on_the_first_hosts_axis() -> None:
    """Half a second apart: each second of the sum holds halves of two of b's."""
    a = measured(series=[Series("iops", (10.0, 10.0))], values={"runtime": 2.0})
    b = measured(series=[Series("iops", (4.0, 8.0))], values={"runtime": 2.0})
    merged = merge([share("a", a), share("b", b, start=0.5)])
    total, first, second = merged.measurements
    assert total.series[0] == Series("iops", (10 + 2.0, 10 + 6.0, 4.0), 0.0, 1.0)
    assert first.series[0].start == 0.0
    assert second.series[0].start == 0.5


def test_merge_weights_mean_latency_and_drops_percentiles_over_time() -> None:
    def found(iops: float, mean: float | None) -> Measurement:
        names = {"iops": iops, "latency_mean": mean, "latency_p99": 9.0}
        series = [Series(name, (value, value)) for name, value in names.items()]
        return measured(series=series, values={"runtime": 2.0})

    total = whole(share("a", found(30.0, 1.0)), share("b", found(10.0, 5.0)))
    assert {s.metric: s.values for s in total.series} == {
        "iops": (40.0, 40.0),
        "latency_mean": (2.0, 2.0),
    }
    alone = whole(share("a", found(30.0, 1.0)), share("b", found(0.0, None)))
    assert alone.series[1].values == (1.0, 1.0)


def test_a_gap_in_one_host_is_a_gap_in_the_sum() -> None:
    a = measured(series=[Series("iops", (10.0, None, 10.0))], values={"runtime": 3.0})
    b = measured(series=[Series("iops", (1.0, 2.0, 3.0))], values={"runtime": 3.0})
    assert whole(share("a", a), share("b", b)).series[0].values == (11.0, None, 13.0)


def test_several_targets_of_several_hosts_keep_their_names() -> None:
    a = share("a", measured(), measured(component="target0"), target0="a vdb", target1="a vdc")
    assert [m.component for m in merge([a, share("b", measured())]).measurements] == [
        "",
        "a",
        "a vdb",
        "b",
    ]


def test_one_hosts_targets_get_their_labels() -> None:
    parsed = Parsed("fio", "json", None, (measured(), measured(component="target1")))
    labels = {"target0": "vdb", "target1": "vdc"}
    assert [m.component for m in labelled(parsed, labels).measurements] == ["", "vdc"]


def test_merge_has_the_worst_completeness_and_every_version() -> None:
    a = HostResult("a", Parsed("fio", "json", "3.33", (measured(),), ("late",), "partial"))
    b = HostResult("b", Parsed("fio", "json", "3.36", (measured(),)))
    merged = merge([a, b])
    assert merged.completeness == "partial"
    assert merged.version == "3.33 / 3.36"
    assert merged.warnings == ("a: late", "the hosts run different versions: 3.33, 3.36")


def test_facts_about_what_all_worked_on_stay() -> None:
    lead = measured(values={"runtime": 4.0, "ceph": {"health": "HEALTH_OK"}})
    assert whole(share("a", lead), share("b", measured())).values["ceph"]["health"] == "HEALTH_OK"


RATES = st.lists(st.floats(0.1, 1e6), min_size=2, max_size=6)


@given(RATES, st.floats(0.0, 1.5), st.floats(0.0, 1.5))
def test_the_common_rate_lies_within_what_the_hosts_did(
    rates: list[float], first: float, second: float
) -> None:
    found = measured(
        iops=sum(rates) / len(rates),
        series=[Series("iops", tuple(rates))],
        values={"runtime": float(len(rates))},
    )
    iops = whole(share("a", found, start=first), share("b", found, start=second)).iops
    assert iops is not None
    assert 2 * min(rates) * 0.999 <= iops <= 2 * max(rates) * 1.001


def test_the_longest_latency_of_an_interval_is_that_of_any_host() -> None:
    first = Series("latency_max", (1e6, 324.6e6, None), 0.0, 1.0)
    second = Series("latency_max", (2e6, 1e6, 3e6), 0.5, 1.0)
    both = overlap.largest([first, second])
    # The second host's values hold from 0.5 s on: each reaches into two of these seconds.
    assert list(both.values) == [2e6, 324.6e6, 3e6, 3e6]
    assert (both.start, both.interval) == (0.0, 1.0)
