"""Single cells far from neighbours that agree with each other. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from apps.analysis.repeats.grid import Grid

Position = tuple[Any, Any]
MAX_NEIGHBOUR_RATIO = 1.25
"""Ratio of the two neighbours up to which they agree."""
MIN_OUTLIER_RATIO = 1.6
"""Ratio to both neighbours from which a cell is far from them."""


def outliers_of(grid: Grid) -> frozenset[Position]:
    """Return the cells that are far from their neighbours along each axis with numbers.

    A row in which half of the operations are far is an effect, not an outlier.
    """
    votes: dict[Position, bool] = {}
    for line in _lines(grid):
        for index, position in enumerate(line):
            if len(line) > 2:
                is_far = _is_far(grid, line, index)
                votes[position] = votes.get(position, True) and is_far
    result = {position for position, is_far in votes.items() if is_far}
    if _is_number(grid.xs) and _is_number(grid.ys):
        return frozenset(result)
    return frozenset(one for one in result if not _is_shared(grid, result, one))


def _is_number(values: Sequence[Any]) -> bool:
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)


def _lines(grid: Grid) -> Iterator[list[Position]]:
    """Yield the positions with a cell along each axis with numbers."""
    if _is_number(grid.xs):
        for y in grid.ys:
            yield [(x, y) for x in grid.xs if (x, y) in grid.cells]
    if _is_number(grid.ys):
        for x in grid.xs:
            yield [(x, y) for y in grid.ys if (x, y) in grid.cells]


def _is_far(grid: Grid, line: Sequence[Position], index: int) -> bool:
    """Compare a cell with the cells on both sides; at an end with the next two."""
    start = min(max(index - 1, 0), len(line) - 3)
    around = [position for position in range(start, start + 3) if position != index]
    low, high = sorted(grid.cells[line[position]].median for position in around)
    value = grid.cells[line[index]].median
    if low <= 0 or value <= 0 or high / low > MAX_NEIGHBOUR_RATIO:
        return False
    return value / high >= MIN_OUTLIER_RATIO or low / value >= MIN_OUTLIER_RATIO


def _is_shared(grid: Grid, result: set[Position], position: Position) -> bool:
    """Return True if at least half of the other cells at the same number are far."""
    axis = 1 if _is_number(grid.ys) else 0
    others = [one for one in grid.cells if one[axis] == position[axis] and one != position]
    far = [one for one in others if one in result]
    return bool(others) and 2 * len(far) >= len(others)
