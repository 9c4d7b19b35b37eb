"""Interleaved rounds: every side once a round, in another order each time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

Side = Callable[[], Awaitable[float]]


@dataclass(frozen=True)
class Rounds:
    """Values of the sides, in the order of the rounds, and the order they ran in."""

    values: Mapping[str, list[float]]
    order: list[list[str]]


def orders(names: Sequence[str]) -> itertools.cycle[tuple[str, ...]]:
    """Every order of the sides in turn, so that no side always runs first or after the same one."""
    return itertools.cycle(itertools.permutations(names))


async def interleave(sides: Mapping[str, Side], count: int) -> Rounds:
    """Run `count` rounds. A side returns its own figure: seconds, or operations per second."""
    values: dict[str, list[float]] = {name: [] for name in sides}
    done: list[list[str]] = []
    for order in itertools.islice(orders(tuple(sides)), count):
        for name in order:
            values[name].append(await sides[name]())
        done.append(list(order))
    return Rounds(values, done)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Wall seconds that `work` takes."""
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began
