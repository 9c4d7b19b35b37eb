"""Reading fio's JSON+ into measurements, beside Python's own json.loads of the same bytes."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchlab.bench import fio_runs
from benchlab.bench.figures import Aim, figures
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, CannotMeasure, Measured, NotEqual

LEAST_SECONDS = 0.2  # a side's work in a round is repeated until it takes about this long
OPERATIONS = 40_000  # a second, of all jobs in each direction together: enough to fill the bins
KIB, MIB = 1024, 1024**2


def make_document(folder: Path, jobs: int) -> bytes:
    """One JSON+ document of a real fio with so many jobs, each reported on its own."""
    fio = [
        *("fio", "--name=bench", f"--directory={folder}", "--filename_format=bench.$jobnum"),
        *("--size=1M", "--rw=randrw", "--bs=4k", "--ioengine=psync", "--invalidate=0"),
        *(f"--numjobs={jobs}", f"--rate_iops={OPERATIONS // jobs}", "--output-format=json+"),
        *("--thread", "--time_based=1", "--runtime=3"),
        *("--clat_percentiles=1", "--lat_percentiles=1", "--eta=never"),
    ]
    data = fio_runs.run(fio)
    return data[data.index(b"{") :]


def repeated(data: bytes, least: int) -> bytes:
    """The document with its jobs again and again until it has so many bytes."""
    begin, end = data.index(b'"jobs" : [\n') + 11, data.index(b"\n  ],", data.index(b'"jobs" : ['))
    jobs = data[begin:end]
    times = -(-(least - len(data)) // len(jobs)) + 1
    return data[:begin] + b",\n".join([jobs] * times) + data[end:]


def check_equal(data: bytes) -> None:
    """Raise NotEqual unless both readers see the same operations and bytes in each direction."""
    document = json.loads(data)
    parsed = fio_runs.parsed(data)
    if parsed.completeness != "whole":
        raise NotEqual(f"the parser took the document for {parsed.completeness}.")
    ours = {m.operation: histogram_count(m) for m in parsed.measurements}
    for operation, count in ours.items():
        theirs = bin_count(document, operation)
        if count != theirs:
            raise NotEqual(f"{operation}: {count} operations here, {theirs} by json.loads.")
    if set(ours) != {"read", "write"}:
        raise NotEqual(f"the parser found {sorted(ours)}.")


def histogram_count(measurement: Any) -> int:
    """Operations in a measurement's full latency distribution."""
    return sum(measurement.histogram.counts) if measurement.histogram else 0


def bin_count(document: fio_runs.FioDocument, operation: str) -> int:
    """Operations in all jobs' total latency bins, straight from the document."""
    return sum(sum(job[operation]["lat_ns"].get("bins", {}).values()) for job in document["jobs"])


def side(work: Callable[[], object]) -> Callable[[], Any]:
    """Mean seconds of one call, over enough calls for the clock and the scheduler."""
    began = time.perf_counter()
    work()
    calls = max(1, round(LEAST_SECONDS / (time.perf_counter() - began)))

    async def mean_seconds() -> float:
        start = time.perf_counter()
        for _ in range(calls):
            work()
        return (time.perf_counter() - start) / calls

    return mean_seconds


def peak_bytes(file: Path, reader: str) -> int:
    """Peak growth of a fresh process in bytes while it reads the file (`parse` or `loads`)."""
    argv = [sys.executable, "-m", "benchlab.bench.peak", reader, str(file)]
    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise CannotMeasure(f"the memory could not be measured: {done.stderr.strip()[-200:]}")
    return int(done.stdout)


async def measure(jobs: int, least: int, scratch: Path, rounds: int) -> Measured:
    """Rounds of our parser and json.loads on one document of `least` bytes or more, then each one's
    peak memory."""
    data = make_document(scratch, jobs)
    data = repeated(data, least) if len(data) < least else data
    jobs = data.count(b'"jobname"')
    check_equal(data)
    file = scratch / "document.json"
    file.write_bytes(data)
    ours, theirs = side(lambda: fio_runs.parsed(data)), side(lambda: json.loads(data))
    raw = await interleave({"json.loads": theirs, "parser": ours}, rounds)
    peaks = {reader: peak_bytes(file, reader) for reader in ("parse", "loads")}
    notes = (
        f"{len(data) / KIB:.0f} KiB, {jobs} jobs.",
        f"Peak memory above the idle process: parser {peaks['parse'] / MIB:.1f} MiB "
        f"(aim <= 64 MiB), json.loads {peaks['loads'] / MIB:.1f} MiB.",
    )
    facts = {"bytes": len(data), "jobs": jobs, "peak_bytes": peaks}
    peer = raw.values["json.loads"]
    return Measured(figures(raw.values["parser"], peer), raw, "s", notes, facts)


AIM = Aim(1 / 6)
NORMAL = BenchRow(
    "json-plus",
    "fio JSON+ to measurements over json.loads",
    AIM,
    15,
    functools.partial(measure, 8, 0),
)
BIG = BenchRow(
    "json-plus-big",
    "the same for a document of 400 jobs",
    AIM,
    15,
    functools.partial(measure, 400, 0),
)
HUGE = BenchRow(
    "json-plus-huge",
    "the same for 100 MB, a document of 8 jobs whose jobs are repeated",
    AIM,
    9,
    functools.partial(measure, 8, 100 * 1000**2),
)
