"""Rows in time: intervals of a stream one after another, of parallel streams side by side, and as
series.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.tools.parse_result import Series

from .text_rows import IntervalRow

MOST_GAPS = 100


def by_stream(rows: Sequence[IntervalRow]) -> dict[str, list[IntervalRow]]:
    """The rows of each stream, without iperf's own sums."""
    found: dict[str, list[IntervalRow]] = {}
    for row in rows:
        if not row.total:
            found.setdefault(row.id, []).append(row)
    return found


def abreast(rows: Iterable[IntervalRow], streams: int) -> list[IntervalRow]:
    """Intervals of parallel streams as their sums; an interval that a stream lacks is left out."""
    places: dict[float, list[IntervalRow]] = {}
    for row in rows:
        places.setdefault(round(row.start, 1), []).append(row)
    return [_added(found) for found in places.values() if len(found) == streams]


def _added(rows: Sequence[IntervalRow]) -> IntervalRow:
    """Streams in the same interval as one."""
    return IntervalRow(
        id="SUM",
        start=rows[0].start,
        end=rows[0].end,
        bytes=sum(row.bytes for row in rows),
        rate=rate_of(rows),
        omitted=any(row.omitted for row in rows),
        retransmits=sum_of(rows, "retransmits"),
        jitter=mean_of(rows, "jitter"),
        lost=sum_of(rows, "lost"),
        datagrams=sum_of(rows, "datagrams"),
        round_trip=mean_of(rows, "round_trip"),
        window=mean_of(rows, "window"),
    )


def joined(rows: Sequence[IntervalRow]) -> IntervalRow:
    """Intervals of one stream as if they were its total: bytes add up, the rate is their mean over
    time.
    """
    counted = [row for row in rows if not row.omitted] or list(rows)
    seconds = sum(row.seconds for row in counted)
    moved = sum((row.rate or 0.0) * row.seconds for row in counted)
    last = counted[-1]
    return IntervalRow(
        id=last.id,
        start=counted[0].start,
        end=counted[0].start + seconds,
        bytes=sum(row.bytes for row in counted),
        rate=moved / seconds if seconds else None,
        role=last.role,
        retransmits=sum_of(counted, "retransmits"),
        jitter=last.jitter,
        lost=sum_of(counted, "lost"),
        datagrams=sum_of(counted, "datagrams"),
    )


def series(intervals: Sequence[IntervalRow]) -> tuple[Series, ...]:
    """Bandwidth and, where known, retransmits, jitter and loss of each interval, at its time.

    A last interval shorter than half of the usual one is a remainder and left out.
    """
    rows = [row for row in intervals if not row.omitted]
    if not rows:
        return ()
    usual = round(sorted(row.seconds for row in rows)[(len(rows) - 1) // 2], 6)
    rows = rows[:-1] if rows[-1].seconds < usual / 2 else rows
    if usual <= 0 or not rows:
        return ()
    cells = _in_time(rows, usual)
    lines: dict[str, list[float | None]] = {
        "bandwidth": [row.rate if row else None for row in cells],
        "retransmits": [row.retransmits if row else None for row in cells],
        "jitter": [row.jitter if row else None for row in cells],
        "loss": [_loss(row) if row else None for row in cells],
        "round_trip": [row.round_trip if row else None for row in cells],
        "congestion_window": [row.window if row else None for row in cells],
    }
    return tuple(
        Series(name, tuple(values), rows[0].start, usual)
        for name, values in lines.items()
        if any(value is not None for value in values)
    )


def _in_time(rows: Sequence[IntervalRow], usual: float) -> list[IntervalRow | None]:
    """The row of each interval since the first one, None where there is none: what comes after a
    gap must not move up. Times that are no times are taken as following each other.
    """
    places = {round((row.start - rows[0].start) / usual): row for row in rows}
    last = max(places)
    if len(places) < len(rows) or min(places) < 0 or last > MOST_GAPS + 2 * len(rows):
        return list(rows)
    return [places.get(number) for number in range(last + 1)]


def _loss(row: IntervalRow) -> float | None:
    if row.lost is None or not row.datagrams:
        return None
    return 100 * row.lost / row.datagrams


def rate_of(rows: Sequence[IntervalRow]) -> float | None:
    """Bytes per second of parallel rows."""
    rates = [row.rate for row in rows if row.rate is not None]
    return sum(rates) if rates else None


def sum_of(rows: Sequence[IntervalRow], name: str) -> int | None:
    """The sum over the rows that know it; None where none does."""
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) if known else None


def mean_of(rows: Sequence[IntervalRow], name: str) -> float | None:
    """The mean over the rows that know it; None where none does."""
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) / len(known) if known else None
