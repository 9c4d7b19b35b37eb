"""rados's JSON, with its own dirt in it, cut off, hostile."""

import contextlib
from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Output, Parsed
from apps.tools.rados import TOOL

SAMPLES = Path(__file__).parent / "samples"
DIRTY = (SAMPLES / "16.2.15--json-pretty-cleanup" / "result.json").read_bytes()
PLAIN = (SAMPLES / "16.2.15--json-write" / "result.json").read_bytes()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def test_lines_of_the_clean_up_are_taken_out() -> None:
    assert b"}2026-11-21T04:36:57.801161+0000 Cleaning up" in DIRTY
    parsed = parse(DIRTY)
    assert parsed.completeness == "whole"
    assert len(parsed.measurements[0].series[0].values) == 2


def test_a_cut_document_gives_the_seconds_before_the_cut() -> None:
    parsed = parse(PLAIN[: PLAIN.index(b'{"sec":"3"')])
    (measurement,) = parsed.measurements
    assert parsed.completeness == "partial"
    assert measurement.operation == "write"
    assert measurement.iops == pytest.approx(7086 / 2)
    assert measurement.params["threads"] == 16


def test_several_documents_are_several_runs() -> None:
    assert len(parse(PLAIN + b"\n" + DIRTY).measurements) == 2


def test_a_deviation_that_was_never_worked_out_is_left_out() -> None:
    assert b'"stddev_iops":"1990632368"' in PLAIN
    assert "iops_stddev" not in parse(PLAIN).measurements[0].values


@pytest.mark.parametrize("word", ["nan", "-inf", "", "9" * 400, "many"])
def test_odd_figures_are_no_figures(word: str) -> None:
    odd = PLAIN.replace(b'"average_latency":"0.004680"', f'"average_latency":"{word}"'.encode())
    (measurement,) = parse(odd).measurements
    assert measurement.latency.mean is None
    assert measurement.iops == pytest.approx(10254 / 3.00133)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        b'{"datas":' + b"[" * 500_000,
        b'{"datas":[' + b'{"sec":' * 200_000,
        b'{"datas":[]}\n' * 100_000,
        b"rados bench " * 100_000,
        b"rados bench " * 50 + b"1 " * 400 + b"\n" + b"rados " * 200_000,
        b"Maintaining 16 concurrent writes of " * 50_000,
        b"  sec Cur ops   started  finished  avg MB/s  cur MB/s\n" + b"9 9 9 9 9 9 9 9\n" * 100_000,
        b"Total time run" + b" " * 1_000_000,
        b"{ " * 500_000 + b'"datas":',
    ],
)
def test_hostile_input_is_read_without_hanging(data: bytes) -> None:
    TOOL.detect(data)
    with contextlib.suppress(OutputError, ToolError):
        parse(data)


def test_each_document_of_a_loop_has_the_command_with_its_word() -> None:
    loop = b"# for p in a b; do rados bench -p $p 5 write --format json; done\n"
    found = parse(loop + PLAIN + b"\n" + PLAIN + b"\n" + PLAIN).measurements
    assert [each.target for each in found] == ["a", "b", ""]
    assert found[0].lines == (1, 1 + PLAIN.rstrip().count(b"\n") + 1)
