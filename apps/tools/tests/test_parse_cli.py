"""The command that turns any output into one document."""

import io
import json
import sys
from pathlib import Path

import pytest

from apps.tools.parse_cli import as_text, document_of, main
from apps.tools.parse_result import Measurement, Parsed

ROOMS = Path(__file__).parents[1]
SAMPLE = ROOMS / "fio/tests/samples/3.33--json+-mixed-every-second/result.json"


def test_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SAMPLE)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == [
        *("tool", "format", "version", "completeness", "measurements", "warnings"),
    ]
    assert (document["tool"], document["completeness"]) == ("fio", "whole")
    read = document["measurements"][0]
    assert list(read) == [
        *("operation", "bandwidth", "iops", "latency", "params", "values", "series"),
        *("job", "group", "client", "call", "target"),
        *("completeness", "warnings", "unread_options", "lines"),
    ]
    assert list(read["latency"]) == ["min", "mean", "max", "stddev", "percentiles"]
    assert len(read["series"]["bandwidth"]) == 5


@pytest.mark.parametrize(
    ("sample", "completeness"),
    [
        ("fio/tests/samples/3.33--json-no-space/result.json", "partial"),
        ("fio/tests/samples/3.x--one-result-line/output.txt", "unknown"),
    ],
)
def test_whether_everything_is_there(
    sample: str, completeness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(ROOMS / sample)]) == 0
    assert json.loads(capsys.readouterr().out)["completeness"] == completeness


def test_a_tool_and_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAMPLE.read_bytes())))
    assert main(["fio", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == "3.33"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (None, b""),
        (None, b"hello\n"),
        ("fio", b"hello\n"),
        ("nosuchtool", b"hello\n"),
        ("fio", b'{"fio version": "fio-3.33", "jobs": []}'),
    ],
)
def test_what_cannot_be_parsed_exits_with_2_and_a_sentence(
    name: str | None, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "output"
    path.write_bytes(data)
    assert main([name, str(path)] if name else [str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith(".\n")


def test_a_missing_file_and_wrong_usage_exit_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["/nonexistent/file"]) == 2
    assert main([]) == 2
    assert main(["a", "b", "c"]) == 2
    assert "Usage" in capsys.readouterr().err


def test_the_json_is_valid_whatever_the_figures() -> None:
    odd = Measurement(
        operation="read\ud800",
        bandwidth=float("nan"),
        iops=float("inf"),
        values={"big": 2**70, "nested": [float("-inf"), {"x": "\x00"}]},
    )
    text = as_text(document_of(Parsed("fio", "json", None, (odd,))))
    (read,) = json.loads(text, parse_constant=pytest.fail)["measurements"]
    assert read["bandwidth"] is read["iops"] is read["values"]["big"] is None


def test_a_file_whose_name_says_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "run_bw.1.log"
    log.write_text("500, 200, 0, 0, 0\n1000, 100, 0, 0, 0\n")
    assert main([str(log)]) == 0
    (measurement,) = json.loads(capsys.readouterr().out)["measurements"]
    assert measurement["series"] == {"bandwidth": [204800.0, 102400.0]}
    assert main(["rados", str(log)]) == 2


@pytest.mark.parametrize(
    ("sample", "operations", "shares"),
    [
        ("fio/tests/samples/3.33--json+-two-targets", ["read", "write"], ["target0", "target1"]),
        (
            "iperf/tests/samples/3.12--bidirectional-json",
            ["send", "receive"],
            ["forward", "reverse"],
        ),
    ],
)
def test_an_operation_is_one_measurement_with_its_shares_in_the_values(
    sample: str, operations: list[str], shares: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(ROOMS / sample / "result.json")]) == 0
    found = json.loads(capsys.readouterr().out)["measurements"]
    assert [each["operation"] for each in found] == operations
    for each in found:
        own = each["values"]["shares"]
        assert list(own) == shares
        total = sum(share["bandwidth"] for share in own.values())
        assert each["bandwidth"] == pytest.approx(total, rel=0.01)
