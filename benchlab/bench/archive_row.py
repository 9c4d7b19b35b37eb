"""A made-up archive of a million cases: every documented filter of the lists as a call of the API,
beside the same list without a filter.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchlab.bench.database import server
from benchlab.bench.figures import Aim, figures
from benchlab.bench.import_folder import manage
from benchlab.bench.rounds import Rounds
from benchlab.bench.row import BenchRow, Measured, NotEqual

# Needs Django, which this process does without.
if TYPE_CHECKING:
    from benchlab.bench.archive.asking import Asked, ToAsk


@dataclass
class Wanted:
    """Number of cases, and the folder that keeps them; bin/bench --cases and --keep change it."""

    cases: int = 1_000_000
    keep: Path | None = None


WANTED = Wanted()
ASKED = "asked.json"


@contextmanager
def archive(scratch: Path) -> Iterator[tuple[str, ToAsk]]:
    """The archive's address and what to ask of it: the one that was kept, or a fresh one. Call
    from the main thread.
    """
    folder = WANTED.keep or scratch / "archive"
    known = folder / ASKED
    with server(folder) as url:
        manage(url, "migrate", "--verbosity=0")  # what was kept may be of an earlier version
        if not known.exists():
            manage(url, "first_admin")
            began = time.monotonic()
            told = archive_says(url, "fill", WANTED.cases)
            told["fill_seconds"] = round(time.monotonic() - began, 1)
            known.write_text(json.dumps(told))
        yield url, json.loads(known.read_text())


def archive_says(url: str, verb: str, number: int, given: Any = None) -> Any:
    """The answer of benchlab.bench.archive, in a process with Django set up."""
    done = subprocess.run(
        [sys.executable, "-m", "benchlab.bench.archive", verb, str(number)],
        env={**os.environ, "DATABASE_URL": url}, input=json.dumps(given),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise NotEqual(f"{verb} of the archive failed: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)


async def measure(scratch: Path, rounds: int) -> Measured:
    """The ratio is that of the slowest filter; the notes have all."""
    with archive(scratch) as (url, asked):
        told: list[Asked] = await asyncio.to_thread(archive_says, url, "ask", rounds, asked)
    whole = {row["list"]: row["seconds"] for row in told if not row["filter"]}
    ratios = [median(row["seconds"]) / median(whole[row["list"]]) for row in told]
    order = sorted(range(len(told)), key=lambda place: -ratios[place])
    worst = told[order[0]]
    peer = whole[worst["list"]]
    values = {"filtered": worst["seconds"], "whole": peer}
    raw = Rounds(values, [["whole", "filtered"] for _round in peer])
    size = f"filled in {asked['fill_seconds']} s" if "fill_seconds" in asked else "kept"
    notes = [f"An archive of {asked.get('cases', WANTED.cases)} cases, {size}."]
    notes += [_words(told[place], ratios[place]) for place in order]
    kept = [{**row, "ratio": ratio} for row, ratio in zip(told, ratios, strict=True)]
    return Measured(figures(worst["seconds"], peer), raw, "s", tuple(notes), {"filters": kept})


def _words(row: Asked, ratio: float) -> str:
    name = f"{row['filter']}={row['value']}" if row["filter"] else "(no filter)"
    spent = 1000 * median(row["seconds"])
    cost = f"{ratio:6.2f}x {spent:8.1f} ms {row['rows']:9} rows"
    return f"{row['list']:12} {name:40} {cost}"


ROW = BenchRow("archive", "the slowest filter of 1 M cases over its list", Aim(3.0), 8, measure)
