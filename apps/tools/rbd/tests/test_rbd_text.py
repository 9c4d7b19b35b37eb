"""Output of rbd bench: rounded by rbd, exact here; several runs in a file; its own complaints."""

from __future__ import annotations

import pytest

from apps.tools.base import Output, OutputError, Parsed, ToolError
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
    assert "as printed" in found.warnings[0]


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
    (series,) = parsed(text).measurements[0].series
    assert (series.metric, list(series.values)) == ("iops", [100, 100, 100, 100])
