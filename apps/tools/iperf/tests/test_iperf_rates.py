"""The rate of a UDP test, from the time between datagrams or from what was sent."""

from __future__ import annotations

import pytest

from apps.tools.iperf import TOOL
from apps.tools.iperf.parser.rates import rate_of_gap
from apps.tools.parse_result import Output

ROW = "[  5]   0.00-10.00  sec  1.00 GBytes  {} Mbits/sec  {}\n"
HEADING = "[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n"


@pytest.mark.parametrize(
    ("length", "gap", "rate"),
    [
        (1470, 1176.0, 10),
        (1470, 588.0, 20),
        (1470, 11.76, 1000),
        (1470, 11215.21, 1.048576),  # what iperf 2 sends without -b
        (8000, 6103.52, 10.48576),  # -b 10M
        (1470, 0.0, None),
    ],
)
def test_iperf2_gap_gives_the_requested_rate(length: int, gap: float, rate: float | None) -> None:
    assert rate_of_gap(length, gap).get("rate") == rate


@pytest.mark.parametrize(
    ("row", "rate"),
    [
        (ROW.format("29.9", "0.000 ms  0/22900 (0%)  sender"), 30),
        (ROW.format("1.05", "0.000 ms  0/906 (0%)  sender"), 1.048576),
        (ROW.format("957", "0.000 ms  0/826000 (0%)  sender"), None),
        (ROW.format("90.0", "0.010 ms  1000/10000 (10%)  receiver"), 100),
    ],
)
def test_round_sent_rate_is_the_requested_rate(row: str, rate: float | None) -> None:
    parsed = TOOL.parse(Output({"stdout": (HEADING + row).encode(), "stderr": b""}))
    assert parsed.measurements[0].params.get("rate") == rate
