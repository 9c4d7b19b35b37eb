"""Whether the next block of a run ends before hosts or pools that it uses are closed to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.bookings.domain.occurrences import earliest_start
from apps.bookings.schemas import Closure

# A block that fits nowhere within this time gives way to its cases, one by one.
MAX_BLOCK_WAIT = timedelta(days=7)
# A run passes an older one only if so much of its time fits before that one can start.
BACKFILL_MARGIN = 1.5


@dataclass(frozen=True)
class RunNeed:
    """Time that a run still needs on its hosts, in seconds.

    `block`: 90th percentile of its next random block; `case`: that of the longest case in it.
    `median`, `p90`: percentiles of all that is left.
    """

    block: float = 0.0
    case: float = 0.0
    median: float = 0.0
    p90: float = 0.0


@dataclass(frozen=True)
class Hold:
    """The closure that a run waits for, and the first time at which its next block fits."""

    closure: Closure
    until: datetime


def closed_to(
    user_id: int, resources: Collection[str], closures: Iterable[Closure]
) -> list[Closure]:
    """Return the closures that keep runs of this user off these resources, by begin."""
    names = frozenset(resources)
    rows = (one for one in closures if not one.is_open_to(user_id) and one.resources & names)
    return sorted(rows, key=lambda one: (one.interval, one.booking_id))


def hold_of(need: RunNeed, closed: Iterable[Closure], now: datetime) -> Hold | None:
    """Return what a run waits for, or None if its next block ends before the next closure begins.

    `closed`: as `closed_to` returns.
    """
    ahead = [one for one in closed if one.interval.end > now]
    intervals = [one.interval for one in ahead]
    until = earliest_start(now, timedelta(seconds=need.block), intervals)
    if until - now > MAX_BLOCK_WAIT:
        until = earliest_start(now, timedelta(seconds=need.case), intervals)
    return Hold(ahead[0], until) if until > now else None


def may_backfill(need: RunNeed, hold: Hold, now: datetime) -> bool:
    """Return True if a run ends well before an older one, held by a closure, can start."""
    return now + timedelta(seconds=need.p90 * BACKFILL_MARGIN) <= hold.until


def may_use_own_booking(need: RunNeed, hold: Hold, user_id: int, now: datetime) -> bool:
    """Return True if an older run is held by a booking that is open to this user now."""
    closure = hold.closure
    is_now = closure.interval.start <= now < closure.interval.end
    fits = now + timedelta(seconds=need.case) <= closure.interval.end
    return closure.is_open_to(user_id) and is_now and fits
