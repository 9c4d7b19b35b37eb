"""Wrong verdicts in every scenario of SCENARIOS, as lines of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from apps.analysis.verdicts.chains import evaluate_chains
from apps.analysis.verdicts.variability import variabilities
from tests.statistics.disturbed import SCENARIOS
from tests.statistics.verdicts import Rate, SimulatedPage, decided

WORKLOADS, REPEATS = (4, 24), (6, 11)
METRICS = 1
"""A chain whose main metric shows nothing ends there, so that others change no page."""
HEAD = (
    "| workloads | repeats | scenario | pages with a wrong verdict | pages that name a spread "
    "| workloads whose spread is named |\n|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Line:
    """`wrong`: pages with a "better" or "worse"; `varies`: pages that name a spread; `named`:
    workloads whose spread is named.
    """

    page: SimulatedPage
    scenario: str
    wrong: Rate
    varies: Rate
    named: Rate

    def __str__(self) -> str:
        page = self.page
        cells = page.workloads, page.repeats, self.scenario, self.wrong, self.varies, self.named
        return f"| {' | '.join(str(cell).strip() for cell in cells)} |"


def lines(
    pages: int,
    seed: int = 1,
    workloads: Sequence[int] = WORKLOADS,
    repeats: Sequence[int] = REPEATS,
) -> Iterator[Line]:
    """A line for each size of page and scenario, of so many pages."""
    for tests, number in product(workloads, repeats):
        for scenario in SCENARIOS:
            yield line(SimulatedPage(tests, METRICS, number), scenario, pages, seed)


def line(page: SimulatedPage, scenario: str, pages: int, seed: int = 1) -> Line:
    """So many of these pages in one scenario."""
    page, rng = replace(page, disturbed=SCENARIOS[scenario]), np.random.default_rng(seed)
    wrong = varies = named = 0
    for _number in range(pages):
        made = page.make(rng)
        wrong += any(decided(one) for chain in evaluate_chains(made) for one in chain)
        found = len(variabilities([chain[:1] for chain in made]))
        varies, named = varies + bool(found), named + found
    return Line(
        page, scenario, Rate(wrong, pages), Rate(varies, pages),
        Rate(named, pages * page.workloads),
    )  # fmt: skip
