"""Many comparisons of equal shape at once: a row of a matrix is one comparison.

The figures are those of `p_value_exact` and `hodges_lehmann_ratio`; the tests compare them. Where a
single comparison has None, an array has NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apps.analysis.compare.stats import approximate, nulls
from apps.analysis.compare.stats.select import kth_averages, kth_differences

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MOST_AT_ONCE = 2**20
"""Pairwise ratios held in memory at once: 8 MiB."""
CONFIDENCE_TAIL = 0.025
FAR = 1e6
"""Stands for an infinite logarithm where only finite ones can be sorted: no ratio of two floating
point numbers reaches it.
"""


@dataclass(frozen=True)
class Effects:
    """`Effect` for each row: b over a, the ends of its interval, whether that leaves out 1."""

    ratio: Floats
    low: Floats
    high: Floats
    excludes_one: Flags


def rank_sum(a: Floats, b: Floats) -> tuple[Floats, Flags]:
    """Two-sided p of Mann and Whitney's rank sum for each row of `a` (m x n_a) and `b` (m x n_b),
    all values finite, and whether it was counted exactly.
    """
    rows, picked = b.shape
    if not picked or not a.shape[1]:
        return np.ones(rows), np.ones(rows, dtype=bool)
    doubled = doubled_ranks(np.concatenate([b, a], axis=1))
    observed = doubled[:, :picked].sum(axis=1)
    if doubled.shape[1] > nulls.EXACT_RANK_SUM:
        found = [
            approximate.rank_sum_p(d, picked, int(o))
            for d, o in zip(doubled, observed, strict=True)
        ]
        p = np.array([one for one, _exact in found])
        return p, np.array([exact for _one, exact in found], dtype=bool)
    doubled.sort(axis=1)
    return _counted(doubled, observed, picked), np.ones(rows, dtype=bool)


def _counted(ordered: Ints, observed: Ints, picked: int) -> Floats:
    """Rows with the same ranks share one distribution; without ties all of them do."""
    p = np.empty(len(ordered))
    patterns, which = np.unique(ordered, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        here = which.reshape(-1) == number if len(patterns) > 1 else slice(None)
        null = nulls.rank_sum_null(tuple(pattern.tolist()), picked)
        p[here] = null.two_sided_many(observed[here])
    return p


def signed_rank(ratios: Floats) -> tuple[Floats, Flags]:
    """Two-sided p of Wilcoxon's signed rank for each row of the blocks' log ratios (m x blocks)."""
    rows, blocks = ratios.shape
    exact = np.ones(rows, dtype=bool)
    whole = (ratios != 0).all(axis=1)
    p = np.ones(rows)
    doubled = doubled_ranks(np.abs(ratios[whole]))
    observed = np.where(ratios[whole] > 0, doubled, 0).sum(axis=1)
    doubled.sort(axis=1)
    if blocks <= nulls.EXACT_SIGNED_RANK:
        p[whole] = _signs_counted(doubled, observed)
    for row in np.flatnonzero(~whole | (blocks > nulls.EXACT_SIGNED_RANK)):
        p[row], exact[row] = _one_signed_rank(ratios[row])
    return p, exact


def _signs_counted(ordered: Ints, observed: Ints) -> Floats:
    p = np.empty(len(ordered))
    patterns, which = np.unique(ordered, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        here = which.reshape(-1) == number
        p[here] = nulls.signed_rank_null(tuple(pattern.tolist())).two_sided_many(observed[here])
    return p


def _one_signed_rank(ratios: Floats) -> tuple[float, bool]:
    """Blocks without a difference take no part, so each row has a shape of its own."""
    moved = ratios[ratios != 0]
    if not len(moved):
        return 1.0, True
    doubled = doubled_ranks(np.abs(moved)[None, :])[0]
    observed = int(doubled[moved > 0].sum())
    if len(moved) > nulls.EXACT_SIGNED_RANK:
        return approximate.signed_rank_p(doubled, observed), False
    null = nulls.signed_rank_null(tuple(sorted(doubled.tolist())))
    return null.two_sided(observed), True


def ratios_of(a: Floats, b: Floats) -> Effects:
    """Hodges and Lehmann's ratio of b over a for each row, unpaired, with its 95 % interval."""
    rows, n_a, n_b = len(a), a.shape[1], b.shape[1]
    if not n_a or not n_b:
        nothing = np.full(rows, np.nan)
        return Effects(nothing, nothing, nothing, np.zeros(rows, dtype=bool))
    critical = nulls.rank_sum_critical(n_a, n_b, CONFIDENCE_TAIL)
    size = n_a * n_b
    places = _places(size, critical)
    with np.errstate(divide="ignore"):
        logs_a, logs_b = np.log(a), np.log(b)
    if size > MOST_AT_ONCE:
        logs_a, logs_b = np.maximum(logs_a, -FAR), np.maximum(logs_b, -FAR)
        pairs = zip(logs_a, logs_b, strict=True)
        return _effects(np.array([kth_differences(x, y, places) for x, y in pairs]), critical)
    step = max(1, MOST_AT_ONCE // size)
    found = [
        _selected(_outer(logs_a[at : at + step], logs_b[at : at + step]), places)
        for at in range(0, rows, step)
    ]
    return _effects(np.concatenate(found) if found else np.empty((0, 4)), critical)


def log_ratio(a: float, b: float) -> float:
    """ln(b / a). Two zeros are equal (0.0); one zero makes it infinite."""
    return float(block_ratios(np.array([a]), np.array([b]))[0])


def block_ratios(a: Floats, b: Floats) -> Floats:
    """ln(b / a) of each block; two zeros are equal, one zero makes it infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(b) - np.log(a)
    ratios[a == b] = 0.0
    return ratios


def paired_ratios_of(ratios: Floats) -> Effects:
    """Hodges and Lehmann's ratio from the blocks' log ratios (m x blocks), with its interval."""
    blocks = ratios.shape[1]
    critical = nulls.signed_rank_critical(blocks, CONFIDENCE_TAIL)
    size = blocks * (blocks + 1) // 2
    places = _places(size, critical)
    if size > MOST_AT_ONCE:
        near = np.clip(ratios, -FAR, FAR)
        return _effects(np.array([kth_averages(row, places) for row in near]), critical)
    step = max(1, MOST_AT_ONCE // size)
    found = [
        _selected(_averages(ratios[at : at + step]), places) for at in range(0, len(ratios), step)
    ]
    return _effects(np.concatenate(found), critical)


def doubled_ranks(values: Floats) -> Ints:
    """Twice the rank of each value within its row, ties sharing their middle rank."""
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    width = values.shape[1]
    at = np.broadcast_to(np.arange(width), ordered.shape)
    new = np.ones(ordered.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, at, 0), axis=1)
    ends = np.ones(ordered.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, at, width)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(ordered.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, first + last + 2, axis=1)
    return ranks


def _places(size: int, critical: int) -> tuple[int, int, int, int]:
    """Both middles and both ends of the interval, as places in ascending order."""
    left_out = max(critical, 1)
    return (size - 1) // 2, size // 2, left_out - 1, size - left_out


def _outer(logs_a: Floats, logs_b: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        differences = (logs_b[:, :, None] - logs_a[:, None, :]).reshape(len(logs_a), -1)
    differences[np.isnan(differences)] = 0.0
    return differences


def _averages(ratios: Floats) -> Floats:
    """Of each value with itself and every other; opposite infinities balance to 0."""
    first, second = np.triu_indices(ratios.shape[1])
    with np.errstate(invalid="ignore"):
        averages = (ratios[:, first] + ratios[:, second]) / 2
    averages[np.isnan(averages)] = 0.0
    return averages


def _selected(values: Floats, places: tuple[int, ...]) -> Floats:
    ordered = np.partition(values, sorted(set(places)), axis=1)
    return ordered[:, list(places)]


def _effects(found: Floats, critical: int) -> Effects:
    """Logarithms at `_places` as ratios; no interval where nothing may be left out."""
    lower, upper = found[:, 0], found[:, 1]
    with np.errstate(invalid="ignore"):
        middle = np.where(lower == upper, lower, (lower + upper) / 2)
    low, high = found[:, 2], found[:, 3]
    if not critical:
        nothing = np.full(len(found), np.nan)
        return Effects(_ratio(middle), nothing, nothing, np.zeros(len(found), dtype=bool))
    return Effects(_ratio(middle), _ratio(low), _ratio(high), (low > 0) | (high < 0))


def _ratio(logarithms: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(logarithms > 700, np.nan, np.exp(logarithms))
