"""Logs in pieces of their text say what they say as a whole, and are never held."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.tools.errors import OutputError
from apps.tools.fio import TOOL
from apps.tools.fio.parser.logs import blocks
from apps.tools.fio.parser.logs.columns import read_columns
from apps.tools.parse_result import Output, Parsed

CASES = sorted((Path(__file__).parent / "logs").iterdir())


def in_pieces(text: bytes, size: int) -> Iterator[bytes]:
    return (text[at : at + size] for at in range(0, len(text), size))


def read(case: Path, piece: int | None, large: frozenset[str]) -> Parsed:
    """The logs of a case, those in `large` in pieces of so many bytes."""
    found = {path.name: path.read_bytes() for path in sorted(case.glob("*.log"))}
    files = {name: b"" if name in large else text for name, text in found.items()}
    pieces = {name: in_pieces(found[name], piece or 1) for name in large}
    return TOOL.parse(Output({"stdout": b"", "stderr": b"", **files}, large=pieces))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_they_say_the_same(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "HEAD", 100)
    monkeypatch.setattr(blocks, "BLOCK", 300)
    names = sorted(path.name for path in case.glob("*.log"))
    whole = repr(read(case, None, frozenset()))
    for large in (frozenset(names), frozenset(names[::2])):
        assert all(TOOL.reads_in_pieces(name) for name in large)
        assert repr(read(case, 77, large)) == whole


def test_a_last_line_without_its_end_is_left_out() -> None:
    text = b"1, 10, 0, 0, 0\n2, 20, 0, 0, 0\n3, 3"
    for size in (1, 7, 100):
        found = read_columns(in_pieces(text, size))
        assert (found.time.tolist(), found.value.tolist(), found.cut) == ([1, 2], [10, 20], True)
    assert not read_columns(in_pieces(text[:-4], 7)).cut


def test_late_changes_of_sizes_and_values_are_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 60)
    sizes = [4096] * 20 + [8192] + [4096] * 5
    values = [7] * 24 + [2**40, 9]
    rows = zip(values, sizes, strict=True)
    text = b"".join(b"%d, %d, 0, %d, 0\n" % (at, *row) for at, row in enumerate(rows))
    found = read_columns(text)
    assert found.size.tolist() == sizes
    assert found.value.tolist() == values


def test_a_text_without_line_ends_is_not_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_LINE_BYTES", 1000)
    endless = in_pieces(b"1, 10, 0, 0, 0\n" + b"7" * 10**7, 500)
    monkeypatch.setattr(blocks, "HEAD", 100)
    with pytest.raises(OutputError, match="does not end"):
        read_columns(endless)
    assert next(endless, b"")  # the rest was not asked for


def test_the_text_is_never_held() -> None:
    lines, times = b"".join(b"%d, 500, 0, 0, 0\n" % at for at in range(60_000, 90_000)), 40
    tracemalloc.start()
    try:
        found = read_columns(lines for _ in range(times))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.time.size == 30_000 * times
    assert peak < len(lines) * times
