"""fio's log files: of single I/Os, of windows, of histograms, alone and beside a result."""

import json
from pathlib import Path

import numpy as np
import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio import TOOL
from apps.tools.histogram import bin_index, bin_value
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.series.stalls import slowest_window

CASES = Path(__file__).parent / "logs"
RESULTS = (".json", ".out")


def files_of(case: str) -> dict[str, bytes]:
    """The logs of a case."""
    return {p.name: p.read_bytes() for p in (CASES / case).iterdir() if p.suffix == ".log"}


def result_of(case: str) -> bytes:
    """fio's printed result beside the logs."""
    (path,) = [p for p in (CASES / case).iterdir() if p.suffix in RESULTS]
    return path.read_bytes()


def parse(files: dict[str, bytes], stdout: bytes = b"") -> Parsed:
    return TOOL.parse(Output({"stdout": stdout, "stderr": b"", **files}))


def understood(files: dict[str, bytes]) -> Parsed | None:
    """None for what is refused with a sentence."""
    try:
        return parse(files)
    except (OutputError, ToolError) as error:
        if not str(error).strip():
            raise
    return None


def alone(case: str) -> dict[str, Measurement]:
    return {each.operation: each for each in parse(files_of(case)).measurements}


def parse_with_result(case: str) -> dict[str, Measurement]:
    parsed = parse(files_of(case), result_of(case))
    return {each.operation: each for each in parsed.measurements}


def series(measurement: Measurement, metric: str) -> list[float | None]:
    (found,) = [each for each in measurement.series if each.metric == metric]
    return list(found.values)


def fios(case: str, operation: str) -> dict[str, object]:
    """fio's own figures of a direction, by Python's own reader."""
    figures: dict[str, object] = json.loads(result_of(case))["jobs"][0][operation]
    return figures


@pytest.mark.parametrize("operation", ["read", "write"])
def test_logs_of_single_ios_give_fios_own_totals(operation: str) -> None:
    ours, theirs = alone("3.33--single")[operation], fios("3.33--single", operation)
    assert ours.values["total_ios"] == theirs["total_ios"] == 100
    assert ours.values["io_bytes"] == theirs["io_bytes"] == 409_600
    assert ours.params == {"bs": 4096}
    latency = theirs["lat_ns"]
    assert (ours.latency.min, ours.latency.max) == (latency["min"], latency["max"])
    assert ours.latency.mean == pytest.approx(latency["mean"])
    assert ours.latency.stddev == pytest.approx(latency["stddev"])
    # The last operation ended after 1.98 s; fio's own run time is 2.001 s.
    assert ours.values["runtime"] == 1.98
    assert ours.iops == pytest.approx(100 / 1.98)


def test_the_histogram_of_single_ios_is_that_of_every_line() -> None:
    data = files_of("3.33--single")["each_lat.1.log"].decode()
    rows = [line.split(", ") for line in data.splitlines()]
    counts: dict[int, int] = {}
    for _, value, direction, *_ in rows:
        if direction == "0":
            name = bin_value(bin_index(int(value)))
            counts[name] = counts.get(name, 0) + 1
    histogram = alone("3.33--single")["read"].histogram
    assert histogram is not None
    assert dict(zip(histogram.bins, histogram.counts, strict=True)) == counts


def test_a_result_keeps_its_totals_and_gets_series_and_histogram() -> None:
    read = parse_with_result("3.33--single")["read"]
    assert read.iops == 49.975012
    assert read.values["percentiles_of"] == "clat"
    assert read.histogram is not None
    assert sum(read.histogram.counts) == 100
    # 40, 60 and 50 operations a second: 4, 6 and 5 lines of reads in the first 300 ms.
    assert series(read, "iops")[:3] == [40.0, 60.0, 50.0]
    assert series(read, "bandwidth")[:2] == [40 * 4096.0, 60 * 4096.0]
    assert series(read, "latency_mean")[0] == pytest.approx(317342.25)


def test_offsets_and_priorities_change_nothing() -> None:
    read = alone("3.33--offsets-priorities")["read"]
    assert read.values["total_ios"] == 100
    assert read.latency.mean == pytest.approx(252165.69)


def test_windows_give_series_and_means_but_no_totals() -> None:
    read = alone("3.33--windows")["read"]
    assert series(read, "bandwidth") == [204_800, 204_800, 212_992]
    assert series(read, "iops") == [50, 50, 52]
    assert series(read, "latency_mean") == [671_338, 361_217, 133_843, 282_032]
    assert read.iops == pytest.approx(152 / 3)
    weighted = (50 * 671_338 + 50 * 361_217 + 52 * 133_843) / 152
    assert read.latency.mean == pytest.approx(weighted)
    assert read.values["windows"] == 0.5
    assert "total_ios" not in read.values
    assert read.histogram is None


def test_jobs_that_share_a_log_are_added() -> None:
    """Each job begins again at the first window; the first one's last window was not over."""
    read = alone("3.33--all-jobs-in-one")["read"]
    assert series(read, "iops") == [52 + 50, 50 + 52, 50 + 48]
    assert series(read, "bandwidth") == [408 * 1024, 408 * 1024, 392 * 1024]
    assert read.iops == pytest.approx((52 + 50 + 50) / 3 + (50 + 52 + 48 + 50) / 4)


def test_dates_are_times_since_the_first_window_began() -> None:
    parsed = parse(files_of("3.33--dates"))
    read = parsed.measurements[0]
    assert [each.start for each in read.series] == [0.0, 0.0, 0.0]
    assert series(read, "iops") == [52, 48, 50]
    assert "they begin 2026-11-21" in " ".join(parsed.warnings)


def test_histogram_logs_add_percentiles_over_time() -> None:
    both = alone("3.33--histogram")["read"]
    assert {each.metric for each in both.series} >= {"bandwidth", "latency_mean", "latency_p99"}
    assert sum(both.histogram.counts if both.histogram else ()) == 100
    only = {k: v for k, v in files_of("3.33--histogram").items() if "hist" in k}
    (read, write) = parse(only).measurements
    lines = only["h_clat_hist.1.log"].decode().splitlines()
    rows = [[int(cell) for cell in line.split(",")] for line in lines]
    assert read.values["total_ios"] == sum(sum(row[3:]) for row in rows if row[1] == 0)
    assert write.values["total_ios"] == sum(sum(row[3:]) for row in rows if row[1] == 1)
    assert len(series(read, "latency_p50")) == 7
    assert parse(only).format == "histogram log"


def test_a_histogram_log_says_the_same_as_the_log_of_every_io() -> None:
    """Two neighbouring bins are one column here: within 3 % of the bins of single latencies."""
    files = files_of("3.33--histogram")
    (read, _) = parse({"h_clat_hist.1.log": files["h_clat_hist.1.log"]}).measurements
    rows = [line.split(", ") for line in files["h_clat.1.log"].decode().splitlines()]
    window = [int(value) for time, value, way, *_ in rows if way == "0" and int(time) <= 1780]
    assert abs(len(window) - read.values["total_ios"]) <= 2
    assert read.latency.max == pytest.approx(max(window), rel=0.03)
    assert read.latency.percentiles["50"] == pytest.approx(np.median(window), rel=0.05)


def test_fio_2_wrote_microseconds() -> None:
    (read,) = parse_with_result("2.2.10--windows-microseconds").values()
    assert series(read, "latency_mean")[:2] == [104_056_000, 179_986_000]
    assert read.latency.mean == 240_460_000
    text = " ".join(
        parse(
            files_of("2.2.10--windows-microseconds"), result_of("2.2.10--windows-microseconds")
        ).warnings
    )
    assert "microseconds: the result beside the logs is of fio 2.2.10" in text


def test_where_nothing_names_the_version_a_warning_says_what_was_assumed() -> None:
    parsed = parse(files_of("3.1--windows-four-columns"))
    (write,) = parsed.measurements
    assert series(write, "latency_mean")[1] == pytest.approx(113_783_098, rel=1e-6)
    assert series(write, "bandwidth")[:3] == [504 * 1024, 360 * 1024, 384 * 1024]
    assert "read as nanoseconds" in " ".join(parsed.warnings)


def test_the_bins_of_fio_2_are_microseconds() -> None:
    """19 groups of 64 bins: bin 100 is 100 µs."""
    row = [250, 0, 4096, *[0] * 1216]
    row[3 + 100] = 7
    data = ", ".join(map(str, row)).encode() + b"\n"
    (read,) = parse({"x_clat_hist.1.log": data}).measurements
    assert read.histogram is not None
    assert read.histogram.bins == (bin_value(bin_index(100_000)),)
    assert read.histogram.counts == (7,)


def test_average_and_maximum_in_one_line() -> None:
    """log_window_value=both: the maximum stands behind the average."""
    data = b"1000, 500, 900, 0, 0, 0, 0\n2000, 600, 1000, 0, 0, 0, 0\n"
    (read,) = parse({"x_lat.1.log": data}).measurements
    assert series(read, "latency_mean") == [500, 600]
    assert series(read, "latency_max") == [900, 1000]
    assert "latency_max_of" not in read.values


# Eight jobs that read at random; in the window that ends at 1.5 s job 2 stalls: its few operations
# took 324.6 ms, and fio logs no IOPS of it there.
STALL = {
    **{
        f"x_lat.{n}.log": b"500, 650000, 0, 0\n1000, 640000, 0, 0\n1500, 660000, 0, 0\n"
        for n in (1, 3, 4, 5, 6, 7, 8)
    },
    "x_lat.2.log": b"500, 650000, 0, 0\n1000, 640000, 0, 0\n1500, 324639775, 0, 0\n",
    **{
        f"x_iops.{n}.log": b"500, 1500, 0, 0\n1000, 1500, 0, 0\n1500, 1500, 0, 0\n"
        for n in (1, 3, 4, 5, 6, 7, 8)
    },
    "x_iops.2.log": b"500, 1500, 0, 0\n1000, 1500, 0, 0\n",
}


def test_a_job_that_stalls_is_seen() -> None:
    (read,) = parse(STALL).measurements
    # Series are float32: seven digits.
    assert series(read, "latency_max") == [650_000, 640_000, pytest.approx(324_639_775, rel=1e-7)]
    assert read.values["latency_max_of"] == "window means"
    # One operation in half a second is 2 IOPS: (7 x 1500 x 660000 + 2 x 324639775) / 10502.
    assert series(read, "latency_mean")[2] == pytest.approx(721_698.68, rel=1e-6)
    assert slowest_window(read) == {
        "slowest_window": {
            "latency": pytest.approx(324_639_775, rel=1e-7),
            "start": 1.0,
            "interval": 0.5,
            "of": "window means",
        }
    }


def test_logs_of_single_operations_have_their_longest() -> None:
    files = files_of("3.33--single")
    parsed = parse(files)
    (read,) = parsed.measurements[:1]
    longest = slowest_window(read)["slowest_window"]
    assert longest["latency"] == pytest.approx(read.latency.max)
    assert longest["of"] == "operations"


def test_an_interval_without_an_entry_is_unknown() -> None:
    data = b"".join(b"%d, 100, 0, 0, 0\n" % t for t in (1000, 2003, 2998, 5001, 6000))
    (read,) = parse({"x_bw.1.log": data}).measurements
    assert series(read, "bandwidth") == [102_400, 102_400, 102_400, None, 102_400, 102_400]


def test_several_jobs_without_their_operations_have_no_mean_latency() -> None:
    lines = b"500, 100, 0, 0, 0\n1000, 90, 0, 0, 0\n"
    files = {f"x_lat.{job}.log": lines for job in (1, 2)}
    alone = parse(files)
    assert [each.metric for each in alone.measurements[0].series] == ["latency_max"]
    assert "only with the IOPS log of each" in " ".join(alone.warnings)
    with_rates = files | {f"x_iops.{job}.log": lines for job in (1, 2)}
    assert series(parse(with_rates).measurements[0], "latency_mean") == [100, 90]
    parsed = parse(files | {"x_bw.1.log": lines})
    assert "left out" in " ".join(parsed.warnings)
    assert "latency_mean" not in [each.metric for each in parsed.measurements[0].series]


def test_a_log_without_its_name_is_counted_where_it_can_be() -> None:
    data = files_of("3.33--single")["each_lat.1.log"]
    parsed = TOOL.parse(Output({"stdout": data, "stderr": b""}))
    assert parsed.measurements[0].values["total_ios"] == 100
    assert parsed.completeness == "unknown"
    assert "only operations and bytes were counted" in " ".join(parsed.warnings)
    assert TOOL.detect(data)
    assert TOOL.detect(files_of("3.33--histogram")["h_clat_hist.1.log"])
    windows = files_of("3.33--windows")["avg_lat.1.log"]
    with pytest.raises(OutputError, match="stands in its file name alone"):
        TOOL.parse(Output({"stdout": windows, "stderr": b""}))


def test_foreign_lines_are_counted_and_left_out() -> None:
    data = files_of("3.33--single")["each_lat.1.log"]
    at = data.index(b"\n", 900) + 1
    dirty = data[:at] + b"fio: something went wrong\n\n1, 2\n-5, 3, 0, 4096, 0\n" + data[at:]
    parsed = parse({"each_lat.1.log": dirty})
    assert parsed.measurements[0].values["total_ios"] == 100
    assert parsed.warnings == ("3 lines are no entries of a log and were left out.",)


@pytest.mark.parametrize(
    "line",
    [
        b"9" * 400 + b", 1, 0, 4096, 0\n",
        b"1, " + b"9" * 400 + b", 0, 4096, 0\n",
        b"999999999999999, 9999999999999999, 0, 999999999999, 0\n",
        b"1, 2, 7, 4096, 0\n",
        b"nan, inf, 0, 4096, 0\n",
        b"\xff\xfe\0\n",
    ],
)
def test_no_line_is_trusted(line: bytes) -> None:
    data = files_of("3.33--single")["each_lat.1.log"]
    parsed = parse({"each_lat.1.log": data + line})
    assert parsed.measurements[0].values["total_ios"] in (100, 101)
    windows = files_of("3.33--windows")["avg_bw.1.log"] + line
    assert parse({"avg_bw.1.log": windows}).measurements
    assert all(len(s.values) <= 10_002 for m in parsed.measurements for s in m.series)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_no_prefix_of_a_log_brings_it_down_or_is_called_whole(case: str) -> None:
    for name, data in files_of(case).items():
        for end in {*range(0, len(data), max(1, len(data) // 60)), *range(60)}:
            parsed = understood({name: data[:end]})
            if parsed is not None:
                assert parsed.completeness == "unknown"
                whole = data[:end].endswith(b"\n")
                assert whole or "cut off" in " ".join(parsed.warnings)


def test_noise_is_refused_in_linear_time() -> None:
    for data in (b"0,0,0," * 200_000, b"1, " * 300_000 + b"\n", b"\n" * 500_000 + b"x"):
        with pytest.raises((OutputError, ToolError)):
            parse({"x_lat.1.log": data})


@pytest.mark.timeout(60)
def test_many_lines_are_all_counted() -> None:
    lines = 300_000
    rng = np.random.default_rng(7)
    times = np.sort(rng.integers(0, 20_000, lines))
    values = rng.integers(1_000, 10_000_000, lines)
    text = "".join(
        f"{t}, {v}, {i & 1}, 4096, 0\n" for i, (t, v) in enumerate(zip(times, values, strict=True))
    )
    (read, write) = parse({"x_lat.1.log": text.encode()}).measurements
    assert read.values["total_ios"] == write.values["total_ios"] == lines // 2
    assert read.latency.mean == pytest.approx(values[::2].mean())
    assert sum(read.histogram.counts if read.histogram else ()) == lines // 2
