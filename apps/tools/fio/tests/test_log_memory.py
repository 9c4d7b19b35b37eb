"""A long log is in memory as its columns, not several times over."""

import tracemalloc

import numpy as np

from apps.tools.fio.parser.logs.columns import read_columns

LINES = 600_000


def peak_of(data: bytes) -> int:
    tracemalloc.start()
    try:
        read_columns(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_log_takes_less_than_its_text() -> None:
    values = np.random.default_rng(1).integers(1000, 9000, LINES)
    data = b"".join(b"%d, %d, 0, 0, 0\n" % entry for entry in enumerate(values.tolist(), 1))
    # 9 bytes a line of 22, time and value in 4 each and the direction in 1, a quarter more to grow
    # into, and what a block takes.
    assert peak_of(data) < len(data)
