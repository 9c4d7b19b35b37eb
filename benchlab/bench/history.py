"""Shares of changes in a workload's history that are found, and of changes seen that are not
there, on made-up years with a known truth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from apps.analysis.history.simulation import Year, false_alarms, found, noticed
from benchlab.bench.figures import Aim, figures
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, Measured

FOUND = 0.9
YEARS, YEARS_A_ROUND = 200, 50
RUNS = (52, 104, 365)
LOOKED = (52, 104)
"""Years in which somebody looks after every run: what that costs grows with the square of runs."""
SEED = 1


async def measure(_scratch: Path, rounds: int) -> Measured:
    """Each round: years of a run a week in which the median becomes a tenth larger."""
    seeds = count(SEED)

    async def ours() -> float:
        return found(Year(52), 1.1, YEARS_A_ROUND, next(seeds))

    async def aim() -> float:
        return FOUND

    raw = await interleave({"found": ours, "aim": aim}, rounds)
    done = figures(raw.values["found"], raw.values["aim"])
    return Measured(done, raw, "of the changes", tuple(notes(YEARS)))


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


ROW = BenchRow(
    "history", "changes of 10 % found in a year of weekly runs, over the aim of 90 %",
    Aim(1.0, upper=False), 8, measure,
)  # fmt: skip
