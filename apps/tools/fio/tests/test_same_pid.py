"""fio's text of two calls with one pid, as in containers: both are results."""

import re
from pathlib import Path

import pytest

from apps.tools.fio.parser.normal.text import parse_text
from apps.tools.text import count

CALLS = Path(__file__).parent / "calls"
FIRST = (CALLS / "pid.txt").read_bytes()
SECOND = (CALLS / "pid-again.txt").read_bytes()
STATUS = (Path(__file__).parent / "samples" / "3.33--text-status" / "output.txt").read_bytes()


def totals(data: bytes) -> list[int]:
    return [count(each.values["total_ios"]) for each in parse_text(data).measurements]


def bare(data: bytes) -> bytes:
    """Without what each call says before it begins."""
    return data[data.index(b"\npid: (groupid") + 1 :]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (FIRST + SECOND, [4096, 8192]),
        (SECOND + FIRST, [8192, 4096]),
        (SECOND + bare(FIRST), [8192, 4096]),
        (FIRST + FIRST, [4096]),
        (FIRST + SECOND + FIRST, [4096, 8192, 4096]),
    ],
)
def test_each_call_counts(data: bytes, expected: list[int]) -> None:
    assert totals(data) == expected


def test_a_call_an_hour_later_goes_on_with_nothing() -> None:
    """Its lines at the beginning are lost; it ran as long and did more."""
    later = bare(FIRST).replace(b"11:27:40", b"12:27:40").replace(b"2048msec", b"2049msec")
    assert later.count(b":27:40") == 1
    assert totals(FIRST + later) == [4096, 4096]


def test_reports_of_a_running_call_are_one_without_dates_too() -> None:
    assert totals(STATUS) == [600]
    assert totals(re.sub(rb"(pid=\d+): .*", rb"\1", STATUS)) == [600]


def test_calls_with_status_reports_are_separate_results() -> None:
    assert totals(STATUS + STATUS.replace(b"total=600", b"total=599")) == [600, 599]
