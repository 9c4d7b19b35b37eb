"""Figures of the row of comparisons for each page."""

from __future__ import annotations

from benchlab.bench.compare import notes


def test_every_page_has_its_ratio_its_cpu_and_whether_its_aim_is_reached() -> None:
    taken = {
        "empty": [0.010, 0.010], "2 x 24 workloads": [0.09, 0.10],
        "2 x 500 workloads": [0.3, 0.3], "2 x 500 workloads, again": [0.05, 0.05],
    }  # fmt: skip
    used = {name: [0.004, 0.004] for name in taken}
    assert list(notes(taken, used)) == [
        "empty view: 10.0 ms, 4.0 ms of CPU",
        "2 x 24 workloads: 9.5x, 0.095 s, 0.004 s of CPU, aim 10x reached",
        "2 x 500 workloads: 30.0x, 0.300 s, 0.004 s of CPU, aim 15x missed",
        "2 x 500 workloads, again: 5.0x, 0.050 s, 0.004 s of CPU",
    ]
