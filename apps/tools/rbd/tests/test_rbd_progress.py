"""Live figures of rbd bench, however its output is cut."""

from __future__ import annotations

import pytest

from apps.tools.rbd.progress import RbdProgress

HEAD = "bench  type {kind} io_size 4096 io_threads 16 bytes 33554432 pattern {order}\n"
TABLE = "  SEC       OPS   OPS/SEC   BYTES/SEC\n    1      7024   7068.27    28 MiB/s\n"
FILLING = "1/2: rbd bench t/i --io-type write\n" + HEAD.format(
    kind="write", order="full sequential"
)
READING = "2/2: rbd bench t/i --io-type read\n" + HEAD.format(kind="read", order="random")
TEXT = FILLING + TABLE + READING + TABLE + "    3      9024   3000.00    12 MiB/s\n"


@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_the_rows_of_what_is_measured_and_not_of_the_filling(piece: int) -> None:
    progress, data = RbdProgress(), TEXT.encode()
    fed = [progress.feed(data[at : at + piece]) for at in range(0, len(data), piece)]
    found = [sample for samples in fed for sample in samples]
    assert [sample.seconds for sample in found] == [1.0, 3.0]
    assert [sample.operations["read"]["iops"] for sample in found] == [7024, 1000]
    assert found[1].operations["read"]["bandwidth"] == 1000 * 4096
    assert progress.held == 0
