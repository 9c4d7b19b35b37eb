"""Every documented filter of the API's lists of runs, cases, measurements and series."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from urllib.parse import urlencode

from tests.bench.figure import Figure, Options
from tests.bench.pages import CASES, LIMIT, archive

ROUNDS, SHOWN = 5, 10


def measure(options: Options) -> Iterator[Figure]:
    spent: dict[str, float] = {}
    with archive(options, CASES) as site:
        for noun, filters in site.known["lists"].items():
            for name, values in filters.items():
                for value in values:
                    path = f"/api/v1/{noun}/?{urlencode({name: value})}"
                    site.seconds(path)
                    spent[path] = median(site.seconds(path) for _ in range(ROUNDS))
        slowest = sorted(spent, key=lambda path: -spent[path])
        name = f"slowest of {len(spent)} filters, {site.known['cases']:,} cases"
        yield Figure(name, spent[slowest[0]], LIMIT, slowest[0])
        for path in slowest[1:SHOWN]:
            yield Figure(path.removeprefix("/api/v1/"), spent[path], LIMIT)
