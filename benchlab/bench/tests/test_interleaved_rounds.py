"""Every side runs once a round, and takes every place in the order equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

from benchlab.bench.rounds import interleave


async def test_every_side_runs_once_a_round_in_every_order() -> None:
    calls: list[str] = []

    def side(name: str) -> Callable[[], Awaitable[float]]:
        async def run() -> float:
            calls.append(name)
            return float(len(calls))

        return run

    rounds = await interleave({name: side(name) for name in "abc"}, 12)
    assert {name: len(values) for name, values in rounds.values.items()} == dict.fromkeys("abc", 12)
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds.order)
    assert Counter(order[0] for order in rounds.order) == dict.fromkeys("abc", 4)
    assert len({tuple(order) for order in rounds.order}) == 6
    assert calls == [name for order in rounds.order for name in order]


async def test_values_stay_with_their_side() -> None:
    async def one() -> float:
        return 1.0

    async def two() -> float:
        return 2.0

    rounds = await interleave({"one": one, "two": two}, 3)
    assert rounds.values == {"one": [1.0] * 3, "two": [2.0] * 3}
    assert rounds.order == [["one", "two"], ["two", "one"], ["one", "two"]]
