"""50 people with pauses in an archive of 1 M cases."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchlab.local.paths import PROJECT
from tests.bench.figure import CannotMeasure, Figure, Options
from tests.bench.pages import archive

CASES, PEOPLE = 1_000_000, 50
SECONDS = 60
LIMIT = 0.3


def measure(options: Options) -> Iterator[Figure]:
    prefix = options.scratch / "people"
    with archive(options, CASES) as site:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "locust", "-f", "tests/bench/locustfile.py"),
                *("--headless", "--users", str(PEOPLE), "--spawn-rate", "10", "--reset-stats"),
                *("--run-time", f"{SECONDS}s", "--host", site.address, "--csv", str(prefix)),
            ],
            cwd=PROJECT, env=os.environ | {"BENCH_ARCHIVE": json.dumps(site.known)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        beside = site.plain_query()
        cases = site.known["cases"]
    if failures := _rows(prefix.with_name("people_failures.csv")):
        words = [f"{row['Occurrences']} x {row['Name']}: {row['Error']}" for row in failures]
        raise CannotMeasure(f"requests failed: {'; '.join(words)}")
    rows = {row["Name"]: row for row in _rows(prefix.with_name("people_stats.csv"))}
    if "Aggregated" not in rows:
        raise CannotMeasure(f"locust ended with {done.returncode}: {done.stderr[-500:]}")
    spent = {name: float(row["95%"]) / 1000 for name, row in rows.items()}
    everything = spent.pop("Aggregated")
    rate = float(rows["Aggregated"]["Requests/s"])
    what = f"{PEOPLE} people, {cases:,} cases, {rate:.0f} requests/s, p95"
    yield Figure(what, everything, LIMIT, beside)
    for name in sorted(spent, key=lambda name: -spent[name])[:3]:
        yield Figure(f"p95 of {name}", spent[name])


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))
