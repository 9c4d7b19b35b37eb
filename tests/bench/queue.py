"""The forecast of a long queue, as after each change of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from statistics import median

from apps.bookings.schemas import Closure, Interval
from apps.runs.domain.closures import RunNeed
from apps.runs.domain.forecast import QueueItem, forecast
from tests.bench.figure import Figure, Options, timed

RUNS, HOSTS, BOOKINGS, USERS = 1000, 200, 200, 7
ROUNDS, LIMIT = 5, 1.0
NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
NEED = RunNeed(block=1350, case=900, median=3600, p90=5400)


def measure(options: Options) -> Iterator[Figure]:
    draw = random.Random(1)
    hosts = [f"host:{number}" for number in range(HOSTS)]
    items = [
        QueueItem(
            n, n % USERS, frozenset(draw.sample(hosts, draw.choice((1, 1, 1, 2, 4)))), NEED, False
        )
        for n in range(RUNS)
    ]
    closures = [_booking(n, draw.randrange(3000), draw.choice(hosts)) for n in range(BOOKINGS)]
    spent = median(timed(lambda: forecast(items, closures, NOW)) for _ in range(ROUNDS))
    yield Figure(f"forecast of {RUNS:,} runs on {HOSTS} hosts", spent, LIMIT)


def _booking(number: int, start: int, host: str) -> Closure:
    """Return a booking of four hours; `start`: in minutes from now."""
    start_at = NOW + timedelta(minutes=start)
    interval = Interval(start_at, start_at + timedelta(hours=4))
    users = frozenset({number % USERS})
    return Closure(number, interval, frozenset({host}), users, False, "somebody", "reason")
