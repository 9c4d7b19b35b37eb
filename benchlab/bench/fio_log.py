"""A fio log of six million lines to series in PostgreSQL, beside PostgreSQL's own COPY of
ready-made rows."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apps.tools.base import Output
from apps.tools.registry import tool
from benchlab.bench import fio_runs
from benchlab.bench.database import server, use
from benchlab.bench.figures import Aim, figures
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, Measured, NotEqual

if TYPE_CHECKING:
    from apps.runs.models import Attempt

LINES = 6_000_000
NAME = "bench_bw.1.log"
MIB = 1024**2
TABLE = "bench_sample"
# PostgreSQL, COPY, "Binary Format": signature, flags, length of the extension; the trailer.
HEAD, TAIL = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0), struct.pack(">h", -1)
ROW_TYPE = np.dtype(
    [
        *(("fields", ">i2"), ("series_size", ">i4"), ("series", ">i4"), ("at_size", ">i4")),
        *(("at", ">i4"), ("value_size", ">i4"), ("value", ">f4")),
    ]
)


def make_log(folder: Path, lines: int) -> tuple[bytes, np.ndarray[Any, np.dtype[np.int64]]]:
    """A bandwidth log of one entry a millisecond, and its values. The entries are a real fio's of
    three seconds, again and again, with their times moved on."""
    fio = [
        *("fio", "--name=bench", f"--directory={folder}", "--filename_format=bench.log-data"),
        *("--size=16M", "--rw=randread", "--bs=4k", "--ioengine=psync", "--time_based=1"),
        *("--runtime=3", f"--write_bw_log={folder}/bench", "--log_avg_msec=1", "--eta=never"),
    ]
    fio_runs.run(fio)
    entries = [line.split(b", ", 1)[1] for line in (folder / NAME).read_bytes().splitlines()]
    repeated = [entries[number % len(entries)] for number in range(lines)]
    values = np.array([int(entry.partition(b",")[0]) for entry in entries], np.int64)
    text = b"".join(b"%d, %b\n" % (number, entry) for number, entry in enumerate(repeated, 1))
    return text, np.resize(values, lines)


def rows_file(path: Path, values: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """The same samples as rows (series, at in ms, value in bytes/s) in COPY's binary format."""
    rows = np.zeros(values.size, ROW_TYPE)
    rows["fields"] = 3
    for name in ("series", "at", "value"):
        rows[f"{name}_size"] = 4
    rows["series"] = 1
    rows["at"] = np.arange(values.size)
    rows["value"] = values * 1024
    path.write_bytes(HEAD + rows.tobytes() + TAIL)
    path.chmod(0o644)


def empty_attempt() -> Attempt:
    """Something to store results with."""
    from apps.accounts.models import User
    from apps.inventory.models import Host
    from apps.plans.models import Workload
    from apps.runs.launch.frozen import target_told, tuning_told
    from apps.runs.models import Attempt, Case, Run

    owner, _ = User.objects.get_or_create(username="bench")
    host, _ = Host.objects.get_or_create(name="bench", kind=Host.Kind.LOCAL)
    workload, _ = Workload.objects.get_or_create(key="bench", tool="fio", label="bench", params={})
    run = Run.objects.create(name="bench", owner=owner)
    target = target_told(run, host=host, name="bench", position=0)
    tuning = tuning_told(run, name="bench", position=0)
    case = Case.objects.create(
        run=run, position=0, workload=workload, run_target=target, run_tuning=tuning
    )
    return Attempt.objects.create(case=case)


def store(log: Path, attempt: Attempt) -> None:
    """Our side: the file is read, parsed and stored, and committed."""
    from apps.results.services import results_store

    files = {"stdout": b"", "stderr": b"", NAME: log.read_bytes()}
    results_store(attempt=attempt, parsed=tool("fio").parse(Output(files)), parser_version=1)


def execute(statement: str) -> list[tuple[Any, ...]]:
    """Run one statement in a transaction of its own; its rows."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def check_equal(attempt: Attempt, lines: int) -> None:
    """Raise NotEqual unless both hold the same number of values with the same sum."""
    from apps.results.models import SeriesChunk
    from apps.results.series.chunks import decode

    chunks = SeriesChunk.objects.filter(series__attempt=attempt).order_by("index")
    ours = decode([bytes(piece) for piece in chunks.values_list("values", flat=True)])
    ((count, total),) = execute(f"select count(*), sum(value::float8) from {TABLE}")
    if not ours.size == count == lines:
        raise NotEqual(f"{ours.size} values here, {count} rows by COPY, {lines} lines.")
    if float(ours.sum(dtype=np.float64)) != total:
        raise NotEqual("the values here are others than those of the rows.")


def one_round(prepare: Callable[[], object], work: Callable[[Any], object]) -> Callable[[], Any]:
    """Seconds of `work` on what was prepared before the clock started; in a thread, because Django
    refuses to be asked from a loop."""

    def seconds() -> float:
        prepared = prepare()
        execute("checkpoint")
        began = time.perf_counter()
        work(prepared)
        return time.perf_counter() - began

    return lambda: asyncio.to_thread(seconds)


def new_attempt() -> Attempt:
    """An attempt without results, the ones before it gone."""
    from apps.runs.models import Run

    Run.objects.all().delete()
    return empty_attempt()


async def measure(scratch: Path, rounds: int, lines: int = LINES) -> Measured:
    """Rounds of both, after both have stored the same samples once."""
    log, rows = scratch / NAME, scratch / "rows.copy"
    text, values = make_log(scratch, lines)
    log.write_bytes(text)
    rows_file(rows, values)
    copy = f"copy {TABLE} from '{rows}' (format binary)"
    with server(scratch / "home") as url:
        await asyncio.to_thread(_first, url, log, copy, lines)
        sides = {
            "log": one_round(new_attempt, lambda attempt: store(log, attempt)),
            "copy": one_round(lambda: execute(f"truncate {TABLE}"), lambda _: execute(copy)),
        }
        raw = await interleave(sides, rounds)
        size = await asyncio.to_thread(_sizes)
    ours, peer = raw.values["log"], raw.values["copy"]
    notes = (
        f"{lines:,} lines, {len(text) / MIB:.0f} MiB; the rows are {rows.stat().st_size / MIB:.0f} "
        "MiB in COPY's binary format.",
        f"At rest: {size[0] / lines:.2f} bytes a sample here, {size[1] / lines:.1f} in rows "
        "(no index on them).",
    )
    return Measured(figures(ours, peer), raw, "s", notes, {"lines": lines, "bytes_at_rest": size})


def _first(url: str, log: Path, copy: str, lines: int) -> None:
    """Both sides once, unmeasured, and compared."""
    use(url)
    execute(f"create table {TABLE} (series integer, at integer, value real)")
    attempt = empty_attempt()
    store(log, attempt)
    execute(copy)
    check_equal(attempt, lines)


def _sizes() -> tuple[int, int]:
    from apps.results.models import SeriesChunk

    ours, rows = SeriesChunk._meta.db_table, TABLE
    execute(f"vacuum full {ours}")  # without what earlier rounds left
    ((a, b),) = execute(
        f"select pg_total_relation_size('{ours}'), pg_total_relation_size('{rows}')"
    )
    return int(a), int(b)


ROW = BenchRow(
    "fio-log",
    "a fio log of 6 million lines to stored series over COPY of ready-made rows",
    Aim(0.5),
    9,
    measure,
)
