"""Shares of changes in a workload's history that are found, and of changes seen that are not
there, on made-up years with a known truth."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.figure import Figure, Options
from tests.statistics.history import Year, false_alarms, false_marks, found, noticed

FOUND = 0.9
YEARS = 200
RUNS = (52, 104, 365)
LOOKED = (52, 104)
"""Years in which somebody looks after every run: what that costs grows with the square of runs."""
SEED = 1

FALLS, NOISES, LATER = (0.9, 0.8, 0.7), (0.02, 0.03, 0.05, 0.1), (3, 5, 8)
BEFORE = (20, 50)
"""Runs before a fall."""
FALL_YEARS = 1_000
LOOKED_AFTER_EACH = 60


def measure(_options: Options) -> Iterator[Figure]:
    share = found(Year(52), 1.1, YEARS, SEED)
    yield Figure(
        "changes of 10 % found in a year of weekly runs", share, FOUND, unit="", at_least=True
    )
    print("\n".join(f"  {line}" for line in notes(YEARS)))


def notes(years: int) -> Iterator[str]:
    """Rates of so many years each, with noise of 3 %."""
    yield f"noise 3 %, {years} years each, seed {SEED}; found: named within 5 runs of its place"
    for noise in ("normal", "heavy tails"):
        for runs in RUNS:
            year = Year(runs, noise=noise)
            changes = (1.05, 1.1, 1.2)
            shares = [
                f"{effect - 1:.0%} {found(year, effect, years, SEED):.1%}" for effect in changes
            ]
            soon = f"{noticed(year, 1.1, 5, years, SEED):.1%}"
            wrong = f"{false_alarms(year, years, SEED):.1%}"
            looked = (
                f", at any look {false_alarms(year, years, SEED, every_look=True):.1%}"
                if runs in LOOKED
                else ""
            )
            yield (
                f"{runs} runs, {noise}: found {', '.join(shares)}; 10 % named 5 runs later {soon}; "
                f"false alarms {wrong}{looked}"
            )
    yield from _soon(FALL_YEARS)


def _soon(years: int) -> Iterator[str]:
    """Falls named so many runs later, and marks without a change, as a table of the docs."""
    yield f"| noise | runs before | fall | {' | '.join(f'{n} runs later' for n in LATER)} |"
    yield "|---|---|---|---|---|---|"
    for sd in NOISES:
        for before in BEFORE:
            for fall in FALLS:
                shares = [
                    f"{noticed(Year(before + later, sd=sd), fall, later, years, SEED):.1%}"
                    for later in LATER
                ]
                yield f"| {sd:.0%} | {before} | {1 - fall:.0%} | {' | '.join(shares)} |"
    for noise in ("normal", "heavy tails", "two modes"):
        marks = false_marks(Year(LOOKED_AFTER_EACH, noise=noise), years, SEED)
        yield f"false marks in 100 runs, {noise}, looked at after each run: {marks:.2f}"
