"""Outputs of one tool in several forms in one text: each is read, none silently left out, and what
a call printed twice is one result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.tools.parse_cli import ParsedDocument, parse_document

ROOMS = Path(__file__).parents[1]
CALLS = ROOMS / "fio" / "tests" / "calls"


def sample(tool: str, name: str) -> bytes:
    folder = ROOMS / tool / "tests" / "samples" / name
    (found,) = (p for p in folder.iterdir() if p.name not in ("expected.json", "source.txt"))
    return found.read_bytes()


def call(name: str) -> bytes:
    return (CALLS / name).read_bytes()


def documents(data: bytes) -> list[ParsedDocument]:
    found = parse_document(None, data)
    if "documents" in found:
        return found["documents"]
    assert "tool" in found
    return [found]


def rates(data: bytes) -> list[tuple[str, list[int]]]:
    """Format and bandwidths of each document."""
    return [
        (each["format"], [round(m["bandwidth"] or 0) for m in each["measurements"]])
        for each in documents(data)
    ]


# As printed: bw_bytes of the JSON; 4096 operations of 4 KiB in 2048 ms; KiB in ms of the line.
JSON_ONE = ("json", [56173714])
TEXT = ("text", [4096 * 4096 * 1000 // 2048])
RADOS = ("text", [87368923])
RADOS_JSON = ("json", [223902784])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (call("one.json") + call("pid.txt"), [JSON_ONE, TEXT]),
        (call("pid.txt") + call("one.json"), [TEXT, JSON_ONE]),
        (call("pid.txt") + b"\nand then:\n\n" + call("one.json"), [TEXT, JSON_ONE]),
        (
            sample("rados", "16.2.15--json-write") + sample("rados", "12.2--write-before-tuning"),
            [RADOS_JSON, RADOS],
        ),
        (
            sample("rados", "12.2--write-before-tuning") + sample("rados", "16.2.15--json-write"),
            [RADOS, RADOS_JSON],
        ),
    ],
)
def test_text_and_json_are_results_of_their_own(
    data: bytes, expected: list[tuple[str, list[int]]]
) -> None:
    assert rates(data) == expected


def test_a_terse_line_of_another_call_below_json_is_read() -> None:
    found = documents(call("one.json") + call("one-again.terse"))
    assert [each["format"] for each in found] == ["json", "terse"]


def test_both_generations_and_forms_of_iperf_are_read() -> None:
    text, csv = sample("iperf", "2.x--team-tcp-10s"), sample("iperf", "2.1.8--csv-two-streams")
    json = sample("iperf", "3.12--omitted-json") + b"\n"
    assert [each["format"] for each in documents(text + json)] == ["iperf2-text", "iperf3-json"]
    assert [each["format"] for each in documents(json + csv)] == ["iperf3-json", "iperf2-csv"]
    # 215 MBytes/sec; the sum of both streams in its last row, 199796880 bits/s.
    assert rates(text + csv) == [("iperf2-csv", [215_000_000, 24_974_610])]
    assert rates(csv + text) == [("iperf2-csv", [24_974_610, 215_000_000])]


@pytest.mark.parametrize(
    "call",
    [
        b"$ iperf3 -c 10.213.2.2 -t 2 -O 1 -N -J\n",
        b"# iperf3 -c 10.213.2.2 -t 2 \\\n   -O 1 -N -J\n\n",
    ],
)
def test_the_call_above_a_document_is_read_with_it(call: bytes) -> None:
    text, json = sample("iperf", "3.x--openwrt-ten-seconds"), sample("iperf", "3.12--omitted-json")
    of_text, of_json = documents(text + call + json + b"\n" + text)
    assert {each["params"]["no_delay"] for each in of_json["measurements"]} == {True}
    assert all("no_delay" not in each["params"] for each in of_text["measurements"])


def test_reports_of_rados_in_one_text_are_all_there() -> None:
    write, seq = (sample("rados", f"12.2--{name}-before-tuning") for name in ("write", "seq"))
    (found,) = documents(write + seq + write.replace(b"263.953", b"263.954"))
    assert [each["operation"] for each in found["measurements"]] == ["write", "seq", "write"]


@pytest.mark.parametrize(
    ("name", "results"),
    [("json-and-text.txt", 2), ("all-three.txt", 1), ("status-json-and-text.txt", 1)],
)
def test_what_one_call_printed_in_several_forms_is_read_once(name: str, results: int) -> None:
    """`--output-format=json,normal`: of the JSON, whose figures are not rounded."""
    (found,) = documents(call(name))
    assert found["format"] == "json"
    assert len(found["measurements"]) == results
    assert "repeat results of fio" in found["warnings"][-1]
    assert "completeness" in found
    assert found["completeness"] == "whole"


def test_of_a_second_call_in_text_only_the_text_is_read() -> None:
    """JSON and text of one call, text of another one right below."""
    both, other = call("json-and-text.txt"), call("pid.txt")
    assert [kind for kind, _rates in rates(both + other)] == ["json", "text"]
    assert rates(both + other)[1] == TEXT
    found = documents(both + other)
    (lines,) = found[1]["lines"]
    assert lines[0] == both.count(b"\n") + 1
    assert [each["operation"] for each in found[0]["measurements"]] == [
        *("read", "write"),
    ]


def test_two_calls_that_differ_in_one_operation_are_two() -> None:
    text = re.sub(rb"(?ms)^\{.*?^\}\n", b"", call("json-and-text.txt"))
    json = call("json-and-text.txt").replace(b'"total_ios" : 3990', b'"total_ios" : 3991')
    json = json[json.index(b"{") : json.index(b"\n}\n") + 3]
    found = parse_document(None, json + text)
    assert "1 result of fio" in found["warnings"][0]
    assert [len(each["measurements"]) for each in documents(json + text)] == [2, 2]


def test_json_that_is_cut_off_is_not_taken_for_text() -> None:
    found = documents(call("pid.txt") + call("one.json")[:-900])
    assert [(each["format"], each["completeness"]) for each in found] == [
        *(("text", "whole"), ("json", "partial")),
    ]
    found = documents(call("one.json")[:-900] + b"\n" + call("pid.txt"))
    assert [each["format"] for each in found] == ["json", "text"]


def test_what_fio_says_around_its_json_stays_with_it() -> None:
    said = b"fio: io_u error on file /dev/vdb: Input/output error: write offset=4096, buflen=4096\n"
    (found,) = documents(said + call("one.json"))
    assert found["warnings"] == [said.decode().strip()]
    assert rates(said + call("one.json")) == [JSON_ONE]


def test_a_result_without_figures_above_json_is_named() -> None:
    lines = call("pid.txt").split(b"\n")[:5]
    said = parse_document(None, b"\n".join(lines) + b"\n" + call("one.json"))["warnings"]
    assert any("Lines 1–5 look like output of fio" in text for text in said)


def test_json_larger_than_what_people_paste_is_split_as_well() -> None:
    spaced = call("one.json").replace(b'"jobs"', b" " * 2**21 + b'"jobs"')
    assert rates(spaced + call("pid.txt")) == [JSON_ONE, TEXT]


def test_text_longer_than_what_people_paste_is_split_from_json() -> None:
    """Not looked through for other tools' lines, which takes seconds a MiB."""
    prose = b"and nothing else was seen that day, as far as anybody could tell\n" * 17_000
    assert rates(call("pid.txt") + prose + call("one.json") + call("pid-again.txt")) == [
        ("text", [TEXT[1][0], 541200516]),
        JSON_ONE,
    ]


DD = (
    "$ dd if=/dev/zero of=/dev/sda bs=4k count=1000\n1000+0 records in\n1000+0 records out\n"
    "4096000 bytes (4.1 MB) copied, 1 s, 4.1 MB/s\n"
)
IOSTAT = "Device r/s rkB/s w/s wkB/s %util\nsda 0.00 0.00 {0}.00 4.00 1.00\n\n"


def recordings(text: str) -> list[float | None]:
    """IOPS of the writes of each recording."""
    found = [each for each in documents(text.encode()) if each["tool"] == "iostat"]
    measured = [each for document in found for each in document["measurements"]]
    return [each["iops"] for each in measured if each["operation"] == "write"]


def test_recordings_after_two_results_of_another_tool_are_two() -> None:
    assert recordings(DD + IOSTAT.format(1) + DD + IOSTAT.format(9)) == [1, 9]


def test_recording_continues_after_the_command_of_another_tool() -> None:
    command, result = DD.split("\n", 1)
    text = IOSTAT.format(1) + command + "\n" + IOSTAT.format(3) + result + IOSTAT.format(9)
    assert recordings(text) == [2, 9]
