"""50 people clicking through pages and API of a small archive, beside the same people asking the
same server for an empty view (/healthz).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from benchlab.bench.crowd import Ask, Clicked, crowd
from benchlab.bench.database import server
from benchlab.bench.figures import figures
from benchlab.bench.import_folder import manage
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, CannotMeasure, Measured, NotEqual
from benchlab.standalone.paths import Home
from benchlab.standalone.service import spawn, stop
from benchlab.standalone.stack import web, web_processes

PEOPLE = 50
SECONDS = 10.0
PAGES = (
    "/", "/runs/", "/runs/?name=run-1", "/hosts/", "/plans/", "/imports/", "/runs/{run}/",
    "/runs/{run}/?page=1", "/runs/{large}/", "/runs/{large}/?page=10", "/cases/{case}/",
    "/compare/?run={run}&run={other}",
)  # fmt: skip
CALLS = (
    "/api/v1/runs/", "/api/v1/runs/{run}/", "/api/v1/cases/?run={run}",
    "/api/v1/measurements/?run={run}", "/api/v1/hosts/",
)  # fmt: skip
EMPTY = Ask("/healthz")


class Archive(TypedDict):
    """Keys to ask for: runs, one of thousands of cases, cases; a token and keys of sessions."""

    runs: list[int]
    large: int
    cases: list[int]
    token: str
    sessions: list[str]


def chooser(archive: Archive) -> Callable[[int, random.Random], Ask]:
    """Chooses people's requests: two pages for each call of the API."""

    def choose(person: int, dice: random.Random) -> Ask:
        run, other = dice.sample(archive["runs"], 2)
        words = {"run": run, "other": other, "large": archive["large"]}
        words["case"] = dice.choice(archive["cases"])
        if dice.random() < 1 / 3:
            token = {"Authorization": f"Token {archive['token']}"}
            return Ask(dice.choice(CALLS).format(**words), token)
        session = archive["sessions"][person % len(archive["sessions"])]
        return Ask(dice.choice(PAGES).format(**words), {"Cookie": f"sessionid={session}"})

    return choose


def fill(url: str, folder: Path) -> Archive:
    """The archive, made by a process of its own; what there is in it."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "benchlab.bench.people_fill", str(folder)],
        env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise NotEqual(f"the archive could not be filled: {done.stderr.strip()[-300:]}")
    told: Archive = json.loads(done.stdout)
    return told


@contextmanager
def serving(url: str, folder: Path) -> Iterator[int]:
    """The web server as bin/up starts it; its port. Call from the main thread."""
    port = _free_port()
    env = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "benchlab.settings"}
    service = web(Home(folder).make(), env, "127.0.0.1", port)
    process = spawn(service)
    try:
        while not service.ready():
            if process.poll() is not None:
                raise CannotMeasure(f"the web server did not start: {service.log.read_text()}")
            time.sleep(0.1)
        yield port
    finally:
        stop(service, process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds of 10 s each; a side's figure is its good answers a second."""
    with server(scratch / "server") as url:
        manage(url, "migrate", "--verbosity=0")
        manage(url, "first_admin")
        manage(url, "collectstatic", "--noinput", "--verbosity=0")
        archive = fill(url, scratch / "results")
        with serving(url, scratch / "web") as port:
            met: dict[str, list[Clicked]] = {"people": [], "empty": []}

            async def side(name: str, choose: Callable[[int, random.Random], Ask]) -> float:
                clicked = await asyncio.to_thread(crowd, port, PEOPLE, SECONDS, choose)
                met[name].append(clicked)
                return clicked.rate

            people = chooser(archive)
            crowd(port, PEOPLE, 3.0, people)
            raw = await interleave(
                {
                    "people": lambda: side("people", people),
                    "empty": lambda: side("empty", lambda _person, _dice: EMPTY),
                },
                rounds,
            )
    found = figures(raw.values["people"], raw.values["empty"])
    notes = [f"{PEOPLE} people, {web_processes()} web processes, each round {SECONDS:g} s."]
    notes += [f"{name}: {clicked.words}" for name, each in met.items() for clicked in each]
    return Measured(found, raw, "requests/s", tuple(notes), {"people": PEOPLE})


ROW = BenchRow("people", "50 people clicking over the same 50 at an empty view", None, 6, measure)
