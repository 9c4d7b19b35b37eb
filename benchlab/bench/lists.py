"""Lists and the pages of a run of 9,000 cases in the archive of a million, beside an empty view
(/healthz) of the same server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchlab.bench.archive_row import archive, archive_says
from benchlab.bench.compare import Visitor, notes, redis
from benchlab.bench.figures import Aim, figures
from benchlab.bench.import_folder import manage
from benchlab.bench.people import serving
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, Measured, NotEqual

if TYPE_CHECKING:
    from benchlab.bench.archive.asking import ToAsk

MAIN = "page of runs"
# By name: the address, and how many times the empty view it may take. Half of its rate is twice.
PAGES = {
    "API list of runs": ("/api/v1/runs/", 2),
    MAIN: ("/runs/", 4),
    "run of thousands of cases": ("/runs/{large}/", 5),
    "its page 100": ("/runs/{large}/?page=100", 5),
    "its live status": ("/runs/{large}/parts/status/", 5),
    "its cases, live": ("/runs/{large}/parts/cases/", 5),
}
AIMS = {name: aim for name, (_path, aim) in PAGES.items()}
STOP_POLLING = 286  # what a part of a run that has ended answers


async def measure(scratch: Path, rounds: int) -> Measured:
    """Each round asks the empty view twenty times and every page once."""
    with archive(scratch) as (url, asked), redis(scratch / "redis"):
        manage(url, "collectstatic", "--noinput", "--verbosity=0")
        session = await asyncio.to_thread(archive_says, url, "session", 0)
        with serving(url, scratch / "web") as port:
            visitor = Visitor(port, session, good=(200, STOP_POLLING))
            sides: dict[str, Callable[[], Awaitable[float]]] = {"empty": visitor.empty}
            for name, (path, _aim) in PAGES.items():
                sides[name] = partial(visitor.page, name, path.format(large=_large(asked)))
            for side in sides.values():
                await side()  # every process has its templates then
                await side()
            visitor.used.clear()
            raw = await interleave(sides, rounds)
    found = figures(raw.values[MAIN], raw.values["empty"])
    said = notes(raw.values, visitor.used, AIMS)
    return Measured(found, raw, "s", tuple(said), {"cases": asked.get("cases")})


def _large(asked: ToAsk) -> int:
    if "large" not in asked:
        raise NotEqual("the archive that was kept names no large run: fill it again.")
    return int(asked["large"])


ROW = BenchRow(
    "lists", "the page of runs in an archive of 1 M cases over an empty view", Aim(4.0), 12, measure
)
