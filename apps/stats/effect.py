"""Effects: ratio of level b to level a, with its exact confidence interval."""

from __future__ import annotations

from dataclasses import dataclass

from apps.stats import intervals


@dataclass(frozen=True, slots=True)
class Effect:
    """Ratio of b to a with its exact, closed interval.

    `ratio` is None if a level has no value or the ratio is infinite (a is zero, b is not). `low`
    and `high` are None if there are too few values or the end is infinite. `excludes_one` is True
    if the interval exists and 1 is outside, also for an infinite ratio.
    """

    ratio: float | None
    low: float | None
    high: float | None
    excludes_one: bool = False

    @property
    def width(self) -> float | None:
        """Return high over low minus 1; None if an end is missing."""
        return self.high / self.low - 1 if self.low and self.high else None


def effects(rows: intervals.Effects) -> list[Effect]:
    """Return the effects of a batch as a list."""
    columns = [
        [None if value != value else value for value in column.tolist()]
        for column in (rows.ratio, rows.low, rows.high)
    ]
    return list(map(Effect, *columns, rows.excludes_one.tolist()))
