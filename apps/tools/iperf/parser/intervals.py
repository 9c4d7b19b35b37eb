"""Intervals of streams in order, sums of parallel streams, and their series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.tools.parse_result import Series

from .text_rows import IntervalRow

MAX_GAPS = 100


def by_stream(rows: Sequence[IntervalRow]) -> dict[str, list[IntervalRow]]:
    """Return the rows of each stream, without iperf's sums."""
    streams: dict[str, list[IntervalRow]] = {}
    for row in rows:
        if not row.total:
            streams.setdefault(row.id, []).append(row)
    return streams


def parallel_sums(rows: Iterable[IntervalRow], streams: int) -> list[IntervalRow]:
    """Return the sums of parallel streams per interval.

    An interval with a missing stream is dropped.
    """
    by_start: dict[float, list[IntervalRow]] = {}
    for row in rows:
        by_start.setdefault(round(row.start, 1), []).append(row)
    return [_added(parallel) for parallel in by_start.values() if len(parallel) == streams]


def _added(rows: Sequence[IntervalRow]) -> IntervalRow:
    """Add the streams of one interval."""
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
    """Return the total of one stream's intervals: summed bytes, and the mean rate over time."""
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
    """Return bandwidth and, if known, retransmits, jitter and loss of each interval.

    A last interval shorter than half of the median one is dropped.
    """
    rows = [row for row in intervals if not row.omitted]
    if not rows:
        return ()
    interval = round(sorted(row.seconds for row in rows)[(len(rows) - 1) // 2], 6)
    rows = rows[:-1] if rows[-1].seconds < interval / 2 else rows
    if interval <= 0 or not rows:
        return ()
    cells = _in_time(rows, interval)
    lines: dict[str, list[float | None]] = {
        "bandwidth": [row.rate if row else None for row in cells],
        "retransmits": [row.retransmits if row else None for row in cells],
        "jitter": [row.jitter if row else None for row in cells],
        "loss": [_loss(row) if row else None for row in cells],
        "round_trip": [row.round_trip if row else None for row in cells],
        "congestion_window": [row.window if row else None for row in cells],
    }
    return tuple(
        Series(name, tuple(values), rows[0].start, interval)
        for name, values in lines.items()
        if any(value is not None for value in values)
    )


def _in_time(rows: Sequence[IntervalRow], interval: float) -> list[IntervalRow | None]:
    """Return the row of each interval since the first one, None for a gap.

    Rows with inconsistent times are returned in their order.
    """
    by_number = {round((row.start - rows[0].start) / interval): row for row in rows}
    last = max(by_number)
    if len(by_number) < len(rows) or min(by_number) < 0 or last > MAX_GAPS + 2 * len(rows):
        return list(rows)
    return [by_number.get(number) for number in range(last + 1)]


def _loss(row: IntervalRow) -> float | None:
    if row.lost is None or not row.datagrams:
        return None
    return 100 * row.lost / row.datagrams


def rate_of(rows: Sequence[IntervalRow]) -> float | None:
    """Return the bytes/s of parallel rows."""
    rates = [row.rate for row in rows if row.rate is not None]
    return sum(rates) if rates else None


def sum_of(rows: Sequence[IntervalRow], name: str) -> int | None:
    """Return the sum over the rows with a value; None without any."""
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) if known else None


def mean_of(rows: Sequence[IntervalRow], name: str) -> float | None:
    """Return the mean over the rows with a value; None without any."""
    known = [value for row in rows if (value := getattr(row, name)) is not None]
    return sum(known) / len(known) if known else None
