"""Text of both iperfs: units, totals, sides, cuts, errors."""

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.iperf import TOOL
from apps.tools.iperf.parser.text_rows import row
from apps.tools.parse_result import Output, Parsed

CLIENT = "Client connecting to node01, TCP port 5001\n"
CONNECTED = "[  3] local 10.0.0.1 port 50000 connected with 10.0.0.2 port 5001\n"
HEADING = "[ ID] Interval       Transfer     Bandwidth\n"
CLIENT3 = "Connecting to host 10.0.0.2, port 5201\n"
DASHES = "- - - - - - - - - - - - - - - - - - - - - - - - -\n"


def parse(text: str, exit_code: int | None = None) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}, exit_code))


@pytest.mark.parametrize(
    ("text", "moved", "rate"),
    [
        ("[  3]  0.0-10.0 sec  2.00 GBytes  1.72 Gbits/sec", 2 * 1024.0**3, 215e6),
        ("[  3]  0.0- 1.0 sec   512 KBytes   512 KBytes/sec", 512 * 1024.0, 512 * 1024.0),
        ("[  3] 0.0000-1.0000 sec  59.4 MBytes   498 Mbits/sec", 59.4 * 1024**2, 62.25e6),
        ("[  5]   0.00-1.00   sec  1.00 TBytes  8.00 Tbits/sec  ", 1024.0**4, 1e12),
        ("[  4]   0.00-1.00   sec  0.00 Bytes  0.00 bits/sec", 0.0, 0.0),
        ("[  4]   0.00-1.00   sec  0.00 Bytes  -nan bits/sec", 0.0, None),
        ("[SUM]  0.0-10.0 sec   100 Bytes   80 bits/sec", 100.0, 10.0),
        ("[*12] 0.0000-1.0071 sec  1.50 MBytes  1.50 MBytes/sec", 1.5 * 1024**2, 1.5 * 1024**2),
    ],
)
def test_transfers_are_binary_and_bits_decimal(text: str, moved: float, rate: float | None) -> None:
    found = row(text, HEADING)
    assert found is not None
    assert found.bytes == moved
    assert found.rate == rate


def test_intervals_are_not_the_total() -> None:
    rows = [f"[  3]  {n}.0- {n + 1}.0 sec  1.00 MBytes  8.00 Mbits/sec\n" for n in range(3)]
    total = "[  3]  0.0- 3.0 sec  3.00 MBytes  8.39 Mbits/sec\n"
    start = CLIENT + CONNECTED + HEADING
    (whole,) = parse(start + "".join(rows) + total).measurements
    assert whole.bandwidth == 8.39e6 / 8
    assert whole.series[0].values == (1e6, 1e6, 1e6)
    cut = parse(start + "".join(rows))
    assert cut.completeness == "partial"
    assert cut.measurements[0].bandwidth == pytest.approx(1e6)


def test_streams_without_a_sum_are_added_up() -> None:
    streams = "".join(f"[  {n}]  0.0-10.0 sec  1.00 GBytes   {n}00 Mbits/sec\n" for n in (3, 4, 5))
    (measurement,) = parse(CLIENT + HEADING + streams).measurements
    assert measurement.bandwidth == 1200e6 / 8
    assert measurement.params["streams"] == 3
    assert [part["id"] for part in measurement.values["streams"]] == ["3", "4", "5"]


def test_clients_of_a_server_are_tests_of_their_own() -> None:
    one = (
        "[  4] local 10.0.0.2 port 5001 connected with 10.0.0.1 port 50000\n"
        "[  4]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec\n"
    )
    server = "Server listening on TCP port 5001\n"
    found = parse(server + HEADING + one + one.replace("800", "400")).measurements
    assert [(m.operation, m.bandwidth) for m in found] == [("receive", 100e6), ("receive", 50e6)]
    assert {m.params["direction"] for m in found} == {"forward"}


def test_reverse_streams_are_received_by_the_client() -> None:
    reverse = CONNECTED.replace("\n", " (reverse)\n")
    text = CLIENT + reverse + HEADING + "[ *3]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec\n"
    (measurement,) = parse(text).measurements
    assert (measurement.operation, measurement.params["direction"]) == ("receive", "reverse")


def test_losses_of_parallel_udp_streams_add_up() -> None:
    text = (
        "Client connecting to 5.6.7.8, UDP port 5001\n"
        "[  3] local 1.2.3.4 port 51226 connected with 5.6.7.8 port 5001\n"
        "[  4] local 1.2.3.4 port 51227 connected with 5.6.7.8 port 5001\n"
        "[ ID] Interval       Transfer     Bandwidth\n"
        "[  4]  0.0-10.0 sec  34.9 MBytes  29.3 Mbits/sec\n"
        "[  4] Sent 24875 datagrams\n"
        "[  3]  0.0-10.0 sec  35.1 MBytes  29.4 Mbits/sec\n"
        "[  3] Sent 25015 datagrams\n"
        "[SUM]  0.0-10.0 sec  70.0 MBytes  58.7 Mbits/sec\n"
        "[  3] Server Report:\n"
        "[  3]  0.0-10.0 sec  12.1 MBytes  10.1 Mbits/sec   2.309 ms 16396/25014 (66%)\n"
        "[  3]  0.0-10.0 sec  14 datagrams received out-of-order\n"
        "[  4] Server Report:\n"
        "[  4]  0.0-10.2 sec  12.1 MBytes  9.88 Mbits/sec  15.864 ms 16255/24863 (65%)\n"
    )
    send, receive = parse(text).measurements
    assert send.bandwidth == 58.7e6 / 8
    assert receive.bandwidth == pytest.approx((10.1e6 + 9.88e6) / 8)
    assert receive.values["lost"] == 16396 + 16255
    assert receive.values["datagrams"] == 25014 + 24863
    assert receive.values["jitter"] == pytest.approx((2.309e6 + 15.864e6) / 2)


def test_a_server_of_iperf3_that_prints_zeros_for_the_client() -> None:
    text = (
        "Accepted connection from 10.0.0.1, port 40000\n"
        "[  5] local 10.0.0.2 port 5201 connected to 10.0.0.1 port 40002\n"
        "[ ID] Interval           Transfer     Bandwidth\n"
        "[  5]   0.00-1.00   sec  100 MBytes   839 Mbits/sec\n"
        + DASHES
        + "[ ID] Interval           Transfer     Bandwidth\n"
        "[  5]   0.00-1.04   sec  0.00 Bytes  0.00 bits/sec                  sender\n"
        "[  5]   0.00-1.04   sec  100 MBytes   807 Mbits/sec                  receiver\n"
        "-----------------------------------------------------------\n"
    )
    parsed = parse(text)
    (measurement,) = parsed.measurements
    assert (measurement.operation, measurement.params["direction"]) == ("receive", "forward")
    assert measurement.bandwidth == 807e6 / 8
    assert measurement.series[0].values == (839e6 / 8,)
    assert parsed.completeness == "whole"


def test_a_client_of_iperf3_is_whole_when_it_says_done() -> None:
    closing = (
        CLIENT3
        + DASHES
        + "[ ID] Interval           Transfer     Bandwidth       Retr\n"
        + "[ 16]   0.00-10.02  sec   607 MBytes   508 Mbits/sec  128             sender\n"
        + "[ 16]   0.00-10.02  sec   607 MBytes   508 Mbits/sec                  receiver\n"
    )
    assert parse(closing + "\niperf Done.\n").completeness == "whole"
    assert parse(closing + "\niperf Done").completeness == "unknown"
    assert parse(closing).measurements[0].values["retransmits"] == 128
    assert parse(closing + "\niperf Done.\n", exit_code=1).completeness == "partial"


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("Server listening on TCP port 5001\n", OutputError, "no client connected"),
        ("Server listening on 5201 (test #1)\n", OutputError, "no client connected"),
        (CLIENT + "connect failed: Connection refused\n", ToolError, "Connection refused"),
        ("iperf3: error - unable to connect to server\n", ToolError, "unable to connect"),
        (CLIENT + "[  3]  0.0-1.0 sec  0.00 Bytes  0.00 bits/sec\n", OutputError, "single byte"),
        ("hello\n", OutputError, "no result"),
    ],
)
def test_what_measured_nothing_says_why(text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        parse(text)


def test_the_end_of_a_line_may_be_missing_but_not_its_figures() -> None:
    text = CLIENT + CONNECTED + HEADING + "[  3]  0.0-10.0 sec  2.00 GBytes  1.72 Gbits/sec"
    assert parse(text).measurements[0].bandwidth == 215e6
    with pytest.raises(OutputError):
        parse(text[:-1])


@pytest.mark.parametrize(
    "data",
    [
        "[  3]  0.0-" * 100_000,
        "[ ID] Interval " * 100_000,
        "- " * 500_000,
        CLIENT * 50_000,
        CONNECTED * 30_000,
        "sec" * 400_000,
        "sec [  3]   0.0-1.0   sec   \n" * 50_000,
        "20261121042536," * 80_000,
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_input_is_refused_without_hanging(data: str) -> None:
    with pytest.raises((OutputError, ToolError)):
        parse(data)
    TOOL.detect(data.encode())


@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_many_tests_and_rows_are_read_without_hanging() -> None:
    rows = "".join(f"[{n:6}]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec\n" for n in range(40_000))
    assert parse(CLIENT + HEADING + rows).measurements[0].params["streams"] == 40_000
    tests = (CONNECTED + "[  3]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec\n") * 5_000
    assert len(parse(CLIENT + tests).measurements) == 5_000


def test_closing_rows_of_old_versions_without_a_heading_are_tests_of_their_own() -> None:
    rows = (
        "[  4]   0.00-10.00  sec   598 MBytes   502 Mbits/sec  0.029 ms  1/76500 (0.0013%)\n"
        "[  6]   0.00-10.00  sec   598 MBytes   498 Mbits/sec  0.031 ms  1/76499 (0.0013%)\n"
    )
    parsed = parse(rows + rows.replace("0.029", "0.028"))
    assert parsed.completeness == "unknown"
    assert [each.bandwidth for each in parsed.measurements] == [125e6, 125e6]
    assert {each.params["streams"] for each in parsed.measurements} == {2}
    assert {each.params["rate"] for each in parsed.measurements} == {500}


def test_clients_of_a_server_have_targets_of_their_own() -> None:
    one = (
        "[  4] local 10.0.0.2 port 5001 connected with 10.0.0.1 port 50000\n"
        "[  4]  0.0-10.0 sec  1.00 GBytes   800 Mbits/sec\n"
    )
    text = "Server listening on TCP port 5001\n" + HEADING + one + one.replace("0.1 ", "0.3 ")
    assert [(m.target, m.client) for m in parse(text).measurements] == [
        ("10.0.0.1 → 10.0.0.2", "10.0.0.1"),
        ("10.0.0.3 → 10.0.0.2", "10.0.0.3"),
    ]


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("[  1] 0.00-10.01 sec  1.10 GBytes   941 Mbits/sec\n", "iperf2"),
        ("[  3]  0.0-10.0 sec  1.10 GBytes   944 Mbits/sec\n", "iperf2"),
        ("[  5]   0.00-10.00  sec  1.10 GBytes   944 Mbits/sec    0\n", "iperf3"),
        ("[ 5] 0.00-10.00 sec 1.10 GBytes 944 Mbits/sec 0 sender\n", "iperf3"),
        ("[  5] 599.00-600.00 sec   112 MBytes   941 Mbits/sec\n", "iperf3"),
    ],
)
def test_the_shape_of_a_row_names_its_program(line: str, program: str) -> None:
    assert parse(line).measurements[0].params["program"] == program


def test_figures_without_a_heading_have_the_direction_of_their_command() -> None:
    rows = """
[  5]   0.00-5.00   sec   550 MBytes   923 Mbits/sec
[  5]   5.00-10.00  sec   571 MBytes   958 Mbits/sec
[  5]   0.00-10.00  sec  1.10 GBytes   944 Mbits/sec    0             sender
[  5]   0.00-10.00  sec  1.10 GBytes   941 Mbits/sec                  receiver
"""
    parsed = parse(f"$ iperf3 -c node1{rows}$ iperf3 -c node1 -R{rows}")
    assert [each.params["direction"] for each in parsed.measurements] == [
        *["forward"] * 2,
        *["reverse"] * 2,
    ]
    assert [bool(each.series) for each in parsed.measurements] == [True, False, False, True]
