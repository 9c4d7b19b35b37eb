"""A folder of 2,000 fio results imported, beside what a person would write for it: json.load of
each file and an INSERT of one row.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg

from benchlab.bench import fio_runs
from benchlab.bench.database import server
from benchlab.bench.figures import figures
from benchlab.bench.rounds import interleave, timed
from benchlab.bench.row import BenchRow, Measured, NotEqual

FILES = 2_000
TABLE = (
    "CREATE TABLE IF NOT EXISTS plain_result "
    "(path text, name text, operation text, iops float8, bandwidth float8, latency float8)"
)
INSERT = "INSERT INTO plain_result VALUES (%s, %s, %s, %s, %s, %s)"
EMPTIED = ("plain_result", "runs_run", "imports_import", "plans_workload", "results_figure")


def make_folder(folder: Path, files: int) -> None:
    """So many results of one real fio; each with figures of its own, as no two runs are equal."""
    document = fio_runs.last_document(fio_runs.run(_fio(folder)))
    dice = random.Random(1)
    for number in range(files):
        for job in document["jobs"]:
            for operation in ("read", "write"):
                job[operation]["total_ios"] = dice.randrange(1_000, 1_000_000)
        document["timestamp"] = 1_700_000_000 + number
        name = folder / f"host{number % 8}" / f"job-{number:04}.json"
        name.parent.mkdir(exist_ok=True)
        name.write_text(json.dumps(document, indent=2))


def _fio(folder: Path) -> list[str]:
    return [
        *("fio", "--name=bench", f"--directory={folder}", "--filename=bench.0.0", "--size=4M"),
        *("--rw=randrw", "--bs=4k", "--ioengine=psync", "--invalidate=0", "--runtime=1"),
        *("--time_based=1", "--output-format=json", "--eta=never", "--unlink=1"),
    ]


def plain_import(folder: Path, url: str) -> int:
    """A person's own import: reads each file with json, inserts a row for each operation. Returns
    the number of rows.
    """
    rows = 0
    with psycopg.connect(url) as connection:
        for path in sorted(folder.rglob("*.json")):
            with path.open() as file:
                document = json.load(file)
            for job in document["jobs"]:
                for operation in ("read", "write"):
                    part = job[operation]
                    found = (part["iops"], part["bw_bytes"], part["lat_ns"]["mean"])
                    connection.execute(INSERT, (str(path), job["jobname"], operation, *found))
                    rows += 1
    return rows


def manage(url: str, *words: str) -> str:
    """The output of a command of manage.py, in a process of its own as a person starts it. Raises
    NotEqual with its words when it fails.
    """
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=Path(__file__).parents[2], env={**os.environ, "DATABASE_URL": url},
        capture_output=True, text=True, check=False, timeout=1_800,
    )  # fmt: skip
    if done.returncode:
        said = done.stderr.strip()[-300:]
        raise NotEqual(f"manage.py {words[0]} ended with {done.returncode}: {said}")
    return done.stdout


def empty(url: str) -> None:
    """The same empty tables for every round."""
    with psycopg.connect(url) as connection:
        connection.execute(f"TRUNCATE {', '.join(EMPTIED)} CASCADE")


def check_equal(url: str, rows: int) -> None:
    """Raise NotEqual unless as many measurements as plain rows are stored."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM results_measurement").fetchone()
    if found != (rows,):
        raise NotEqual(f"{found} measurements here, {rows} rows by hand.")


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds of both on the same folder and the same server, each into empty tables."""
    folder = scratch / "results"
    folder.mkdir()
    make_folder(folder, FILES)
    with server(scratch / "server") as url:
        manage(url, "migrate", "--verbosity=0")
        manage(url, "first_admin")
        with psycopg.connect(url) as connection:
            connection.execute(TABLE)

        async def by_hand() -> None:
            await asyncio.to_thread(plain_import, folder, url)

        async def by_benchlab() -> None:
            await asyncio.to_thread(manage, url, "import", str(folder), "--host", "bench")

        async def from_empty(work: Callable[[], Awaitable[None]]) -> float:
            empty(url)
            return await timed(work)

        await by_benchlab()
        check_equal(url, plain_import(folder, url))
        raw = await interleave(
            {"by hand": lambda: from_empty(by_hand), "import": lambda: from_empty(by_benchlab)},
            rounds,
        )
    found = figures(raw.values["import"], raw.values["by hand"])
    size = sum(path.stat().st_size for path in folder.rglob("*.json"))
    notes = (
        f"{FILES} files, {size / 1024**2:.0f} MiB: {FILES / found.ours:.0f} files a second here, "
        f"{FILES / found.peer:.0f} by hand.",
        "Here with the start of the process, the bytes kept, percentiles, preview, run and cases.",
    )
    return Measured(found, raw, "s", notes, {"files": FILES, "bytes": size})


ROW = BenchRow(
    "import-folder", "2,000 fio files imported over json.load and INSERT", None, 6, measure
)
