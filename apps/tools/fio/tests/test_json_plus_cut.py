"""JSON+ as fio prints it is read without its bins; the figures are those of the whole document."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.tools.fio.parser.bins.bins import Bins
from apps.tools.fio.parser.documents.cut import cut_out, quickly
from apps.tools.fio.parser.documents.repair import jobs_of
from apps.tools.fio.parser.documents.result import parse_json

SAMPLES = Path(__file__).parent / "samples"
STATUS = (SAMPLES / "3.33--json+-mixed-every-second" / "result.json").read_bytes()
JOBS = (SAMPLES / "3.33--json+-two-jobs" / "result.json").read_bytes()
BEGIN = JOBS.index(b"{")


def reprinted(data: bytes) -> bytes:
    """The same document in one line: fio never prints that, so it is read as any other."""
    return json.dumps(json.loads(data[data.index(b"{") :])).encode()


def damaged(old: bytes, new: bytes) -> bytes:
    """The sample with the last place of `old`, which lies in bins that count, replaced."""
    at = JOBS.rindex(old)
    return JOBS[:at] + new + JOBS[at + len(old) :]


def last_bins() -> bytes:
    begin = JOBS.rindex(b'"bins" : {')
    return JOBS[begin : JOBS.index(b"}", begin) + 1]


def test_the_bins_that_count_are_those_of_the_whole_document() -> None:
    found = quickly(JOBS, BEGIN)
    assert found
    document, end = found
    assert JOBS[end:].strip() == b""
    seen = 0
    for ours, theirs in zip(document["jobs"], json.loads(JOBS[BEGIN:])["jobs"], strict=True):
        for operation in ("read", "write", "trim"):
            expected = theirs[operation]["lat_ns"].get("bins", {})
            bins: Any = ours[operation]["lat_ns"].get("bins", Bins())
            pairs = zip(bins.values.tolist(), bins.counts.tolist(), strict=True)
            assert dict(pairs) == {int(value): count for value, count in expected.items()}
            seen += len(bins)
    assert seen > 100


def test_both_ways_of_reading_give_the_same_result() -> None:
    assert quickly(reprinted(JOBS), 0) is None
    assert parse_json(JOBS) == parse_json(reprinted(JOBS))


@pytest.mark.parametrize("spaced", [(",", ":"), (", ", ": "), (",", " : ")])
@pytest.mark.parametrize("indent", [None, 1, 4])
def test_spaces_change_no_figure(spaced: tuple[str, str], indent: int | None) -> None:
    text = json.dumps(json.loads(JOBS[BEGIN:]), indent=indent, separators=spaced).encode()
    assert parse_json(text) == parse_json(JOBS)


def test_each_document_ends_where_the_next_one_begins() -> None:
    position, documents = 0, 0
    while (begin := STATUS.find(b"{\n", position)) >= 0:
        cut = cut_out(STATUS, begin)
        assert cut
        assert STATUS[cut.end - 2 : cut.end] == b"\n}"
        position, documents = cut.end, documents + 1
    assert documents == STATUS.count(b'"fio version"') > 3


def test_completion_latency_counts_where_the_total_has_no_bins() -> None:
    document = json.loads(JOBS[BEGIN:])
    for job in document["jobs"]:
        for operation in ("read", "write", "trim"):
            job[operation]["lat_ns"].pop("bins", None)
    text = json.dumps(document, indent=2, separators=(",", " : ")).encode()
    found = quickly(text, 0)
    assert found
    assert any(
        isinstance(job[operation]["clat_ns"].get("bins"), Bins)
        for job in jobs_of(found[0])
        for operation in ("read", "write")
    )
    assert parse_json(text) == parse_json(reprinted(text))


@pytest.mark.parametrize(
    "broken",
    [
        last_bins().replace(b" : 1,", b" : 1.5,", 1),
        last_bins().replace(b" : 1,", b" : 01,", 1),
        last_bins().replace(b" : 1,", b" : -1,", 1),
        last_bins().replace(b" : 1,", b" : ,", 1),
        last_bins().replace(b" : 1,", b" : 1 ,", 1),
        last_bins().replace(b" : 1,", b" : 1", 1),
        last_bins().replace(b" : 1,", b" : 12345678901234567,", 1),
        last_bins().replace(b" : 1,\n", b" : 1,\nfio: error\n", 1),
        last_bins().replace(b" : 1,\n", b" : 1,\n\n", 1),
        last_bins().replace(b'"bins" : {\n', b'"bins" : {', 1),
        last_bins().replace(b" : 1\n", b" : 1,\n", 1),
        last_bins().replace(b'  "', b'5 "', 1),
        last_bins().replace(b'" : 1,', b' " : 1,', 1),
        last_bins().replace(b'" : 1,', b'":1,', 1),
    ],
)
def test_bins_that_fio_does_not_print_like_this_are_left_to_the_whole_reading(
    broken: bytes,
) -> None:
    assert broken != last_bins()
    assert quickly(damaged(last_bins(), broken), BEGIN) is None


@pytest.mark.parametrize("foreign", [b"fio: io_u error on file x\n", b",\n", b"\n", b'"\n', b".\n"])
def test_foreign_text_in_bins_that_do_not_count_is_seen(foreign: bytes) -> None:
    at = JOBS.index(b"\n", JOBS.index(b'"bins" : {', JOBS.index(b'"clat_ns"'))) + 1
    assert quickly(JOBS[:at] + foreign + JOBS[at:], BEGIN) is None


@pytest.mark.parametrize("place", [b"9999", b"-1", b"1.0", b"true", b'"x"', b"{}", b"[]", b"null"])
def test_a_document_that_names_bins_it_does_not_have_is_read_as_a_whole(place: bytes) -> None:
    mark = b'"lat_ns" : {'
    at = JOBS.index(mark, JOBS.index(b'"trim" : {')) + len(mark)
    data = JOBS[:at] + b'"bins cut out" : ' + place + b"," + JOBS[at:]
    assert quickly(data, BEGIN) is None
    assert parse_json(data) == parse_json(JOBS)
