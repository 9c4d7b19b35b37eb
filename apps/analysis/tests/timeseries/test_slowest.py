"""The slowest windows of tests, and what was around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from apps.analysis.timeseries.slowest import DrawnWindows, WindowLine, slowest

NAN = float("nan")


def line(subject: str, metric: str, values: Sequence[float], *, start: float = 0.0) -> WindowLine:
    ends = start + 1.0 + np.arange(len(values), dtype=np.float64)
    return WindowLine(subject, metric, 1.0, ends, np.array(values, np.float64))


def test_a_stall_of_several_windows_is_listed_once() -> None:
    own = [line("read", "latency_max", [10, 10, 500, 900, 700, 10, 10, 300])]
    found = slowest([DrawnWindows("#1", 1, own, [])], limit=2)
    assert [(one.start, one.end, one.latency) for one in found] == [(3, 4, 900), (7, 8, 300)]
    assert found[0].median == 155
    assert found[0].times == pytest.approx(900 / 155)


def test_the_slowest_of_all_tests_come_first() -> None:
    one = DrawnWindows("#1", 1, [line("read", "latency_max", [5, 20])], [])
    two = DrawnWindows(
        "#2", 2, [line("read", "latency_max", [5, 30]), line("write", "latency_max", [7, 1])], []
    )
    found = [(each.case, each.operation, each.latency) for each in slowest([one, two])]
    assert found[:3] == [(2, "read", 30), (1, "read", 20), (2, "write", 7)]


def test_it_says_what_the_tool_and_the_devices_did_then() -> None:
    own = [line("read", "latency_max", [1, 1, 9, 1]), line("read", "iops", [100, 100, 2, 100])]
    # The device's samples lie half a second beside the tool's.
    around = [
        line("sda", "utilisation", [5, 6, 99, 7], start=0.5),
        line("sdb", "utilisation", [50, 60, 70, 80], start=0.5),
        line("sdb", "queue", [1, NAN, NAN, 3], start=0.5),
    ]
    worst = slowest([DrawnWindows("#1", 1, own, around)])[0]
    assert (worst.start, worst.end, worst.iops) == (2, 3, 2)
    assert worst.device_values == {"utilisation": (99, "sda")}


def test_mean_is_used_without_a_maximum() -> None:
    own = [line("send", "latency_mean", [1, 4, 2]), line("send", "iops", [1, 1, 1])]
    assert [one.metric for one in slowest([DrawnWindows("#1", 1, own, [])])] == ["latency_mean"] * 1
    assert slowest([DrawnWindows("#1", 1, [line("send", "iops", [1, 2])], [])]) == []
    unknown = [line("read", "latency_max", [NAN, NAN])]
    assert slowest([DrawnWindows("#1", 1, unknown, [])]) == []
