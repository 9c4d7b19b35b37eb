"""From the API call to the processes on the hosts, and from the tools' end to the run's, with a
real web server, worker, database and sshd for each host.
"""

from __future__ import annotations

import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

import psycopg

from tests.bench.figure import CannotMeasure, Figure, Options
from tests.bench.servers import answer, servers, web, worker
from tests.bench.sshds import Sshds, sshds

SIZES = (1, 50)
LIMITS = {1: (1.0, 2.0), 50: (3.0, 6.0)}
ROUNDS = {1: 10, 50: 3}
TOOL_SECONDS = 3
WARMING = 4
LONGEST = 300.0
TIMES = (
    "SELECT max(a.started_at), max(a.ended_at), r.finished_at, "
    "count(*) FILTER (WHERE a.state = 'succeeded') "
    "FROM runs_attempt a JOIN runs_case c ON c.id = a.case_id "
    "JOIN runs_run r ON r.id = c.run_id WHERE r.id = %s GROUP BY r.id"
)


@dataclass(frozen=True)
class Times:
    """Seconds from the API call to the last process, and from the last tool's end to the run's."""

    start: float
    end: float


@dataclass(frozen=True)
class Lab:
    """A served benchlab, its hosts, and by their number of hosts the plans."""

    url: str
    port: int
    token: str
    plans: dict[str, int]
    hosts: Sshds

    def play(self, number: int) -> Times:
        """A whole run on so many hosts. Raises CannotMeasure unless each of them measured."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/runs/",
            data=json.dumps({"plan": self.plans[str(number)]}).encode(),
            headers={"Authorization": f"Token {self.token}", "Content-Type": "application/json"},
        )
        began = time.time()
        with urllib.request.urlopen(request, timeout=60) as response:
            run = int(json.load(response)["id"])
        started, ended, finished, measured = self._ended(run)
        if measured != number:
            raise CannotMeasure(f"{measured} of {number} hosts measured")
        return Times(started.timestamp() - began, (finished - ended).total_seconds())

    def _ended(self, run: int) -> tuple[datetime, datetime, datetime, int]:
        deadline = time.monotonic() + LONGEST
        with psycopg.connect(self.url, autocommit=True) as connection:
            while time.monotonic() < deadline:
                row = connection.execute(TIMES, [run]).fetchone()
                if row and row[2]:
                    return row
                time.sleep(0.1)
        raise CannotMeasure(f"run {run} did not end within {LONGEST:.0f} s")

    def ssh(self, number: int) -> float:
        """Seconds until so many plain `ssh host true`, begun at once, have ended."""
        began = time.perf_counter()
        hosts = self.hosts.hosts[:number]
        running = [subprocess.Popen(self.hosts.ssh(host, "true")) for host in hosts]
        codes = [process.wait(120) for process in running]
        if any(codes):
            raise CannotMeasure("a plain ssh failed")
        return time.perf_counter() - began


@contextmanager
def lab(options: Options) -> Iterator[Lab]:
    scratch = options.scratch
    with servers(scratch / "server") as url, sshds(scratch / "hosts", max(SIZES)) as hosts:
        hosts.tell_tool(TOOL_SECONDS)
        given: dict[str, Any] = {
            "private_key": hosts.private_key, "user": hosts.user, "privilege_mode": hosts.become,
            "sizes": SIZES, "hosts": [host.told() for host in hosts.hosts],
        }  # fmt: skip
        known = answer("tests.bench.engine_fill", given=given)
        with worker(scratch / "server"), web(scratch / "web") as port:
            yield Lab(url, port, known["token"], known["plans"], hosts)


def measure(options: Options) -> Iterator[Figure]:
    with lab(options) as found:
        _connect(found)
        for number in SIZES:
            played, plain = [], []
            for _round in range(ROUNDS[number]):
                played.append(found.play(number))
                plain.append(found.ssh(number))
            start, end = LIMITS[number]
            beside = f"ssh host true: {median(plain):.3f} s"
            name = "one host" if number == 1 else f"{number} hosts"
            starts, ends = [one.start for one in played], [one.end for one in played]
            yield Figure(f"{name}: click to (last) process", median(starts), start, beside)
            yield Figure(f"{name}: tool's end to the run's", median(ends), end)


def _connect(found: Lab) -> None:
    """Open every connection. All hosts are this machine, so that the first starts may last longer
    than a host is waited for.
    """
    for _ in range(WARMING):
        with suppress(CannotMeasure):
            found.play(max(SIZES))
            return
    raise CannotMeasure(f"{max(SIZES)} hosts did not measure")
