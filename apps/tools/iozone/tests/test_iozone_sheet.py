"""iozone's own Excel file says what iozone printed, and is never read beyond its end."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.iozone import TOOL
from apps.tools.iozone.parser.sheet import BEGIN, text_of
from apps.tools.parse_result import Output, Parsed

SAMPLES = Path(__file__).parent / "samples"
SHEET = (SAMPLES / "3.489--sheet-auto" / "out.xls").read_bytes()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def label(row: int, column: int, text: str) -> bytes:
    content = struct.pack("<HH3xB", row, column, len(text)) + text.encode()
    return struct.pack("<HH", 4, len(content)) + content


def figure(row: int, column: int, value: float) -> bytes:
    return struct.pack("<HHHH3xd", 3, 15, row, column, value)


def table(*cells: bytes) -> bytes:
    heading = [label(3, 0, "Writer Report"), figure(4, 1, 4), figure(4, 2, 8), figure(4, 3, 16)]
    return b"".join([BEGIN, label(0, 0, "iozone -a -I"), *heading, *cells, b"\x0a\0\0\0"])


def test_the_sheet_as_iozone_prints_it() -> None:
    assert text_of(SHEET).splitlines()[:7] == [
        "File stride size set to 17 * record size.",
        "Command line used: iozone -i 0 -i 1 -s 1M -r 64k -R -b c.xls ",
        '" "',
        '"The top row is records sizes, the left column is file sizes"',
        '"Writer Report"',
        '"64"',
        '"1024" 3483896',
    ]


def test_a_place_that_was_not_run_shifts_no_figure() -> None:
    found = parse(table(figure(5, 0, 64), figure(5, 1, 100), figure(5, 3, 300))).measurements
    sizes = [(one.params["record_size"], (one.bandwidth or 0) / 1024) for one in found]
    assert sizes == [(4096, 100), (16384, 300)]
    assert all(one.params["direct"] for one in found), "the command line stands in the sheet"


def test_the_reports_of_the_cpu_are_no_results() -> None:
    cpu = label(6, 0, "Writer CPU utilization report (Zero values should be ignored)")
    data = table(
        figure(5, 0, 64), figure(5, 1, 100), cpu, figure(7, 1, 4), figure(8, 0, 64), figure(8, 1, 9)
    )
    assert len(parse(data).measurements) == 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 1e300])
def test_numbers_that_are_none_are_left_out(value: float) -> None:
    with pytest.raises((OutputError, ToolError)):
        parse(table(figure(5, 0, 64), figure(5, 1, value)))


def test_a_sheet_without_its_end_is_partial() -> None:
    assert parse(SHEET).completeness == "whole"
    assert parse(SHEET[:-4]).completeness == "partial"
    assert parse(SHEET[:-4]).format == "sheet"


def test_another_sheet_is_not_iozones() -> None:
    assert not TOOL.detect(BEGIN + label(0, 0, "Sales") + figure(1, 1, 7) + b"\x0a\0\0\0")
