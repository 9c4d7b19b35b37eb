"""Pages of comparisons beside an empty view (/healthz) of the same server: each worked out anew,
and asked again.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypedDict

from benchlab.bench.database import server
from benchlab.bench.figures import Aim, figures
from benchlab.bench.import_folder import manage
from benchlab.bench.people import serving
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, Measured, NotEqual
from benchlab.bench.usage import cpu_seconds, parent
from benchlab.standalone.paths import Home
from benchlab.standalone.service import spawn, stop
from benchlab.standalone.valkey import Valkey

EMPTY_ASKS = 20
AIMS: Mapping[str, float] = {
    "2 x 24 workloads": 10,
    "2 x 500 workloads": 15,
    "2 x 3000 workloads": 40,
}
MAIN = "2 x 3000 workloads"
AGAIN = ", again"


@dataclass
class Visitor:
    """Asks the server at `port` and notes what CPU that took. To have an answer worked out anew it
    asks to ignore another tiny change each time, which alters no verdict.
    """

    port: int
    session: str
    used: dict[str, list[float]] = field(default_factory=dict)
    turns: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    good: Collection[int] = (200,)

    def ask(self, name: str, path: str) -> float:
        """Seconds until the whole answer is there."""
        before, began = web_cpu(), time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", path, headers={"Cookie": f"sessionid={self.session}"})
        answer = connection.getresponse()
        answer.read()
        taken = time.perf_counter() - began
        connection.close()
        if answer.status not in self.good:
            raise NotEqual(f"{path} answers {answer.status}")
        self.used.setdefault(name, []).append(web_cpu() - before)
        return taken

    async def empty(self) -> float:
        """The middle of twenty asks."""
        return median(self.ask("empty", "/healthz") for _ in range(EMPTY_ASKS))

    async def page(self, name: str, path: str) -> float:
        """A page that is the same each time."""
        return self.ask(name, path)

    async def anew(self, name: str, query: str) -> float:
        return self.ask(name, f"/compare/?{query}&minimum={next(self.turns) / 10_000:g}")

    async def again(self, name: str, query: str) -> float:
        return self.ask(name, f"/compare/?{query}")


def web_cpu() -> float:
    """CPU seconds that the web server's processes have used so far."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            parents[int(name)] = parent(int(name))
    mine = {pid for pid, above in parents.items() if above == os.getpid() and _is_web(pid)}
    below = {pid for pid, above in parents.items() if above in mine}
    return sum(_of_threads(pid) for pid in mine | below)


def _of_threads(pid: int) -> float:
    """A process's schedstat counts its first thread only, and views run in others."""
    total = 0.0
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                total += cpu_seconds(int(thread))
    return total


def _is_web(pid: int) -> bool:
    with suppress(OSError):
        return b"uvicorn" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@contextmanager
def redis(folder: Path) -> Iterator[None]:
    """A Valkey of its own, in the environment meanwhile."""
    valkey = Valkey.at(Home(folder).make())
    service = valkey.service()
    process = spawn(service)
    before = os.environ.get("REDIS_URL")
    try:
        while not service.ready():
            time.sleep(0.05)
        os.environ["REDIS_URL"] = valkey.url
        yield
    finally:
        os.environ.pop("REDIS_URL", None)
        os.environ.update({"REDIS_URL": before} if before is not None else {})
        stop(service, process)


class Asked(TypedDict):
    """A key of a session, and by page the query that it is asked for."""

    session: str
    queries: dict[str, str]


def fill(url: str) -> Asked:
    """The runs, made by a process of its own; what there is to ask for."""
    words = [sys.executable, "-m", "benchlab.bench.compare_fill"]
    env = {**os.environ, "DATABASE_URL": url}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotEqual(f"the runs could not be made: {done.stderr.strip()[-300:]}")
    told: Asked = json.loads(done.stdout)
    return told


async def measure(scratch: Path, rounds: int) -> Measured:
    """Each round asks the empty view twenty times and every page twice."""
    with server(scratch / "server") as url, redis(scratch / "redis"):
        manage(url, "migrate", "--verbosity=0")
        manage(url, "first_admin")
        manage(url, "collectstatic", "--noinput", "--verbosity=0")
        told = fill(url)
        with serving(url, scratch / "web") as port:
            visitor = Visitor(port, told["session"])
            sides: dict[str, Callable[[], Awaitable[float]]] = {"empty": visitor.empty}
            for name, query in told["queries"].items():
                sides[name] = partial(visitor.anew, name, query)
                sides[name + AGAIN] = partial(visitor.again, name + AGAIN, query)
            for side in sides.values():
                await side()
            visitor.used.clear()
            raw = await interleave(sides, rounds)
    found = figures(raw.values[MAIN], raw.values["empty"])
    return Measured(found, raw, "s", tuple(notes(raw.values, visitor.used)))


def notes(
    taken: Mapping[str, list[float]], used: dict[str, list[float]], aims: Mapping[str, float] = AIMS
) -> Iterator[str]:
    """A line a page: its ratio, its time, the web server's CPU, and whether its aim is reached."""
    empty = median(taken["empty"])
    yield f"empty view: {empty * 1000:.1f} ms, {median(used['empty']) * 1000:.1f} ms of CPU"
    for name in (name for name in taken if name != "empty"):
        middle, cpu = median(taken[name]), median(used[name])
        aim = aims.get(name)
        reached = f", aim {aim}x {'reached' if middle <= aim * empty else 'missed'}" if aim else ""
        yield f"{name}: {middle / empty:.1f}x, {middle:.3f} s, {cpu:.3f} s of CPU{reached}"


ROW = BenchRow(
    "compare", "a comparison of 3,000 workloads, worked out anew, over an empty view", Aim(40), 9,
    measure,
)  # fmt: skip
