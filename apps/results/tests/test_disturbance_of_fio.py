"""Phases of a real fio against its raw log of each operation, computed by hand."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import time
from itertools import product
from pathlib import Path

import pytest

from apps.results.domain.disturbance_figures import client_series, document_of
from apps.results.domain.disturbance_log import read_log
from apps.tools.parse_result import Measurement, Output
from apps.tools.registry import tool

pytestmark = [pytest.mark.extended, pytest.mark.timeout(120)]
MARKS = {"disturbed": 6.0, "restored": 12.0, "clean": 18.0, "done": 23.0}
SECONDS, RATE = 24, 60
STOP, RUN = 0.3, 0.1
START = 1.0
"""Seconds until fio's clock begins, at most."""
COARSE = 1.13
"""The widest bucket: an octave has eight."""


def until_second(begin: float, second: float) -> None:
    time.sleep(max(0.0, begin + second - time.monotonic()))  # nothing to ask: fio's clock runs


def measured(folder: Path) -> list[Measurement]:
    """fio as benchlab runs it, with its raw log; it is halted often from `disturbed` to `restored`,
    and for two seconds after.
    """
    argv = [
        "fio", "--name=benchlab", "--rw=randwrite", "--bs=1m", "--ioengine=psync", "--sync=1",
        "--thread=1", f"--filename={folder}/file", "--size=8m",
        f"--runtime={SECONDS}s", "--time_based=1", f"--rate_iops={RATE}",
        "--status-interval=1", "--output-format=json+",
        "--clat_percentiles=1", "--lat_percentiles=1", "--eta=never",
        f"--output={folder}/result.json", f"--write_lat_log={folder}/raw",
    ]  # fmt: skip
    begin = time.monotonic()
    process = subprocess.Popen(argv, start_new_session=True)
    until_second(begin, MARKS["disturbed"] + START)
    while time.monotonic() < begin + MARKS["restored"]:
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(STOP)
        os.killpg(process.pid, signal.SIGCONT)
        time.sleep(RUN)
    until_second(begin, 14)
    os.killpg(process.pid, signal.SIGSTOP)
    until_second(begin, 16)
    os.killpg(process.pid, signal.SIGCONT)
    assert process.wait(60) == 0
    files = {"result.json": (folder / "result.json").read_bytes(), "stdout": b"", "stderr": b""}
    parsed = tool("fio").parse(Output(files))
    return [one for one in parsed.measurements if not one.component]


def raw(folder: Path) -> list[tuple[float, int]]:
    """Second and ns of each operation, from the log of completions."""
    rows = (row.split(",") for row in (folder / "raw_lat.1.log").read_text().splitlines())
    return [(int(row[0]) / 1000, int(row[1])) for row in rows]


def test_phases_agree_with_the_raw_log(tmp_path: Path) -> None:
    if shutil.which("fio") is None:
        pytest.skip("needs fio")
    client = client_series(measured(tmp_path))
    assert client is not None
    operations = raw(tmp_path)
    expected = 0.7 * sum(t < MARKS["disturbed"] for t, _ns in operations) / MARKS["disturbed"]
    lines = [{"mark": name, "t": t} for name, t in MARKS.items()]
    lines.append({"t": 13.0, "states": {"active+recovering": 1}})
    log = read_log("\n".join(map(json.dumps, lines)).encode())
    document = document_of(log, "osd_stop", "osd.1 stopped", client, expected)
    assert [one.name for one in document.phases] == ["before", "degraded", "recovering", "after"]
    for phase in document.phases:
        mine = sorted(ns for t, ns in operations if phase.start <= t < phase.end)
        # Some operations beside a limit of the phase are counted in the interval before or after.
        low, high = (mine[math.ceil(share * len(mine)) - 1] for share in (0.983, 0.997))
        assert phase.latency_p99 is not None
        assert low <= phase.latency_p99 <= high * COARSE, phase.name
        rates = [
            sum(phase.start + a <= t < phase.end + b for t, _ns in operations)
            / (phase.end + b - phase.start - a)
            for a, b in product((-1, 0, 1), repeat=2)
        ]
        assert phase.iops is not None
        assert 0.95 * min(rates) <= phase.iops <= 1.05 * max(rates), phase.name
    p99 = {one.name: one.latency_p99 or 0.0 for one in document.phases}
    assert p99["degraded"] > 1.5 * p99["before"]
    assert sum(int(sum(row)) for one in client.histograms for row in one.counts) == pytest.approx(
        len(operations), rel=0.02
    )
    seconds = [sum(at <= t < at + 1 for t, _ns in operations) for at in range(6, 23)]
    assert document.worst_iops is not None
    # fio reports nothing while it is halted: the interval then is the mean of the whole halt.
    assert min(seconds) <= document.worst_iops < expected
    below = sum(one < expected for one in seconds)
    assert document.below_seconds == pytest.approx(below, abs=2.0)
