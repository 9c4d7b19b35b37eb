"""Reconstruction of figures that fio shortened in a result line.

fio prints four digits (lib/num2str.c): 12,569,263 bytes/s become "12.6MB/s". Until 3.25 it loses
the carry if the fraction rounds up to one: 11.99 MiB/s are printed as "11.0MiB/s", and 12,976
operations/s as "12.0k" (axboe/fio#1117). A line has the bandwidth in two units and as bytes and
time. The figures together show which of them lost the carry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from .units import AMOUNT, amount, base_of

# Maximum relative deviation of a recomputed rate from fio's rounded one; a larger deviation means
# an unexpected block size.
TOLERANCE = 0.03
_DIGITS = re.compile(r"(\d+)(?:\.(\d+))?")
_RATE = re.compile(rf"({AMOUNT})(?:/s)?")
_POWERS_OF_TWO = tuple(512 << step for step in range(22))
"""Usual block sizes in bytes."""


@dataclass(frozen=True)
class Interval:
    """Closed interval from `low` to `high`; `lost`: valid only if the carry was lost."""

    low: float
    high: float
    carry_lost: bool = False

    def contains(self, value: float) -> bool:
        """Return True if the value lies in the interval."""
        return self.low <= value <= self.high

    @property
    def midpoint(self) -> float:
        """Return the midpoint."""
        return (self.low + self.high) / 2

    def scaled(self, factor: float) -> Interval:
        """Return the interval with both ends multiplied."""
        return Interval(self.low * factor, self.high * factor, self.carry_lost)

    def intersection(self, other: Interval) -> Interval | None:
        """Return the intersection of both intervals."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else None


@dataclass(frozen=True)
class Printed:
    """Parsed figure, its possible values (`plain`), and those with a lost carry (`carried`)."""

    value: float
    plain: Interval
    carried: Interval | None = None

    @property
    def readings(self) -> tuple[Interval, ...]:
        """Return the possible intervals, the plain one first."""
        return (self.plain,) if self.carried is None else (self.plain, self.carried)

    def scaled(self, factor: float) -> Printed:
        """Return the figure in another unit."""
        carried = self.carried.scaled(factor) if self.carried else None
        return Printed(self.value * factor, self.plain.scaled(factor), carried)


def printed(text: str, base: int, old: bool = False) -> Printed:
    """Parse "12.0k" or "11.0MiB".

    `base`: 1024 for bytes in binary units, 1000 for counts and decimal units. `old`: printed before
    fio 3.0, where the fraction is arbitrary.
    """
    value = float(amount(text, base) or 0)
    digits = _DIGITS.search(text)
    if not digits:
        return Printed(value, Interval(value, value))
    unit = value / float(digits[0]) if float(digits[0]) else 1.0
    whole, fraction = int(digits[1]), digits[2] or ""
    if old and fraction:
        return Printed(value, Interval(whole * unit, (whole + 1) * unit))
    last = 10.0 ** -len(fraction)
    # Some versions truncate whole numbers, others round them.
    above = last / 2 if fraction else last
    plain = Interval(value - last / 2 * unit, value + above * unit)
    carry_lost = bool(fraction) and not fraction.strip("0")
    carried = (
        Interval((whole + 1 - last / 2) * unit, (whole + 1) * unit, True) if carry_lost else None
    )
    return Printed(value, plain, carried)


@dataclass(frozen=True)
class Line:
    """Figures of one direction's result line.

    `first`, `other`: the bandwidth, and the same in the unit in parentheses, if present; `seconds`:
    run time; `decimal`: the first unit is a power of 1000 (kb_base=1000).
    """

    iops: Printed
    first: Printed
    other: Printed | None
    transferred: Printed
    seconds: float
    decimal: bool = False

    @classmethod
    def read(cls, match: re.Match[str], old_base: int = 1024) -> Line:
        """Return the line of a match of one of the result patterns.

        `old_base`: base of "MB" before 3.0, which does not show kb_base=1000.
        """
        other = match.groupdict().get("other")
        old = other is None
        first, transferred = match["bandwidth"], match["transferred"]
        return cls(
            iops=printed(match["iops"], 1000, old),
            first=printed(first, old_base if old else base_of(first), old),
            other=_other(other) if other else None,
            transferred=printed(transferred, old_base if old else base_of(transferred), old),
            seconds=int(match["runtime"]) / 1000,
            decimal=not old and _has_prefix(first) and base_of(first) == 1000,
        )

    def bandwidth(self) -> float:
        """Return bytes/s as printed first, or from the other figures if its carry was lost."""
        figures = self._bandwidths()
        readings = _agreeing(figures)
        if readings is None or not readings[0].carry_lost:
            return self.first.value
        return _narrowest(figures, readings)

    def bytes_moved(self) -> float:
        """Return bytes as printed, or from bandwidth and time if their carry was lost."""
        figures = self._bandwidths()
        readings = _agreeing(figures)
        if readings is None or not self.seconds or not readings[-1].carry_lost:
            return self.transferred.value
        return _narrowest(figures, readings) * self.seconds

    def operations_per_second(self, operations: int, size: int | None) -> float:
        """Return the IOPS, exact from the operations if they fit the printed figure.

        `size`: bytes per operation, 0 if they differ, None if unknown.
        """
        exact = operations / self.seconds if operations and self.seconds else 0.0
        if close(exact, self.iops.value):
            return exact
        carried = self.iops.carried
        if carried is None:
            return self.iops.value
        if carried.contains(exact):
            return exact
        return self._by_size((size,) if size is not None else _POWERS_OF_TWO)

    def _by_size(self, sizes: Sequence[int]) -> float:
        """Return the interpretation of the IOPS that a block size explains, else as printed."""
        readings = _agreeing(self._bandwidths())
        allowed = _common(readings) if readings else None
        rates = [allowed.scaled(1 / size) for size in sizes if size] if allowed else []
        if any(rate.intersection(self.iops.plain) for rate in rates):
            return self.iops.value
        carried = [rate.intersection(self.iops.carried) for rate in rates if self.iops.carried]
        return next((span.midpoint for span in carried if span), self.iops.value)

    def _bandwidths(self) -> list[Printed]:
        """Return the line's bandwidths, that of its bytes and time last."""
        bandwidths = [self.first, *([self.other] if self.other else [])]
        return (
            [*bandwidths, self.transferred.scaled(1 / self.seconds)] if self.seconds else bandwidths
        )


def _has_prefix(text: str) -> bool:
    return any(letter in text for letter in "kKMGTP")


def _other(text: str) -> Printed | None:
    """Parse "12.6MB/s"; None for other text in the parentheses."""
    match = _RATE.fullmatch(text.strip())
    return printed(match[1], base_of(match[1])) if match else None


def close(exact: float, printed_value: float) -> bool:
    """Return True if fio may have rounded or truncated the recomputed figure to the printed one."""
    return exact > 0 and abs(exact - printed_value) <= max(1.0, TOLERANCE * exact)


def _agreeing(figures: Sequence[Printed]) -> tuple[Interval, ...] | None:
    """Return one consistent interval per figure, with as few lost carries as possible."""
    combinations = sorted(
        product(*(figure.readings for figure in figures)),
        key=lambda readings: sum(span.carry_lost for span in readings),
    )
    return next((readings for readings in combinations if _common(readings)), None)


def _common(spans: Sequence[Interval]) -> Interval | None:
    common: Interval | None = spans[0]
    for span in spans[1:]:
        common = common.intersection(span) if common else None
    return common


def _narrowest(figures: Sequence[Printed], readings: Sequence[Interval]) -> float:
    """Return the most precise figure with its carry; else the midpoint that all allow."""
    with_carry = [f for f, reading in zip(figures, readings, strict=True) if not reading.carry_lost]
    if with_carry:
        return min(with_carry, key=lambda f: (f.plain.high - f.plain.low) / (f.value or 1.0)).value
    common = _common(readings)
    return common.midpoint if common else figures[0].value
