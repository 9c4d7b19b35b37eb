"""Figures of hosts from the agent's host.log; expected values worked out by hand."""

from __future__ import annotations

import json
import math

import pytest

from apps.tools.devices.hoststat import figures, host_series, read_log
from apps.tools.parse_result import Series


def line(seconds: float, **told: object) -> bytes:
    return json.dumps({"t": seconds, "host": told}).encode() + b"\n"


FIRST = line(
    0.0, cpu=[100, 0, 50, 800, 50, 0, 0, 0], cores=[0, 0], switches=1000, interrupts=500, used=4096,
    net={"eth0": [1000, 2000]}, tool=0.0, degrees={"k10temp": 45500}, energy={"intel-rapl:0": 10},
)  # fmt: skip
SECOND = line(
    2.0, cpu=[200, 0, 150, 900, 50, 0, 0, 0], cores=[90, 10], switches=5000, interrupts=900,
    used=8192, net={"eth0": [5000, 2000], "eth1": [7, 7]}, tool=1.5,
    energy={"intel-rapl:0": 30_000_010},
)  # fmt: skip


def test_figures_between_two_lines() -> None:
    found = figures(*read_log(FIRST + SECOND))
    assert found == {
        # 300 ticks passed, 100 of them idle.
        ("host", "host_cpu"): pytest.approx(66.6667, abs=1e-3),
        ("host", "generator_cpu"): 75.0,
        ("host", "busiest_core"): 90.0,
        ("host", "context_switches"): 2000.0,
        ("host", "interrupts"): 200.0,
        ("host", "memory_used"): 8192.0,
        ("cpu0", "core_cpu"): 90.0,
        ("cpu1", "core_cpu"): 10.0,
        ("eth0", "network_received"): 2000.0,
        ("eth0", "network_sent"): 0.0,
        ("intel-rapl:0", "power"): 15.0,
    }


def test_a_counter_that_began_anew_gives_no_figure() -> None:
    again = SECOND.replace(
        b'"energy": {"intel-rapl:0": 30000010}', b'"energy": {"intel-rapl:0": 1}'
    )
    assert ("intel-rapl:0", "power") not in figures(*read_log(FIRST + again))


def test_series_are_on_the_tools_axis() -> None:
    found = {(subject, one.metric): one for subject, one in host_series(read_log(FIRST + SECOND))}
    assert found["host", "generator_cpu"] == Series("generator_cpu", (75.0,), 0.0, 2.0)
    # A sensor is asked at the first line, so the only interval has no value.
    assert ("k10temp", "temperature") not in found


def test_many_cores_give_only_the_busiest() -> None:
    log = line(0, cores=[0] * 17) + line(1, cores=[5] * 16 + [99])
    assert {subject for subject, _one in host_series(read_log(log))} == {"host"}
    assert figures(*read_log(log)) == {("host", "busiest_core"): 99.0}


@pytest.mark.parametrize(
    "data",
    [b"", b"{}\n", b"[]\n", b'{"t": 1, "host": 3}\n', b'{"t": 1, "host": {"net": {"a": 1}}}\n',
     line(1)[:-1], b'{"t": "x", "host": {}}\n'],
)  # fmt: skip
def test_what_is_no_line_is_left_out(data: bytes) -> None:
    assert read_log(data) == []


def test_the_last_line_replaces_one_right_before_it() -> None:
    log = b"".join(line(t, tool=t) for t in (0, 1, 2, 2.1))
    ((_subject, one),) = host_series(read_log(log))
    assert len(one.values) == 2
    assert math.isclose(one.interval, 1.05)
