"""A comparison of two runs of thousands of cases, worked out anew each time."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tests.bench.figure import Figure, Options
from tests.bench.pages import CASES, archive

ROUNDS, LIMIT = 5, 1.0


def measure(options: Options) -> Iterator[Figure]:
    with archive(options, CASES) as site:
        for name, path in (("page", "/compare/"), ("API", "/api/v1/compare/")):
            asked = f"{path}?run={site.known['large']}&run={site.known['middle']}"
            site.seconds(asked)
            # Another smallest change each time: no answer that was kept is the same.
            spent = [site.seconds(f"{asked}&minimum=0.0{n}") for n in range(11, 11 + ROUNDS)]
            yield Figure(f"{name} of a comparison of two large runs", median(spent), LIMIT)
