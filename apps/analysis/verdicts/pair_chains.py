"""Chains of the comparisons of each pair, a cell for each metric."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.interim import interim_between
from apps.analysis.repeats.repeats import Repeats
from apps.analysis.verdicts.batches import Blocks, ChainCell
from apps.analysis.verdicts.multiplicity import Pair
from apps.tools.metrics import METRICS


def chains_of(
    repeats: Repeats,
    pairs: Sequence[Pair],
    chains: Sequence[Sequence[str]],
    query: ComparisonQuery,
) -> list[list[ChainCell]]:
    """Return the comparisons of each pair. `chains`: the metrics of each pair in test order."""
    return [_cells(repeats, pair, chain, query) for pair, chain in zip(pairs, chains, strict=True)]


def _cells(
    repeats: Repeats, pair: Pair, chain: Sequence[str], query: ComparisonQuery
) -> list[ChainCell]:
    # Different windows of the first metric make the whole chain incomparable.
    window_differences = [
        one for metric, one in pair.incomparable_windows.items() if metric == chain[0]
    ]
    factors = tuple(map(str, (*pair.differing, *window_differences)))
    blocks, minimum = _blocks(repeats, pair, query), query.minimum / 100
    result = []
    for metric in chain:
        values, rises = repeats.metric(metric), METRICS[metric].higher_is_better is not False
        a, b = values[pair.a], values[pair.b]
        result.append(ChainCell(a, b, rises, minimum, factors, blocks))
    return result


def _blocks(repeats: Repeats, pair: Pair, query: ComparisonQuery) -> Blocks | None:
    """Return the blocks; None if a repeat has none, and between runs, which share none."""
    a, b = repeats.block[pair.a], repeats.block[pair.b]
    if query.factor == "run" or not (a.all() and b.all()):
        return None
    first, last = min(a[0], b[0]), max(a[-1], b[-1])
    looks = interim_between(repeats.looks, int(first), int(last))
    if not (repeats.timed[pair.a].all() and repeats.timed[pair.b].all()):
        return Blocks(a, b, looks=looks)
    return Blocks(a, b, repeats.timestamps[pair.a], repeats.timestamps[pair.b], looks)
