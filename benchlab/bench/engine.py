"""From the API call to the process on its hosts, and from the tool's end to the run's, beside as
many plain ssh: a real web server, worker, PostgreSQL, Valkey, and an sshd for each host.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, TypedDict

import psycopg

from benchlab.bench.database import server
from benchlab.bench.figures import Aim, figures
from benchlab.bench.import_folder import manage
from benchlab.bench.people import serving
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, CannotMeasure, Measured, NotEqual
from benchlab.bench.sshds import Sshds, sshds
from benchlab.bench.usage import stat_fields
from benchlab.standalone.paths import Home
from benchlab.standalone.service import spawn, stop
from benchlab.standalone.stack import worker
from benchlab.standalone.valkey import Valkey

# Runs of each size beside the rounds with one host, and the seconds the tool takes in them.
SIZES, TIMES, SECONDS = (1, 10, 50, 200), 3, 3
WARMING = 4
STEADY = 20  # seconds of the tool while the worker's CPU is measured, half of them
LONGEST = 300.0
TIMES_OF = (
    "SELECT min(a.started_at), max(a.started_at), max(a.ended_at), r.finished_at, "
    "count(*) FILTER (WHERE a.state = 'succeeded'), r.state "
    "FROM runs_attempt a JOIN runs_case c ON c.id = a.case_id "
    "JOIN runs_run r ON r.id = c.run_id WHERE r.id = %s GROUP BY r.id"
)


@dataclass(frozen=True)
class Times:
    """Seconds: from the API call to the first and the last process, and from the last tool's end to
    the run's.
    """

    first: float
    last: float
    end: float


@dataclass(frozen=True)
class Bench:
    """A running benchlab with its hosts."""

    url: str
    port: int
    token: str
    plans: dict[str, int]
    hosts: Sshds
    worker: int

    def launch(self, number: int) -> tuple[float, int]:
        """POST a run on so many hosts; the second of the call, the run's id."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/runs/",
            data=json.dumps({"plan": self.plans[str(number)]}).encode(),
            headers={"Authorization": f"Token {self.token}", "Content-Type": "application/json"},
        )
        began = time.time()
        with urllib.request.urlopen(request, timeout=60) as answer:
            return began, int(json.load(answer)["id"])

    def play(self, number: int) -> Times:
        """A whole run on so many hosts. Raises NotEqual unless each of them measured."""
        began, run = self.launch(number)
        return self.times(run, number, began)

    def warm(self) -> None:
        """Open every connection. All hosts are this machine, which starts their agents for longer
        than a host is waited for: those that were reached stay so. Raises NotEqual.
        """
        for _ in range(WARMING):
            with contextlib.suppress(NotEqual):
                self.play(max(SIZES))
                return
        self.play(max(SIZES))

    def times(self, run: int, number: int, began: float) -> Times:
        """Of a run, when it has ended."""
        deadline = time.monotonic() + LONGEST
        with psycopg.connect(self.url, autocommit=True) as connection:
            while time.monotonic() < deadline:
                row = connection.execute(TIMES_OF, [run]).fetchone()
                if row and row[3]:
                    return _times(row, number, began)
                time.sleep(0.1)
        raise NotEqual(f"run {run} on {number} hosts did not end within {LONGEST:.0f} s")

    def ssh(self, number: int) -> float:
        """Seconds until so many plain ssh, begun at once, have each started a process."""
        began = time.time()
        running = [
            subprocess.Popen(self.hosts.ssh(host, "date", "+%s.%N"), stdout=subprocess.PIPE)
            for host in self.hosts.hosts[:number]
        ]
        said = [process.communicate(timeout=120)[0] for process in running]
        if any(process.returncode for process in running):
            raise NotEqual("a plain ssh failed")
        return max(map(float, said)) - began

    def steady(self, number: int) -> float:
        """Milliseconds of the worker's CPU a host and second while tools run on so many hosts."""
        self.hosts.tell_tool(STEADY)
        began, run = self.launch(number)
        time.sleep(STEADY / 4 + number / 50)
        before, since = _cpu(self.worker), time.monotonic()
        time.sleep(STEADY / 2)
        used, seconds = _cpu(self.worker) - before, time.monotonic() - since
        self.times(run, number, began)
        self.hosts.tell_tool(SECONDS)
        return used / seconds / number * 1000


def _times(row: tuple[Any, ...], number: int, began: float) -> Times:
    if (row[4], row[5]) != (number, "succeeded"):
        raise NotEqual(f"{row[4]} of {number} hosts measured, the run is {row[5]}")
    moments: list[datetime] = list(row[:4])
    first, last, ended, finished = (moment.timestamp() for moment in moments)
    return Times(first - began, last - began, finished - ended)


def _cpu(pid: int) -> float:
    """User and system seconds of a process, all of its threads."""
    fields = stat_fields(Path(f"/proc/{pid}/stat").read_text())
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(scratch: Path) -> Iterator[Bench]:
    """benchlab as bin/up starts it, with the largest number of hosts. Call from the main thread."""
    with server(scratch / "server") as url, _valkey(scratch / "valkey") as redis:
        os.environ["REDIS_URL"] = redis
        manage(url, "migrate", "--verbosity=0")
        manage(url, "first_admin")
        with sshds(scratch / "hosts", max(SIZES)) as hosts:
            hosts.tell_tool(SECONDS)
            told = _fill(url, hosts)
            home = Home(scratch / "home").make()
            env = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "benchlab.settings"}
            service = worker(home, env)
            with serving(url, scratch / "web") as port:
                process = spawn(service)
                try:
                    plans, token = told["plans"], told["token"]
                    yield Bench(url, port, token, plans, hosts, _celery(process.pid))
                finally:
                    stop(service, process)


def _celery(pid: int) -> int:
    """The worker's own process: what spawn started, or its child."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else pid


@contextmanager
def _valkey(folder: Path) -> Iterator[str]:
    folder.mkdir()
    valkey = Valkey.at(Home(folder).make())
    service = valkey.service()
    process = spawn(service)
    try:
        while not service.ready():
            if process.poll() is not None:
                raise CannotMeasure("Valkey did not start")
            time.sleep(0.05)
        yield valkey.url
    finally:
        stop(service, process)


class Entered(TypedDict):
    """A token, and by their number of hosts (as text) the plans to launch."""

    token: str
    plans: dict[str, int]


def _fill(url: str, hosts: Sshds) -> Entered:
    told = {
        "private_key": hosts.private_key, "user": hosts.user, "become": hosts.become,
        "sizes": SIZES, "hosts": [host.told() for host in hosts.hosts],
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "benchlab.bench.engine_fill"], input=json.dumps(told),
        env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise NotEqual(f"the hosts could not be entered: {done.stderr.strip()[-300:]}")
    found: Entered = json.loads(done.stdout)
    return found


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds of one host and one ssh, then every size."""
    with running(scratch) as bench:
        await asyncio.to_thread(bench.warm)
        ends: list[float] = []

        async def ours() -> float:
            times = await asyncio.to_thread(bench.play, 1)
            ends.append(times.end)
            return times.last

        async def theirs() -> float:
            return await asyncio.to_thread(bench.ssh, 1)

        raw = await interleave({"benchlab": ours, "ssh": theirs}, rounds)
        notes = [f"1 host: the run's end {median(ends):.2f} s over its tool's."]
        facts: dict[str, object] = {}
        for number in SIZES[1:]:
            facts[str(number)] = await asyncio.to_thread(_size, bench, number, notes)
        for number in SIZES:
            used = await asyncio.to_thread(bench.steady, number)
            notes.append(f"{number} hosts: {used:.2f} ms of the worker's CPU a host and second.")
            facts[f"cpu {number}"] = used
    found = figures(raw.values["benchlab"], raw.values["ssh"])
    return Measured(found, raw, "s", tuple(notes), facts)


def _size(bench: Bench, number: int, notes: list[str]) -> list[Any]:
    played = [(bench.play(number), bench.ssh(number)) for _ in range(TIMES)]
    ours, peer = (median(times.last for times, _ in played), median(ssh for _, ssh in played))
    first, end = median(t.first for t, _ in played), median(t.end for t, _ in played)
    notes.append(
        f"{number} hosts: first process {first:.2f} s, last {ours:.2f} s after the call; as many "
        f"plain ssh {peer:.2f} s ({ours / peer:.2f}); the run's end {end:.2f} s over its tools'."
    )
    return [[vars(times), ssh] for times, ssh in played]


ROW = BenchRow(
    "engine",
    "API call to process on a host over a plain ssh, and 10, 50, 200 hosts",
    Aim(0.25),
    12,
    measure,
)
