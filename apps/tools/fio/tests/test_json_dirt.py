"""JSON as it really arrives: text around and inside it, cut off, reformatted, hostile."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.parser.documents.result import parse_json
from apps.tools.fio.parser.output import parse_output
from apps.tools.parse_result import Output, Parsed
from apps.tools.values import Parameters

SAMPLES = Path(__file__).parent / "samples"
STATUS = (SAMPLES / "3.33--json+-mixed-every-second" / "result.json").read_bytes()
PLAIN = (SAMPLES / "3.33--json-fsync" / "result.json").read_bytes()
FULL_DISK = (SAMPLES / "3.33--json-no-space" / "result.json").read_bytes()


def figures(parsed: Parsed) -> list[tuple[str, float | None, float | None]]:
    return [(m.operation, m.bandwidth, m.iops) for m in parsed.measurements]


def changed(**values: Any) -> bytes:
    """The plain sample with figures of its write direction replaced."""
    document = json.loads(PLAIN)
    document["jobs"][0]["write"].update(values)
    return json.dumps(document, indent=2).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"fio: this platform does not support process shared mutexes\n" + PLAIN,
        PLAIN + b"\nfio: pid=1, err=5/file:x\n",
        b"note: both iodepth >= 1 and synchronous I/O engine are selected\n" + PLAIN + b"bye {\n",
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.decode().encode("utf-16"),
        PLAIN.replace(b'  "jobs"', b'fio: io_u error on file /dev/x: I/O error\n  "jobs"', 1),
        PLAIN.replace(b'"jobs"', b'\0"jobs"', 1),
        json.dumps(json.loads(PLAIN)).encode(),
        json.dumps(json.loads(PLAIN), indent=8).encode(),
    ],
)
def test_dirt_does_not_change_the_figures(data: bytes) -> None:
    parsed = parse_json(data)
    assert figures(parsed) == figures(parse_json(PLAIN))


def test_text_around_json_becomes_a_warning() -> None:
    parsed = parse_json(b"fio: hello\n" + PLAIN)
    assert parsed.warnings == ("fio: hello",)
    assert parsed.completeness == "whole"


def test_invalid_utf8_in_a_name_is_survived() -> None:
    parsed = parse_json(PLAIN.replace(b'"benchlab"', b'"bench\xfflab"'))
    assert figures(parsed) == figures(parse_json(PLAIN))


@pytest.mark.parametrize("word", ["nan", "-nan", "inf", "-inf", "NaN", "nan(0x8000)"])
def test_no_number_becomes_null(word: str) -> None:
    data = PLAIN.replace(b'"iops" : 1864.135864', f'"iops" : {word}'.encode())
    assert data != PLAIN
    measurement = parse_json(data).measurements[0]
    assert measurement.iops is None
    assert measurement.bandwidth == 7635500


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e308 * 10, "many", True, None, [], {}])
def test_absurd_values_are_no_figures(value: Any) -> None:
    if value == float("inf"):
        value = 10**400
    parsed = parse_json(changed(iops=value, bw_max=value, clat_ns={"mean": value, "N": value}))
    assert parsed.measurements[0].iops is None


def test_huge_sizes_are_cut_at_what_a_column_holds() -> None:
    (measurement, _) = parse_json(changed(bw_bytes=2**64, io_bytes=2**70)).measurements
    assert measurement.bandwidth is None or measurement.bandwidth < 2**63


def test_the_last_complete_document_is_the_result() -> None:
    last = STATUS.rindex(b"\n{\n")
    cut = STATUS[: last + 400]
    parsed = parse_json(cut)
    assert parsed.completeness == "partial"
    assert parsed.measurements[0].values["total_ios"] == 590
    assert "The output is cut off." in parsed.measurements[0].warnings


def test_file_ending_after_a_status_report_is_not_whole() -> None:
    last = STATUS.rindex(b"\n{\n")
    assert parse_json(STATUS[:last]).completeness != "whole"
    asked: Parameters = {"runtime": 5, "time_based": True}
    assert parse_json(STATUS[:last], asked).completeness == "partial"
    assert parse_json(STATUS, asked).completeness == "whole"


def test_a_cut_single_document_gives_its_finished_directions() -> None:
    cut = PLAIN[: PLAIN.index(b'"trim"')]
    parsed = parse_json(cut)
    assert parsed.completeness == "partial"
    assert figures(parsed) == figures(parse_json(PLAIN))[:1]


def test_an_error_of_fio_makes_the_result_partial() -> None:
    parsed = parse_json(FULL_DISK)
    assert parsed.completeness == "partial"
    (said,) = parsed.measurements[0].warnings
    assert said == "fio reports error 28: No space left on device."


def test_an_exit_code_makes_the_result_partial() -> None:
    output = Output({"result.json": PLAIN, "stdout": b"", "stderr": b"fio: killed\n"}, 1)
    parsed = parse_output(output)
    assert parsed.completeness == "partial"
    assert parsed.warnings == ("fio ended with exit code 1.", "fio: killed")


def test_exit_code_zero_with_nothing_is_an_error() -> None:
    with pytest.raises(OutputError):
        parse_output(Output({"result.json": b"", "stdout": b"", "stderr": b""}, 0))
    with pytest.raises(ToolError, match="No such device"):
        parse_output(Output({"stdout": b"", "stderr": b"fio: No such device\n"}, 1))


def test_operations_that_did_not_happen_are_left_out() -> None:
    assert [m.operation for m in parse_json(PLAIN).measurements] == ["write", "sync"]
    with pytest.raises(OutputError, match="without a single operation"):
        parse_json(changed(total_ios=0, io_bytes=0))


def test_clients_of_a_server_are_jobs_and_their_printed_sum_is_not() -> None:
    document = json.loads(PLAIN)
    job = document.pop("jobs")[0]
    document["client_stats"] = [job, job, {**job, "jobname": "All clients"}]
    found = parse_json(json.dumps(document).encode()).measurements
    assert [each.values["total_ios"] for each in found] == [2 * 3732, 2 * 933]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":' * 100_000,
        b"{\n" * 300_000,
        b"{ {\n}" * 100_000,
        b'{"fio version": "x"}\n' * 50_000,
        b'{"jobs": [' + b"[" * 100_000,
        b'{\n"' + b"x" * 5_000_000,
        b"{\n" + b'"' * 500_000 + b"\n}",
        b'{"fio version":1,"jobs":[' + b"1," * 1_000_000 + b"1]}",
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_input_is_refused_without_hanging(data: bytes) -> None:
    with pytest.raises((OutputError, ToolError)):
        parse_json(data)


def test_a_group_that_failed_without_a_result_leaves_the_others_whole() -> None:
    document = json.loads(PLAIN)
    (job,) = document["jobs"]
    nothing = {**job["write"], "io_bytes": 0, "iops": 0.0, "total_ios": 1}
    document["jobs"].append({**job, "groupid": 1, "error": 28, "write": nothing, "sync": {}})
    parsed = parse_json(json.dumps(document).encode())
    assert {found.group for found in parsed.measurements} == {0}
    assert parsed.completeness == "whole"
    assert any("28" in said for said in parsed.warnings)


def test_sum_next_to_its_directions_is_a_separate_result() -> None:
    # --unified_rw_reporting=both prints "mixed" beside them.
    document = json.loads(PLAIN)
    job = document["jobs"][0]
    job["mixed"] = job["write"]
    assert [m.operation for m in parse_json(json.dumps(document).encode()).measurements] == [
        "write", "mixed", "sync",
    ]  # fmt: skip


def test_what_benchlab_ran_is_one_call_whatever_its_counters_do() -> None:
    """A verification that begins sets counters back; two results of one test cannot be stored."""
    data = PLAIN + changed(total_ios=1, io_bytes=4096)
    assert len(parse_json(data).measurements) > len(parse_json(PLAIN).measurements)
    alone = parse_json(data, {"runtime": 0, "time_based": False}).measurements
    assert len({(each.operation, each.component) for each in alone}) == len(alone)
