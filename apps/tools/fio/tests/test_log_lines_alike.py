"""Lines that differ in time and value alone are read as any others, and what differs is seen."""

import numpy as np
import pytest

from apps.tools.base import OutputError
from apps.tools.fio.parser.bins.digits import PADDING
from apps.tools.fio.parser.logs import columns
from apps.tools.fio.parser.logs.alike import times_and_values
from apps.tools.fio.parser.logs.columns import read_columns

LINES = [b"%d, %d, 1, 4096, 0\n" % (number, number**2 % 10**7) for number in range(100, 900)]


def alike(lines: list[bytes]) -> bool:
    text = b" " * PADDING + b"".join(lines)
    newlines = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return times_and_values(text, newlines) is not None


def read(lines: list[bytes]) -> list[list[int]]:
    found = read_columns(b"".join(lines))
    return [
        found.time.tolist(),
        found.value.tolist(),
        found.direction.tolist(),
        found.size.tolist(),
    ]


def test_such_a_block_is_read_to_its_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alike(LINES)
    rows = [[int(cell) for cell in line.split(b", ")] for line in LINES]
    expected = [[row[place] for row in rows] for place in range(4)]
    assert read(LINES) == expected
    monkeypatch.setattr(columns, "times_and_values", lambda *_given: None)
    assert read(LINES) == expected


@pytest.mark.parametrize(
    "line",
    [
        b"1000, 7, 1, 4096, 0\n",  # another digit in its time
        b"901, 7, 0, 4096, 0\n",
        b"901, 7, 1, 8192, 0\n",
        b"901, 7, 1, 4096, 1\n",
        b"901,77, 1, 4096, 0\n",
        b"901, , 1, 4096, 0\n",
        b"901, 7 1, 1, 4096, 0\n",
        b"901, 7, 3, 1, 4096, 0\n",
        b"9O1, 7, 1, 4096, 0\n",
        b"901, 7, 1, 4096, 0\r\n",
        b"901\n",
        b"\n",
    ],
)
@pytest.mark.parametrize("place", [0, 1, 400, 800])
def test_one_other_line_is_seen(line: bytes, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*LINES[:place], line, *LINES[place:]]
    assert not alike(lines)
    try:
        found = read(lines)
    except OutputError:
        found = []
    monkeypatch.setattr(columns, "times_and_values", lambda *_given: None)
    try:
        assert found == read(lines)
    except OutputError:
        assert not found


@pytest.mark.parametrize("rest", [b"1, 0", b"1, 4096, 123456, 0x4005", b"2, 4096"])
def test_ends_of_any_length(rest: bytes) -> None:
    lines = [b"%d, %d, %b\n" % (number, number * 37, rest) for number in range(100, 900)]
    found = read(lines)
    assert found[0] == list(range(100, 900))
    assert found[1] == [number * 37 for number in range(100, 900)]
    assert set(found[2]) == {int(rest[:1])}
    assert set(found[3]) == {int(rest.split(b", ")[1])}
