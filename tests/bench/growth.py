"""Pages and calls at two sizes of one lab's archive, beside plain queries of the same rows.

Seconds are without the cache, as after each new result. Blocks do not depend on the machine's load.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

import psycopg
from redis import Redis

from benchlab.local.postgres import NO_DURABILITY
from tests.bench.archive_weights import weights
from tests.bench.figure import Figure, Options, timed
from tests.bench.growth_pages import PAGES, Shown, known_keys
from tests.bench.pages import Site, archive
from tests.bench.servers import answer

CASES, TIMES = 4_000_000, 4
HOSTS = 400
"""The same lab at both sizes: what lists and fleets show stays the same, only the past grows."""
ROUNDS = 3


@dataclass(frozen=True)
class Measured:
    """Seconds of a page, seconds of the plain query, and blocks that the page reads."""

    seconds: float
    plain: float
    blocks: int
    worst: str


def measure(options: Options) -> Iterator[Figure]:
    most = options.cases or CASES
    sizes = [most // TIMES, most]
    small, large = (_size(options, cases) for cases in sizes)
    for page in PAGES:
        one, other = small[page.name], large[page.name]
        beside = (
            f"at {sizes[0]:,}: {one.seconds:.3f} s; blocks {one.blocks:,} -> {other.blocks:,}; "
            f"plain SQL {one.plain:.4f} s -> {other.plain:.4f} s"
        )
        yield Figure(f"{page.name}, {most:,} cases", other.seconds, page.limit, beside)


def _size(options: Options, cases: int) -> dict[str, Measured]:
    """Measure every page in an archive of so many cases, and print what its tables weigh."""
    folder = (options.archive or options.scratch) / str(cases)
    folder.mkdir(parents=True, exist_ok=True)
    with archive(
        replace(options, archive=folder, cases=cases), cases, HOSTS, NO_DURABILITY
    ) as site:
        keys = known_keys(site.url, site.known)
        print("\n".join(f"  {line}" for line in weights(site.url, site.known["cases"])))
        addresses = {page.name: page.path.format(**keys) for page in PAGES}
        blocks = answer("tests.bench.archive.blocks", given=list(addresses.values()))
        found: dict[str, Measured] = {}
        for page in PAGES:
            read = blocks[addresses[page.name]]
            seconds = median(_cold(site, addresses[page.name]) for _round in range(ROUNDS))
            plain = _plain(site, page.sql.format(**keys))
            found[page.name] = Measured(seconds, plain, read["blocks"], read["sql"])
            _say(page, found[page.name], read["worst"])
        return found


def _say(page: Shown, one: Measured, worst: int) -> None:
    text = f"{page.name:30} {one.seconds:.3f} s, plain {one.plain:.4f} s, {one.blocks:,} blocks"
    print(f"    {text}, {worst:,} by {' '.join(one.worst.split())[:120]}", flush=True)


def _cold(site: Site, path: str) -> float:
    """Seconds of an address without what the cache has of it, once the processes are warm."""
    Redis.from_url(os.environ["REDIS_URL"]).flushall()
    return site.seconds(path)


def _plain(site: Site, sql: str) -> float:
    with psycopg.connect(site.url) as connection:
        return median(
            timed(lambda: connection.execute(sql.encode()).fetchall()) for _round in range(ROUNDS)
        )
