"""Figures of a result line before fio shortened them.

fio keeps four digits (lib/num2str.c): 12,569,263 bytes/s become "12.6MB/s". Until 3.25 it loses the
carry where the cut fraction rounds up to one: 11.99 MiB/s are printed as "11.0MiB/s" and 12,976
operations/s as "12.0k" (axboe/fio#1117). Bandwidth stands in the line in both units and once more
as bytes and time, so that the figures together tell which of them lost its carry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from .units import AMOUNT, amount, base_of

# How far a recomputed rate may be from fio's rounded one: more means the block size is not what it
# seems.
TOLERANCE = 0.03
_DIGITS = re.compile(r"(\d+)(?:\.(\d+))?")
_RATE = re.compile(rf"({AMOUNT})(?:/s)?")
_POWERS_OF_TWO = tuple(512 << step for step in range(22))
"""Block sizes in bytes that people use."""


@dataclass(frozen=True)
class Span:
    """From `low` to `high`, both included. `lost`: true only if the carry was lost."""

    low: float
    high: float
    lost: bool = False

    def holds(self, value: float) -> bool:
        """Whether the value lies in it."""
        return self.low <= value <= self.high

    @property
    def middle(self) -> float:
        """Halfway."""
        return (self.low + self.high) / 2

    def scaled(self, factor: float) -> Span:
        """Both ends multiplied."""
        return Span(self.low * factor, self.high * factor, self.lost)

    def within(self, other: Span) -> Span | None:
        """The span that both have in common."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Span(low, high) if low <= high else None


@dataclass(frozen=True)
class Printed:
    """A figure as it was read, what it can have been (`plain`), and what it can have been if its
    carry was lost.
    """

    value: float
    plain: Span
    carried: Span | None = None

    @property
    def readings(self) -> tuple[Span, ...]:
        """Plain first."""
        return (self.plain,) if self.carried is None else (self.plain, self.carried)

    def scaled(self, factor: float) -> Printed:
        """The same figure in another unit."""
        carried = self.carried.scaled(factor) if self.carried else None
        return Printed(self.value * factor, self.plain.scaled(factor), carried)


def printed(text: str, base: int, old: bool = False) -> Printed:
    """Read "12.0k" or "11.0MiB". `base`: 1024 for bytes in binary units, 1000 for counts and
    decimal ones. `old`: printed before fio 3.0, where a fraction may be anything.
    """
    value = float(amount(text, base) or 0)
    digits = _DIGITS.search(text)
    if not digits:
        return Printed(value, Span(value, value))
    unit = value / float(digits[0]) if float(digits[0]) else 1.0
    whole, fraction = int(digits[1]), digits[2] or ""
    if old and fraction:
        return Printed(value, Span(whole * unit, (whole + 1) * unit))
    last = 10.0 ** -len(fraction)
    # Whole numbers are cut in some versions and rounded in others.
    above = last / 2 if fraction else last
    plain = Span(value - last / 2 * unit, value + above * unit)
    lost = bool(fraction) and not fraction.strip("0")
    carried = Span((whole + 1 - last / 2) * unit, (whole + 1) * unit, True) if lost else None
    return Printed(value, plain, carried)


@dataclass(frozen=True)
class Line:
    """The figures of one direction's result line. `first`, `other`: the bandwidth, and
    the same in the unit in parentheses, where there is one; `seconds`: the run time; `decimal`: the
    first unit is a power of 1000 (kb_base=1000).
    """

    iops: Printed
    first: Printed
    other: Printed | None
    transferred: Printed
    seconds: float
    decimal: bool = False

    @classmethod
    def read(cls, match: re.Match[str], old_base: int = 1024) -> Line:
        """From a match of one of the result lines of `patterns.py`. `old_base`: that of "MB" before
        3.0, which does not tell kb_base=1000.
        """
        other = match.groupdict().get("other")
        old = other is None
        first, moved = match["bandwidth"], match["transferred"]
        return cls(
            iops=printed(match["iops"], 1000, old),
            first=printed(first, old_base if old else base_of(first), old),
            other=_other(other) if other else None,
            transferred=printed(moved, old_base if old else base_of(moved), old),
            seconds=int(match["runtime"]) / 1000,
            decimal=not old and _has_prefix(first) and base_of(first) == 1000,
        )

    def bandwidth(self) -> float:
        """Bytes/s as printed first, or, where that lost its carry, as the others say."""
        figures = self._bandwidths()
        readings = _agreeing(figures)
        if readings is None or not readings[0].lost:
            return self.first.value
        return _narrowest(figures, readings)

    def bytes_moved(self) -> float:
        """Bytes as printed, or, where those lost their carry, as bandwidth and time say."""
        figures = self._bandwidths()
        readings = _agreeing(figures)
        if readings is None or not self.seconds or not readings[-1].lost:
            return self.transferred.value
        return _narrowest(figures, readings) * self.seconds

    def operations_a_second(self, operations: int, size: int | None) -> float:
        """IOPS, exact from the operations if those fit what was printed. `size`: bytes per
        operation, 0 where they differ, None where nothing says.
        """
        exact = operations / self.seconds if operations and self.seconds else 0.0
        if close(exact, self.iops.value):
            return exact
        carried = self.iops.carried
        if carried is None:
            return self.iops.value
        if carried.holds(exact):
            return exact
        return self._by_size((size,) if size is not None else _POWERS_OF_TWO)

    def _by_size(self, sizes: Sequence[int]) -> float:
        """The reading of the IOPS that a block size explains, of two; the printed one if none."""
        readings = _agreeing(self._bandwidths())
        allowed = _common(readings) if readings else None
        rates = [allowed.scaled(1 / size) for size in sizes if size] if allowed else []
        if any(rate.within(self.iops.plain) for rate in rates):
            return self.iops.value
        carried = [rate.within(self.iops.carried) for rate in rates if self.iops.carried]
        return next((span.middle for span in carried if span), self.iops.value)

    def _bandwidths(self) -> list[Printed]:
        """The line's bandwidths, that of its bytes and time last."""
        said = [self.first, *([self.other] if self.other else [])]
        return [*said, self.transferred.scaled(1 / self.seconds)] if self.seconds else said


def _has_prefix(text: str) -> bool:
    return any(letter in text for letter in "kKMGTP")


def _other(text: str) -> Printed | None:
    """From "12.6MB/s"; None for what people put into the parentheses themselves."""
    match = _RATE.fullmatch(text.strip())
    return printed(match[1], base_of(match[1])) if match else None


def close(exact: float, shown: float) -> bool:
    """Whether a recomputed figure is what fio rounded (it cuts small counts to whole numbers)."""
    return exact > 0 and abs(exact - shown) <= max(1.0, TOLERANCE * exact)


def _agreeing(figures: Sequence[Printed]) -> tuple[Span, ...] | None:
    """The readings, one a figure, that can all be true, with as few lost carries as possible."""
    every = sorted(
        product(*(figure.readings for figure in figures)),
        key=lambda readings: sum(span.lost for span in readings),
    )
    return next((readings for readings in every if _common(readings)), None)


def _common(spans: Sequence[Span]) -> Span | None:
    common: Span | None = spans[0]
    for span in spans[1:]:
        common = common.within(span) if common else None
    return common


def _narrowest(figures: Sequence[Printed], readings: Sequence[Span]) -> float:
    """The most precise of the figures that are as they were printed; else what all allow."""
    true = [f for f, reading in zip(figures, readings, strict=True) if not reading.lost]
    if true:
        return min(true, key=lambda f: (f.plain.high - f.plain.low) / (f.value or 1.0)).value
    common = _common(readings)
    return common.middle if common else figures[0].value
