"""Output of rbd bench: rounded by rbd, exact here; several runs in a file; its own complaints."""

from __future__ import annotations

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.multi_host.host_results import HostResult
from apps.tools.multi_host.merge import merge
from apps.tools.parse_result import Output, Parsed
from apps.tools.rbd import TOOL

RUN = """bench  type {kind} io_size 4096 io_threads 16 bytes 1048576 pattern random
  SEC       OPS   OPS/SEC   BYTES/SEC
    1       100    100.00   400 KiB/s
elapsed: 2   ops: 256   ops/sec: 128   bytes/sec: 512 KiB/s
"""


def parsed(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def test_bandwidth_is_exact_where_rbd_rounds() -> None:
    (found,) = parsed(RUN.format(kind="write")).measurements
    assert (found.bandwidth, found.iops) == (128 * 4096, 128)
    assert found.values["printed"] == {"bandwidth": 512 * 1024, "iops": 128}
    assert found.values["runtime"] == 2.0


def test_several_runs_with_prompts_between() -> None:
    text = "# rbd bench --io-type write img\n" + RUN.format(kind="write") + "$\n"
    found = parsed(text + RUN.format(kind="read")).measurements
    assert [one.operation for one in found] == ["write", "read"]
    assert [one.params["mode"] for one in found] == ["write", "read"]


def test_a_table_without_its_first_line_says_so() -> None:
    found = parsed(RUN.format(kind="write").split("\n", 1)[1])
    assert found.measurements[0].bandwidth == 512 * 1024
    assert "as printed" in found.measurements[0].warnings[0]


def test_a_mix_that_was_cut_off_has_no_figures() -> None:
    text = RUN.format(kind="readwrite read:write=50:50")
    with pytest.raises(OutputError):
        parsed(text)
    shares = "read_ops: 128   read_ops/sec: 64   read_bytes/sec: 256 KiB/s\n"
    cut = parsed(text + shares)
    assert cut.completeness == "partial"
    assert [one.operation for one in cut.measurements] == ["read"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rbd: io-size 1 GiB larger than image size 256 MiB\nbench failed: (22) Invalid argument\n",
         "io-size 1 GiB larger"),
        ("rbd: error opening image x: (2) No such file or directory\n", "error opening image x"),
    ],
)  # fmt: skip
def test_what_rbd_complains_about(text: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        parsed(text)


def test_seconds_that_rbd_left_out_have_the_mean_of_their_row() -> None:
    text = RUN.format(kind="write").replace(
        "elapsed", "    4       400    100.00   400 KiB/s\nelapsed"
    )
    iops, bandwidth = parsed(text).measurements[0].series
    assert (iops.metric, list(iops.values)) == ("iops", [100, 100, 100, 100])
    assert (bandwidth.metric, list(bandwidth.values)) == ("bandwidth", [409_600] * 4)


def test_hosts_that_end_by_amount_are_added_over_the_time_they_share() -> None:
    """Both rates are known of each second, so nothing is left to be remarked on."""
    row = "    {0}       {1}    100.00   400 KiB/s\n"
    table = "".join(row.format(second, 100 * second) for second in (2, 3, 4, 5))
    short = RUN.format(kind="write")
    end = f"{table}elapsed: 5   ops: 500   ops/sec: 100"
    long = short.replace("elapsed: 2   ops: 256   ops/sec: 128", end).replace("512 K", "400 K")
    whole = merge([HostResult("a", parsed(short)), HostResult("b", parsed(long))])
    assert whole.warnings == ()
    found = whole.measurements[0]
    assert found.values["overlap"] == pytest.approx(0.4)
    assert found.iops == pytest.approx(228)
    assert found.bandwidth == pytest.approx(228 * 4096)
