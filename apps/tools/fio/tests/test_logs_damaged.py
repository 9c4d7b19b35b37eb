"""No damage to a log brings its parser down, and none invents operations."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.tools.base import Output, OutputError, Parsed, ToolError
from apps.tools.fio import TOOL
from apps.tools.fio.parser.logs.columns import read_columns

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
    columns = read_columns(end.join([*lines, *dirt]) + end)
    read = zip(
        *(each.tolist() for each in (columns.time, columns.value, columns.direction, columns.size)),
        strict=True,
    )
    assert list(read) == rows
    assert columns.foreign == len(dirt)
