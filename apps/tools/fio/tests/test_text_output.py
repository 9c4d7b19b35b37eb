"""Text output with other things around it."""

from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.parser.normal.text import parse_text

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> bytes:
    return (SAMPLES / name / "output.txt").read_bytes()


ONE = sample("3.1--randread-4k-qd128")
TWO = sample("3.1--write-4m-qd64")


def test_several_runs_in_one_file_are_all_read() -> None:
    measurements = parse_text(ONE + b"\n$ echo next\n" + TWO).measurements
    assert [m.operation for m in measurements] == ["read", "write"]
    assert [m.params["bs"] for m in measurements] == [4096, 4 * 1024**2]


def test_the_last_of_repeated_status_reports_counts() -> None:
    (measurement,) = parse_text(sample("3.33--text-status")).measurements
    assert measurement.values["total_ios"] == 600


def test_lines_with_a_log_prefix_are_read() -> None:
    prefixed = b"\n".join(b"12:06:53 DEBUG| [stdout] " + line for line in ONE.split(b"\n"))
    assert parse_text(prefixed).measurements[0].iops == parse_text(ONE).measurements[0].iops


def test_windows_line_ends_and_lost_indentation_do_not_matter() -> None:
    flat = b"\r\n".join(line.strip() for line in ONE.split(b"\n"))
    expected, actual = parse_text(ONE).measurements[0], parse_text(flat).measurements[0]
    assert (actual.latency, actual.iops) == (expected.latency, expected.iops)


def test_short_operations_leave_the_printed_figures() -> None:
    (measurement,) = parse_text(ONE.replace(b"short=0,0,0", b"short=5,0,0")).measurements
    assert measurement.iops == 22300
    assert measurement.bandwidth == 87 * 1024**2


def test_mixed_block_sizes_leave_the_printed_bandwidth() -> None:
    (measurement,) = parse_text(
        ONE.replace(b"bs=(R) 4096B-4096B", b"bs=(R) 512B-64.0KiB")
    ).measurements
    assert measurement.bandwidth == 87 * 1024**2
    assert measurement.iops == pytest.approx(6683408 / 300.004)


def test_an_error_of_a_job_makes_the_result_partial() -> None:
    failed = ONE.replace(b"err= 0:", b"err=28 (file:io_u.c:1756, error=No space left on device):")
    parsed = parse_text(failed)
    assert parsed.completeness == "partial"
    assert "No space left on device" in parsed.measurements[0].warnings[0]


def test_fio_that_only_complained_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match="not supported"):
        parse_text(b"fio: engine rbd not supported\n")
    with pytest.raises(OutputError):
        parse_text(b"nothing to see here\n")


@pytest.mark.parametrize(
    "end", [b"  vdb: ios=668", b"Disk stats (read/write):\n", b"   READ: bw=8"]
)
def test_a_missing_end_is_noticed(end: bytes) -> None:
    cut = ONE[: ONE.index(end) + len(end)]
    assert parse_text(cut).completeness == "partial"


def test_prompt_after_the_result_keeps_it_whole() -> None:
    assert parse_text(ONE + b"\nroot@host:~# ").completeness == "whole"
