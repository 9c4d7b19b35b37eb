"""JSON and CSV as they really arrive: text around them, -nan, errors, cuts."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.iperf import TOOL
from apps.tools.iperf.parser.json import CUT
from apps.tools.parse_result import Output, Parsed, all_warnings

SAMPLES = Path(__file__).parent / "samples"
BOTH = (SAMPLES / "3.12--bidirectional-json" / "result.json").read_bytes()
UDP = (SAMPLES / "3.12--udp-json" / "result.json").read_bytes()
CSV = (SAMPLES / "2.1.8--csv-two-streams" / "output.csv").read_text()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def changed(**end: Any) -> bytes:
    """The UDP sample with other sums at its end."""
    document = json.loads(UDP)
    document["end"] |= end
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"warning: UDP block size 32768 exceeds TCP MSS\n" + BOTH,
        BOTH + b"iperf3: interrupt - the client has terminated\n",
        b"\xef\xbb\xbf" + BOTH,
        BOTH.replace(b"\n", b"\r\n"),
        json.dumps(json.loads(BOTH)).encode(),
    ],
)
def test_dirt_does_not_change_the_figures(data: bytes) -> None:
    found, plain = (parse(each).measurements for each in (data, BOTH))
    assert [replace(each, lines=None) for each in found] == [
        replace(each, lines=None) for each in plain
    ]
    assert TOOL.detect(data)


@pytest.mark.parametrize("word", ["-nan", "nan", "NaN", "-inf", "Infinity"])
def test_no_number_is_no_figure(word: str) -> None:
    data = UDP.replace(b'"lost_percent":\t0', f'"lost_percent":\t{word}'.encode())
    data = data.replace(b'"jitter_ms":\t0,', f'"jitter_ms":\t{word},'.encode())
    assert word.encode() in data
    send, _ = parse(data).measurements
    assert "jitter" not in send.values
    assert send.values["lost"] == 0


def test_error_alone_raises_and_with_values_is_partial() -> None:
    with pytest.raises(ToolError, match="unable to connect to server: Connection refused"):
        parse(b'{"start":{"version":"iperf 3.12"},"intervals":[],"end":{},"error":"unable to '
              b'connect to server: Connection refused"}')  # fmt: skip
    document = json.loads(UDP) | {"error": "the client has terminated"}
    parsed = parse(json.dumps(document).encode())
    assert parsed.completeness == "partial"
    assert all_warnings(parsed) == ["the client has terminated"]
    assert len(parsed.measurements) == 2


def test_a_document_that_was_cut_off_says_what_its_intervals_say() -> None:
    parsed = parse(BOTH[: BOTH.index(b'"end":\t{')])
    assert parsed.completeness == "partial"
    assert all_warnings(parsed) == [CUT]
    forward, backward = parsed.measurements
    assert (forward.operation, backward.operation) == ("send", "receive")
    assert forward.params["direction"] == backward.params["direction"] == "bidirectional"
    whole = parse(BOTH).measurements
    assert forward.bandwidth == pytest.approx(whole[0].bandwidth, rel=0.01)
    assert forward.values["bytes"] == whole[0].values["bytes"]
    assert len(forward.series[0].values) == 2


def test_a_cut_in_the_closing_sums_does_not_count_them_twice() -> None:
    whole = parse(UDP).measurements[0]
    cut = parse(UDP[: UDP.index(b'"cpu_utilization_percent"')]).measurements[0]
    assert cut.values["bytes"] == whole.values["bytes"]


def test_several_documents_are_several_tests() -> None:
    """The second has both directions: four parts, and the sum of each operation."""
    parts = [measurement.component for measurement in parse(UDP + BOTH).measurements]
    assert parts == ["", "", "forward", "forward", "reverse", "reverse", "", ""]


def test_udp_of_old_versions_has_one_sum() -> None:
    document = json.loads(UDP)
    document["end"].pop("sum_sent")
    document["end"].pop("sum_received")
    (measurement,) = parse(json.dumps(document).encode()).measurements
    assert measurement.operation == "send"
    assert measurement.values["lost"] == 73


@pytest.mark.parametrize("value", [None, [], "x", True, 10**400, -1, {}], ids=lambda v: str(v)[:9])
def test_absurd_values_are_no_figures(value: Any) -> None:
    total = {"start": value, "end": value, "seconds": value, "bytes": value}
    data = changed(sum_sent=total | {"bits_per_second": value, "packets": value}, streams=value)
    try:
        parsed = parse(data)
    except OutputError:
        return
    assert all(m.bandwidth is None or 0 <= m.bandwidth < 2**63 for m in parsed.measurements)


@pytest.mark.parametrize(
    "data",
    [
        b'{"start": ' + b"[" * 200_000,
        b'{"start": {}, "intervals": [], "end": {}}\n' * 5_000,
        b'{"start"\n' * 100_000,
        b'{"start": {"version": "iperf 3"}, "intervals": 5, "end": []}',
        b'{"start": {}, "sum": {' * 30_000,
        b'{"start": ' + b"9" * 100_000 + b"}",
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_documents_are_refused_without_hanging(data: bytes) -> None:
    with pytest.raises((OutputError, ToolError)):
        parse(data)


def test_csv_drops_a_last_line_that_may_be_cut() -> None:
    lines = CSV.splitlines(keepends=True)
    cut = parse("".join(lines)[:-1].encode())
    assert cut.completeness == "partial"
    with pytest.raises(OutputError, match="no whole line"):
        parse(lines[0].rstrip().encode())


def test_csv_of_udp_has_the_servers_report_with_its_losses() -> None:
    text = (
        "20140722190221,10.0.0.1,38912,10.0.0.2,5001,3,0.0-10.0,1312710,1049990\n"
        "20140722190221,10.0.0.2,5001,10.0.0.1,38912,3,0.0-10.0,1310000,1048000,"
        "0.021,7,893,0.784,0\n"
    )
    send, receive = parse(text.encode()).measurements
    assert (send.operation, send.bandwidth) == ("send", 1049990 / 8)
    assert (receive.operation, receive.bandwidth) == ("receive", 1048000 / 8)
    assert receive.values["jitter"] == pytest.approx(21_000)
    assert receive.values["loss"] == pytest.approx(100 * 7 / 893)


def test_csv_has_the_sum_of_parallel_streams_as_total() -> None:
    text = "".join(
        f"20140722190221,10.0.0.1,{port},10.0.0.2,5001,{name},0.0-10.0,{moved},{8 * moved // 10}\n"
        for port, name, moved in ((40001, 3, 1000), (40002, 4, 3000), (0, -1, 4000))
    )
    (measurement,) = parse(text.encode()).measurements
    assert measurement.bandwidth == 400
    assert measurement.params["streams"] == 2


@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_many_streams_are_read_without_hanging() -> None:
    line = "20140722190221,10.0.0.1,{0},10.0.0.2,5001,{1},0.0-10.0,1000,800\n"
    text = "".join(line.format(6000 + n % 50_000, n) for n in range(60_000))
    (measurement,) = parse(text.encode()).measurements
    streams = measurement.values["streams"]
    assert isinstance(streams, list)
    assert len(streams) == 256
