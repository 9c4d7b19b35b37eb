"""Warm pages and lists of the API in an archive of 100,000 cases."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import psycopg

from tests.bench.addresses import addresses
from tests.bench.figure import CannotMeasure, Figure, Options, percentile95, timed
from tests.bench.servers import answer, servers, web

CASES, ROUNDS = 100_000, 10
LIMIT = 0.3
NEWEST_RUNS = "SELECT * FROM runs_run ORDER BY id DESC LIMIT 50"


@dataclass(frozen=True)
class Site:
    """A served archive and the session of somebody who is logged in."""

    port: int
    url: str
    known: dict[str, Any]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def seconds(self, path: str) -> float:
        """Seconds until the whole answer is here."""
        headers = {"Cookie": f"sessionid={self.known['session']}"}
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            return timed(lambda: urllib.request.urlopen(request, timeout=120).read())
        except urllib.error.HTTPError as error:
            raise CannotMeasure(f"{path} answers {error.code}") from error

    def plain_query(self) -> str:
        """What a plain query of the newest runs takes."""
        with psycopg.connect(self.url) as connection:
            spent = [
                timed(lambda: connection.execute(NEWEST_RUNS).fetchall()) for _ in range(ROUNDS)
            ]
        return f"plain SQL query of 50 runs {median(spent):.4f} s"


@contextmanager
def archive(
    options: Options, cases: int, hosts: int = 0, settings: Mapping[str, str] | None = None
) -> Iterator[Site]:
    """A served archive: that of an earlier call with the same folder, or a fresh one.

    `hosts`: as the filler takes them; `settings`: of PostgreSQL.
    """
    folder = options.archive or options.scratch / "archive"
    with servers(folder, settings) as url:
        known = folder / "known.json"
        if not known.exists():
            filled = answer("tests.bench.archive", "fill", str(options.cases or cases), str(hosts))
            known.write_text(json.dumps(filled))
        session = answer("tests.bench.archive", "session")
        with web(options.scratch / "web") as port:
            yield Site(port, url, json.loads(known.read_text()) | {"session": session})


def measure(options: Options) -> Iterator[Figure]:
    with archive(options, CASES) as site:
        spent = {path: _warm(site, path) for path in addresses(site.known)}
        slowest = sorted(spent, key=lambda path: -percentile95(spent[path]))
        everything = [seconds for each in spent.values() for seconds in each]
        name = f"{len(spent)} pages, {site.known['cases']:,} cases, p95"
        yield Figure(name, percentile95(everything), LIMIT, site.plain_query())
        for path in slowest[:3]:
            yield Figure(f"p95 of {path}", percentile95(spent[path]), LIMIT)


def _warm(site: Site, path: str) -> list[float]:
    """Each web process has answered it before."""
    for _ in range(4):
        site.seconds(path)
    return [site.seconds(path) for _ in range(ROUNDS)]
