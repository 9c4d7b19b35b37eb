"""`bin/manage import` of 2,000 fio files, beside a script that reads them with json and inserts a
row for each operation.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import psycopg

from tests.bench import fio_runs
from tests.bench.figure import CannotMeasure, Figure, Options, timed
from tests.bench.servers import manage, servers

FILES, ROUNDS, LIMIT = 2_000, 3, 10.0
TABLE = (
    "CREATE TABLE plain_result "
    "(path text, name text, operation text, iops float8, bandwidth float8, latency float8)"
)
INSERT = "INSERT INTO plain_result VALUES (%s, %s, %s, %s, %s, %s)"
EMPTIED = (
    "TRUNCATE plain_result, runs_run, imports_import, plans_workload, results_resultsummary CASCADE"
)


def measure(options: Options) -> Iterator[Figure]:
    folder = options.scratch / "results"
    folder.mkdir()
    make_folder(folder, FILES)
    with servers(options.scratch / "server") as url:
        _execute(url, TABLE)
        ours, plain = [], []
        for _round in range(ROUNDS):
            _execute(url, EMPTIED)
            plain.append(timed(lambda: plain_import(folder, url)))
            ours.append(timed(lambda: manage("import", str(folder), "--host", "bench")))
            _check(url)
    beside = f"json.load and INSERT: {median(plain):.2f} s"
    yield Figure(f"{FILES:,} fio files, with the process's start", median(ours), LIMIT, beside)


def make_folder(folder: Path, files: int) -> None:
    """So many results of one real fio, each with its own figures."""
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


def plain_import(folder: Path, url: str) -> None:
    with psycopg.connect(url) as connection:
        for path in sorted(folder.rglob("*.json")):
            with path.open() as file:
                document = json.load(file)
            for job in document["jobs"]:
                for operation in ("read", "write"):
                    part = job[operation]
                    found = (part["iops"], part["bw_bytes"], part["lat_ns"]["mean"])
                    connection.execute(INSERT, (str(path), job["jobname"], operation, *found))


def _execute(url: str, statement: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(statement)


def _check(url: str) -> None:
    """Raise CannotMeasure unless as many measurements as plain rows are stored."""
    with psycopg.connect(url) as connection:
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM results_measurement), (SELECT count(*) FROM plain_result)"
        ).fetchone()
    if counts is None or counts[0] != counts[1]:
        raise CannotMeasure(f"measurements and plain rows differ: {counts}")
