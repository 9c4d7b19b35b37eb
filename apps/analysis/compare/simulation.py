"""How often the verdict is wrong, and how often it sees a real difference: `python -m
apps.analysis.compare.simulation`.

Makes repeats with known truth, asks `verdicts` what it says, and prints the table of
docs/usage/statistics.md. Two sides are interleaved in random blocks, as a run does it; drift is a
steady change over the whole run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from apps.analysis.compare.stats import ALPHA, adjust, hodges_lehmann_ratio, p_value_exact
from apps.analysis.compare.verdict import DECIDED, Cell, verdicts

Pairing = Literal["rule", "never", "always"]
Noise = Callable[[np.random.Generator, int], npt.NDArray[np.float64]]


def _two_modes(rng: np.random.Generator, size: int) -> npt.NDArray[np.float64]:
    return rng.normal(0, 0.3, size) + 4.0 * (rng.random(size) < 0.3)


NOISE: dict[str, Noise] = {
    "normal": lambda rng, size: rng.normal(0, 1, size),
    "heavy tails": lambda rng, size: rng.standard_t(2, size),
    "skewed": lambda rng, size: rng.exponential(1, size),
    "two modes": _two_modes,
    "coarse steps": lambda rng, size: np.round(rng.normal(0, 1, size)),
}
"""Noise of the logarithm, in units of the scenario's `sd`."""


@dataclass(frozen=True)
class Scenario:
    """What is true: `effect` ratio of b over a, `sd` of the logarithms, `drift` ratio of the
    run's end over its start.
    """

    noise: str = "normal"
    repeats: int = 6
    cells: int = 8
    effect: float = 1.0
    sd: float = 0.02
    drift: float = 1.0


def families(scenario: Scenario, count: int, seed: int = 1) -> Iterator[list[Cell]]:
    """`count` families of cells under this scenario; the same seed gives the same families."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield [_cell(scenario, rng) for _ in range(scenario.cells)]


def _cell(scenario: Scenario, rng: np.random.Generator) -> Cell:
    """Order in each block is a coin's throw; drift follows the order of measurement."""
    n = scenario.repeats
    noise = scenario.sd * NOISE[scenario.noise](rng, 2 * n)
    a_second = rng.integers(0, 2, n)
    trend = np.log(scenario.drift) * np.arange(2 * n) / max(1, 2 * n - 1)
    first = 2 * np.arange(n)
    a = np.exp(noise[:n] + trend[first + a_second])
    b = scenario.effect * np.exp(noise[n:] + trend[first + 1 - a_second])
    labels = list(range(n))
    return Cell(a.tolist(), b.tolist(), higher_is_better=True, blocks=(labels, labels))


def called(family: list[Cell], pairing: Pairing = "rule") -> list[bool]:
    """Which cells are called better or worse; "never" and "always" replace the rule that chooses
    the test.
    """
    if pairing == "rule":
        return [said.kind in DECIDED for said in verdicts(family)]
    always = pairing == "always"
    p_values = [p_value_exact(c.a, c.b, c.blocks if always else None).p for c in family]
    return [p is not None and p <= ALPHA for p in adjust(p_values)]


def alarm_rate(scenario: Scenario, count: int, pairing: Pairing = "rule", seed: int = 1) -> float:
    """Share of families with at least one better or worse: with `effect` 1 the rate of false
    alarms.
    """
    return sum(any(called(f, pairing)) for f in families(scenario, count, seed)) / count


def power(scenario: Scenario, count: int, pairing: Pairing = "rule", seed: int = 1) -> float:
    """Share of cells called better or worse: with another `effect` than 1 the chance to see it."""
    said = [flag for f in families(scenario, count, seed) for flag in called(f, pairing)]
    return sum(said) / len(said)


def coverage(scenario: Scenario, count: int, *, paired: bool = False, seed: int = 1) -> float:
    """Share of 95 % intervals that hold the true ratio."""
    cells = [cell for family in families(scenario, count, seed) for cell in family]
    effects = [hodges_lehmann_ratio(c.a, c.b, c.blocks if paired else None) for c in cells]
    held = [
        e.low is not None and e.high is not None and e.low <= scenario.effect <= e.high
        for e in effects
    ]
    return sum(held) / len(held)


WAYS: tuple[Pairing, ...] = ("rule", "never", "always")


def _false_alarms(count: int) -> Iterator[str]:
    yield f"False alarms: share of {count} families of 8 equal cells with a better or worse"
    yield f"{'noise':<14}{'drift':>7}{'repeats':>9}" + _heads()
    for noise, drift, repeats in product(NOISE, (1.0, 1.2), (6, 12)):
        scenario = Scenario(noise=noise, drift=drift, repeats=repeats)
        rates = [alarm_rate(scenario, count, way) for way in WAYS]
        yield f"{noise:<14}{drift - 1:>7.0%}{repeats:>9}" + _row(rates)


def _power(count: int) -> Iterator[str]:
    yield f"Power: share of cells called, noise 2 %, {count} families"
    yield f"{'cells':>5}{'repeats':>9}{'effect':>8}{'drift':>7}" + _heads()
    for cells, repeats, effect, drift in product((1, 8), (6, 8, 12), (1.03, 1.06), (1.0, 1.2)):
        scenario = Scenario(repeats=repeats, cells=cells, effect=effect, drift=drift)
        rates = [power(scenario, count, way) for way in WAYS]
        yield f"{cells:>5}{repeats:>9}{effect - 1:>8.0%}{drift - 1:>7.0%}" + _row(rates)


def _heads() -> str:
    return "".join(f"{way:>9}" for way in WAYS)


def _row(rates: list[float]) -> str:
    return "".join(f"{rate:>9.1%}" for rate in rates)


def _coverage(count: int) -> Iterator[str]:
    yield f"Coverage of the 95 % interval, 6 against 6, true ratio 1.05, {8 * count} intervals"
    yield f"{'noise':<14}{'unpaired':>10}{'paired':>8}"
    for noise in NOISE:
        scenario = Scenario(noise=noise, effect=1.05)
        rates = coverage(scenario, count), coverage(scenario, count, paired=True)
        yield f"{noise:<14}{rates[0]:>10.1%}{rates[1]:>8.1%}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--families", type=int, default=1000, help="families of each scenario")
    count = parser.parse_args().families
    for table in (_false_alarms, _power, _coverage):
        print("\n".join(table(count)), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
