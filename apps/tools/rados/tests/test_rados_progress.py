"""Live figures of rados bench: what the table says, whatever pieces it comes in."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.progress import LiveSample
from apps.tools.rados import TOOL

SAMPLES = Path(__file__).parent / "samples"
DATA = (SAMPLES / "16.2.15--benchlab-erasure-coded" / "output.txt").read_bytes()
MIB = 1024**2


def fed(*pieces: bytes) -> list[LiveSample]:
    progress = TOOL.progress()
    return [sample for piece in pieces for sample in progress.feed(piece)]


def test_every_second_of_every_operation() -> None:
    samples = fed(DATA)
    told = [(sample.seconds, *sample.operations) for sample in samples]
    writes = [(float(second), "write") for second in range(1, 7)]
    assert told == [*writes, (7, "seq"), (8, "seq"), (9, "rand"), (10, "rand")]


def test_the_figures_of_a_second() -> None:
    second = fed(DATA)[1].operations["write"]
    assert second["bandwidth"] == 82.5 * MIB
    assert second["iops"] == 2958 - 1638
    # The mean so far was 4.8666 ms after 1638 operations, 5.40068 ms after 2958.
    assert second["latency"] == pytest.approx(6_063_400, rel=1e-3)


@given(st.lists(st.integers(0, len(DATA)), max_size=8))
def test_pieces_cut_anywhere_say_the_same(cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), len(DATA)]
    pieces = [DATA[a:b] for a, b in pairwise(ends)]
    assert fed(*pieces) == fed(DATA)


def test_a_second_in_which_nothing_finished_has_no_latency() -> None:
    data = (SAMPLES / "12.2--write-before-tuning" / "output.txt").read_bytes()
    stalled = fed(data)[4].operations["write"]
    assert stalled == {"iops": 0.0, "bandwidth": 0.0}


def test_other_text_is_not_buffered() -> None:
    progress = TOOL.progress()
    for _ in range(100):
        assert progress.feed(b"x" * 100_000) == []
    assert len(progress._pending) == 0
