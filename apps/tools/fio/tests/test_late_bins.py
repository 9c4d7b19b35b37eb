"""JSON+ is decoded without the bins that no figure needs; the figures stay the same."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from apps.tools.fio.parser.bins.bins import Bins
from apps.tools.fio.parser.documents.late_bins import load_document
from apps.tools.fio.parser.documents.repair import jobs_of
from apps.tools.fio.parser.documents.result import parse_json

SAMPLES = Path(__file__).parent / "samples"
FILE = (SAMPLES / "3.33--json+-two-jobs" / "result.json").read_bytes()
JOBS = FILE[FILE.index(b"{") :]


def last_bins() -> bytes:
    begin = JOBS.rindex(b'"bins" : {')
    return JOBS[begin : JOBS.index(b"}", begin) + 1]


def replaced(old: bytes, new: bytes) -> bytes:
    """The document with the last bins, which count, changed."""
    changed = last_bins().replace(old, new, 1)
    assert changed != last_bins()
    return JOBS.replace(last_bins(), changed)


def many(jobs: int) -> bytes:
    """A document with the jobs of the sample again and again."""
    begin, end = JOBS.index(b'"jobs" : [\n') + 11, JOBS.index(b"\n  ],", JOBS.index(b'"jobs"'))
    first, second = JOBS[begin:end].split(b"\n    },\n    {\n")
    both = [first + b"\n    }", b"    {\n" + second]
    return JOBS[:begin] + b",\n".join(both[place % 2] for place in range(jobs)) + JOBS[end:]


def test_bins_that_count_are_those_of_the_whole_document() -> None:
    document = load_document(JOBS)
    assert document
    seen = 0
    for ours, theirs in zip(jobs_of(document), json.loads(JOBS)["jobs"], strict=True):
        for operation in ("read", "write", "trim"):
            direction: Any = ours[operation]
            bins = direction["lat_ns"].get("bins", Bins())
            pairs = zip(bins.values.tolist(), bins.counts.tolist(), strict=True)
            expected = theirs[operation]["lat_ns"].get("bins", {})
            assert dict(pairs) == {int(value): count for value, count in expected.items()}
            assert "bins" not in direction["clat_ns"]
            seen += len(bins)
    assert seen > 100


@pytest.mark.parametrize("spaced", [(",", ":"), (", ", ": "), (",", " : ")])
@pytest.mark.parametrize("indent", [None, 1, 2, 4])
def test_spaces_change_no_figure(spaced: tuple[str, str], indent: int | None) -> None:
    text = json.dumps(json.loads(JOBS), indent=indent, separators=spaced).encode()
    assert parse_json(text) == parse_json(JOBS)


def test_completion_latency_counts_where_the_total_has_no_bins() -> None:
    document = json.loads(JOBS)
    for job in document["jobs"]:
        for operation in ("read", "write", "trim"):
            job[operation]["lat_ns"].pop("bins", None)
    found = load_document(json.dumps(document).encode())
    assert found
    directions: Any = [job[name] for job in jobs_of(found) for name in ("read", "write")]
    assert any(isinstance(each["clat_ns"].get("bins"), Bins) for each in directions)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b" : 1,", b" : 1.5,"),
        (b" : 1,", b" : 01,"),
        (b" : 1,", b" : -1,"),
        (b" : 1,", b" : ,"),
        (b" : 1,", b" : 1"),
        (b" : 1,\n", b" : 1,\nfio: error\n"),
        (b'  "', b'5 "'),
        (b'" : 1,', b' " : 1,'),
    ],
)
def test_bins_that_fio_does_not_print_are_left_to_the_whole_reading(old: bytes, new: bytes) -> None:
    assert load_document(replaced(old, new)) is None


@pytest.mark.parametrize("foreign", [b"fio: io_u error on file x\n", b",\n", b'"\n', b".\n"])
def test_foreign_text_in_bins_that_do_not_count_is_seen(foreign: bytes) -> None:
    at = JOBS.index(b"\n", JOBS.index(b'"bins" : {', JOBS.index(b'"clat_ns"'))) + 1
    assert load_document(JOBS[:at] + foreign + JOBS[at:]) is None


def peak_of(data: bytes) -> int:
    tracemalloc.start()
    try:
        load_document(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_with_the_text() -> None:
    few, more = many(20), many(60)
    assert peak_of(more) - peak_of(few) < 2 * (len(more) - len(few))
