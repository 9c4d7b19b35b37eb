"""iostat's JSON as it really arrives: whole, cut off, with text around it, hostile."""

import json
from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ParamsError
from apps.tools.iostat import TOOL
from apps.tools.iostat.parser.json import CUT
from apps.tools.iostat.parser.reports import BOOT
from apps.tools.parse_result import Output, Parsed
from apps.tools.targets import ToolTarget

SAMPLE = (Path(__file__).parent / "samples" / "12.6.1--json" / "result.json").read_bytes()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def figures(parsed: Parsed) -> list[object]:
    return [
        (m.operation, m.target, m.bandwidth, m.iops, m.values, m.series)
        for m in parsed.measurements
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"$ iostat -x -o JSON vda 1 3\n" + SAMPLE + b"$ \n",
        json.dumps(json.loads(SAMPLE)).encode(),
        SAMPLE.replace(b"\n", b"\r\n"),
        SAMPLE.decode().encode("utf-16"),
    ],
)
def test_dirt_does_not_change_the_figures(data: bytes) -> None:
    assert figures(parse(data)) == figures(parse(SAMPLE))


def test_a_document_that_was_not_closed_keeps_its_whole_reports() -> None:
    cut = parse(SAMPLE[: SAMPLE.rindex(b"]")])
    assert cut.completeness == "partial"
    assert {CUT in each.warnings for each in cut.measurements} == {True}
    assert figures(cut) == figures(parse(SAMPLE))
    half = parse(SAMPLE[: SAMPLE.rindex(b'"util"')])
    assert half.measurements[0].values["reports"] == 1


def test_each_document_and_each_host_is_a_recording() -> None:
    document = json.loads(SAMPLE)
    (host,) = document["sysstat"]["hosts"]
    document["sysstat"]["hosts"] = [host, {**host, "nodename": "osd2"}]
    found = parse(SAMPLE + b"\n" + json.dumps(document).encode() + b"\n").measurements
    one = [each for each in found if each.operation == "read" and each.params["device"] == "vda"]
    assert [each.call for each in one] == [1, 2, 3]
    assert [each.target.partition(":")[0] for each in one] == [host["nodename"]] * 2 + ["osd2"]
    assert len({each.bandwidth for each in one}) == 1
    end = SAMPLE.count(b"\n")
    assert [each.lines for each in one] == [(1, end), (end + 2, end + 2), (end + 2, end + 2)]


def test_one_report_is_used_even_if_it_covers_the_time_since_boot() -> None:
    document = json.loads(SAMPLE)
    del document["sysstat"]["hosts"][0]["statistics"][1:]
    parsed = parse(json.dumps(document).encode())
    assert parsed.measurements[0].iops == 2303.04
    assert BOOT not in parsed.measurements[0].warnings


def test_times_in_the_document_give_the_interval() -> None:
    document = json.loads(SAMPLE)
    for index, report in enumerate(document["sysstat"]["hosts"][0]["statistics"]):
        report["timestamp"] = f"11/21/26 04:41:{10 + 5 * index}"
    parsed = parse(json.dumps(document).encode())
    assert {series.interval for series in parsed.measurements[0].series} == {5.0}


@pytest.mark.parametrize(
    "data",
    [
        b'{"sysstat": {"hosts": ' + b"[" * 200_000,
        b'{"sysstat": {' * 50_000,
        b'{"sysstat": {"hosts": [{"statistics": [' + b'{"target": [' * 100_000,
        b'{"sysstat": {"hosts": [{"statistics": [{"target": [{"disk_device": 5}]}]}]}}',
        b'{"sysstat": {"hosts": 7}}',
        b'{"sysstat": {}}',
        b'{"sysstat": {"x": ' + b"9" * 10_000 + b"}}",
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_documents_are_refused(data: bytes) -> None:
    with pytest.raises(OutputError):
        parse(data)


def test_iostat_cannot_be_planned() -> None:
    with pytest.raises(ParamsError, match="watches the devices itself"):
        TOOL.build_procedure(None, ToolTarget("disk", "x"))
    assert TOOL.params is None
