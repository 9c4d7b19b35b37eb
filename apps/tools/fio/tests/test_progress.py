"""Live figures from status documents that arrive in pieces."""

from pathlib import Path

import pytest

from apps.tools.fio.parser.documents.result import parse_json
from apps.tools.fio.progress import MAX_DOCUMENT, FioProgress

SAMPLES = Path(__file__).parent / "samples"
STATUS = (SAMPLES / "3.33--json+-mixed-every-second" / "result.json").read_bytes()
RAMP = (SAMPLES / "3.33--json+-ramp-every-second" / "result.json").read_bytes()


@pytest.mark.parametrize("piece", [1, 7, 1000, 4096, 10**9])
def test_pieces_cut_anywhere_give_the_same_samples(piece: int) -> None:
    data = STATUS[:60_000] if piece == 1 else STATUS
    whole = FioProgress().feed(data)
    progress = FioProgress()
    pieces = [s for at in range(0, len(data), piece) for s in progress.feed(data[at : at + piece])]
    assert pieces == whole


def test_live_samples_are_the_series_of_the_result() -> None:
    samples = FioProgress().feed(STATUS)
    for measurement in parse_json(STATUS).measurements:
        series = {each.metric: each.values for each in measurement.series}
        live = [sample.operations[measurement.operation] for sample in samples]
        assert [each["iops"] for each in live][:5] == list(series["iops"])
        assert [each["bandwidth"] for each in live][:5] == list(series["bandwidth"])
        assert [each["latency"] for each in live][:5] == list(series["latency_mean"])
    assert [round(sample.seconds) for sample in samples] == [1, 2, 3, 4, 5, 5]


def test_a_ramp_does_not_give_negative_rates() -> None:
    rates = [s.operations["read"]["iops"] for s in FioProgress().feed(RAMP)]
    assert all(rate == pytest.approx(100, abs=5) for rate in rates)


def test_text_between_documents_is_skipped() -> None:
    last = STATUS.rindex(b"\n{\n") + 1
    dirty = b"fio: note\n" + STATUS[:last] + b"fio: error }\n" + STATUS[last:]
    assert FioProgress().feed(dirty) == FioProgress().feed(STATUS)


def test_endless_input_without_a_document_is_forgotten_and_searched_once() -> None:
    progress = FioProgress()
    for _ in range(100):
        assert progress.feed(b"x" * 1024**2) == []
        assert len(progress._pending) <= MAX_DOCUMENT
        # All but the last byte, which may begin an end mark, is never looked at again.
        assert progress._searched == max(0, len(progress._pending) - 1)


def test_live_syncs_have_no_bandwidth() -> None:
    document = (SAMPLES / "3.33--json+-fdatasync-two-jobs" / "result.json").read_bytes()
    later = document.replace(b'"runtime" : 61', b'"runtime" : 1061')
    samples = FioProgress().feed(document + later)
    assert set(samples[-1].operations) == {"write", "sync"}
    assert set(samples[-1].operations["sync"]) == {"iops", "latency"}
