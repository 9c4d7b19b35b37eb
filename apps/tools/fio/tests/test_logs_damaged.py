"""No damage to a log brings its parser down, and none invents operations."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio import TOOL
from apps.tools.fio.parser.logs import columns
from apps.tools.fio.parser.logs.columns import read_columns
from apps.tools.parse_result import Output, Parsed

LOGS = sorted((Path(__file__).parent / "logs").glob("*/*.log"))
JUNK = [
    b", ",
    b"\n",
    b"\r\n",
    b"9" * 400,
    b"-",
    b"0x",
    b"\0",
    b"nan",
    b",,,",
    b"1, 2, 0, 4096, 0\n",
]


def understood(name: str, data: bytes) -> Parsed | None:
    """None for what is refused with a sentence."""
    try:
        return TOOL.parse(Output({"stdout": b"", "stderr": b"", name: data}))
    except (OutputError, ToolError) as error:
        if not str(error).strip():
            raise
    return None


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_logs_bring_nothing_down(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(LOGS))
    text = bytearray(path.read_bytes()[:12_000])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 40))
        text[at : at + length] = data.draw(st.binary(max_size=12) | st.sampled_from(JUNK))
    parsed = understood(path.name, bytes(text))
    for measurement in parsed.measurements if parsed else ():
        assert (measurement.values.get("total_ios") or 0) <= 10**19
        assert all(len(series.values) < 2_000_000 for series in measurement.series)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**6),
            st.integers(0, 10**12),
            st.integers(0, 2),
            st.integers(1, 10**6),
        ),
        min_size=1,
        max_size=50,
    ),
    st.booleans(),
    st.sampled_from([b", ", b","]),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_both_ways_of_reading_say_the_same(
    rows: list[tuple[int, int, int, int]], foreign: bool, comma: bytes, end: bytes
) -> None:
    """A foreign line makes the block be read line by line."""
    lines = [comma.join(b"%d" % cell for cell in row) for row in rows]
    dirt = [b"fio: foreign"] if foreign else []
    found = read_columns(end.join([*lines, *dirt]) + end)
    entries = zip(
        *(each.tolist() for each in (found.time, found.value, found.direction, found.size)),
        strict=True,
    )
    assert list(entries) == rows
    assert found.foreign == len(dirt)


LINES = [b"%d, %d, 1, 4096, 0\n" % (number, number**2 % 10**7) for number in range(100, 900)]


def read(lines: list[bytes]) -> list[list[int]] | None:
    try:
        found = read_columns(b"".join(lines))
    except OutputError:
        return None
    entries = (found.time, found.value, found.direction, found.size)
    return [[found.foreign], *(column.tolist() for column in entries)]


@pytest.mark.parametrize(
    "line",
    [
        b"1000, 7, 0, 8192, 1\n",
        b"901,77, 1, 4096, 0\n",
        b"901, , 1, 4096, 0\n",
        b"901, 7 1, 1, 4096, 0\n",
        b"901, 7, 3, 1, 4096, 0\n",
        b"9O1, 7, 1, 4096, 0\n",
        b"-1, 7, 1, 4096, 0\n",
        b"901, 12345678901234567, 1, 4096, 0\n",
        b"901, 7, 1, 4096, 0\r\n",
        b"901\n",
        b"\n",
    ],
)
@pytest.mark.parametrize("place", [0, 400, 800])
def test_block_with_one_other_line_gives_what_single_lines_give(
    line: bytes, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [*LINES[:place], line, *LINES[place:]]
    quickly = read(lines)
    monkeypatch.setattr(columns, "_parse_block", lambda *_given: None)
    assert quickly == read(lines)


@pytest.mark.parametrize("rest", [b"1, 0", b"1, 4096, 123456, 0x4005", b"2, 4096"])
def test_lines_of_any_width_are_read(rest: bytes) -> None:
    found = read([b"%d, %d, %b\n" % (number, number * 37, rest) for number in range(100, 900)])
    numbers = list(range(100, 900))
    direction, size = rest.split(b", ")[:2]
    assert found == [
        [0],
        numbers,
        [number * 37 for number in numbers],
        [int(direction)] * 800,
        [int(size)] * 800,
    ]
