"""A document read some jobs at a time gives what it gives as a whole, wherever its text is cut."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.tools.base import OutputError, Parsed, ToolError
from apps.tools.fio.parser import totals
from apps.tools.fio.parser.documents import read_job, result
from apps.tools.fio.parser.documents.documents import Documents
from apps.tools.fio.parser.documents.result import parse_json, parse_pieces
from apps.tools.fio.parser.documents.stream import Irregular

SAMPLES = Path(__file__).parent / "samples"
JOBS = (SAMPLES / "3.33--json+-two-jobs" / "result.json").read_bytes()
# Every document of fio's in the samples that its own printer wrote.
PRINTED = sorted(
    path
    for path in SAMPLES.glob("*/result.json")
    if b'\n  "jobs" : [\n' in (text := path.read_bytes()) or b'\n  "client_stats" : [\n' in text
)
Outcome = Parsed | tuple[str, str]


def outcome(data: bytes, size: int = 0) -> Outcome:
    """The result or the sentence of its refusal; of pieces of `size` bytes where that is given."""
    try:
        return parse_pieces(pieces(data, size), at_once=size) if size else parse_json(data)
    except (OutputError, ToolError) as error:
        return type(error).__name__, str(error)


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def many(jobs: int) -> bytes:
    """The sample's jobs again and again, so many of them."""
    begin, end = JOBS.index(b'"jobs" : [\n') + 11, JOBS.index(b"\n  ],", JOBS.index(b'"jobs"'))
    first, second = JOBS[begin:end].split(b"\n    },\n    {\n")
    both = [first + b"\n    }", b"    {\n" + second]
    return JOBS[:begin] + b",\n".join(both[place % 2] for place in range(jobs)) + JOBS[end:]


def test_most_samples_are_what_fio_prints() -> None:
    assert len(PRINTED) > 10


@pytest.mark.parametrize("path", PRINTED, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("size", [37, 1_000, 65_536, 1 << 20])
def test_pieces_give_what_the_whole_gives(path: Path, size: int) -> None:
    data = path.read_bytes()
    try:
        found = outcome(data, size)
    except Irregular:
        # Both were shortened by hand.
        assert path.parent.name in ("2.10--json-rw", "2.2.10--json-read")
    else:
        assert found == outcome(data)


def test_a_text_may_be_cut_anywhere() -> None:
    data = many(3)
    whole = outcome(data)
    for size in range(150, len(data), 613):
        assert outcome(data, size) == whole, size


def test_a_missing_end_is_told_in_the_same_words() -> None:
    data = many(4)
    told = set()
    for end in range(data.index(b"jobname"), len(data), 509):
        try:
            found = outcome(data[:end], 4_000)
        except Irregular:
            assert end < data.index(b"\n      }"), "nothing is complete before"
            continue
        whole = outcome(data[:end])
        assert found == whole, end
        told.add(whole.completeness if isinstance(whole, Parsed) else whole[0])
    assert told == {"partial", "OutputError"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"jobname"', b'fio: a line of somebody else\n      "jobname"'),
        (b"\n    },\n    {\n", b"\n    }\n    {\n"),
        (b"\n  ],\n", b'\n  ],\n  "jobs" : [],\n'),
        (b"{\n", b" {\n"),
        (b'"fio version"', b'"fio version" : "x", "\0"'),
        (b'\n  "jobs" : [\n', b'\n}\n  "jobs" : [\n'),
    ],
)
def test_what_fio_does_not_print_is_read_as_a_whole(old: bytes, new: bytes) -> None:
    assert old in JOBS
    with pytest.raises(Irregular):
        outcome(JOBS[JOBS.index(b"{") :].replace(old, new, 1), 4_000)


def test_large_texts_are_read_so_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = outcome(JOBS)
    monkeypatch.setattr(result, "LARGE", 1)
    monkeypatch.setattr(Documents, "split", None)
    assert outcome(JOBS) == whole
    monkeypatch.undo()
    monkeypatch.setattr(result, "LARGE", 1)
    damaged = JOBS.replace(b'      "jobname"', b'fio: somebody else\n      "jobname"', 1)
    assert outcome(damaged) != whole
    assert isinstance(outcome(damaged), Parsed)


def test_jobs_that_no_table_shows_are_kept_without_their_details(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = many(7)
    full = outcome(data, 4_000)
    for module in (totals, read_job):
        monkeypatch.setattr(module, "MAX_PARTS", 2)
    few = outcome(data, 4_000)
    assert few == outcome(data) != full


def peak_of(data: bytes) -> int:
    tracemalloc.start()
    try:
        parse_pieces(pieces(data, 32_768), at_once=32_768)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_by_a_part_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (totals, read_job):
        monkeypatch.setattr(module, "MAX_PARTS", 2)  # as behind the first thousand of jobs
    few, more = many(100), many(300)
    assert peak_of(more) - peak_of(few) < (len(more) - len(few)) / 2
