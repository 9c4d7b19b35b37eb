"""The calendar of a week: days, hosts and their bars, in the user's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from apps.bookings.schemas import Interval
from apps.common.domain.preferences import in_zone, preferences, timestamp_text
from apps.inventory.models import Host
from apps.runs.domain.calendar import CalendarBar, calendar_bars, lanes_of
from apps.runs.selectors.calendar import MAX_HOSTS, calendar_entries, calendar_hosts

DAYS = 7
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2199, 12, 25)


@dataclass(frozen=True)
class ShownBar:
    """A bar with the address that it links to, and its times as text."""

    bar: CalendarBar
    url: str

    @property
    def times(self) -> str:
        interval = self.bar.entry.interval
        return f"{timestamp_text(interval.start)} – {timestamp_text(interval.end)}"


@dataclass(frozen=True)
class CalendarRow:
    """A host with its bars."""

    host: Host
    bars: list[ShownBar]
    lanes: int


@dataclass(frozen=True)
class CalendarDay:
    """A day and its share of the week in percent; days of a change of the clocks differ."""

    day: date
    left: float
    width: float
    is_today: bool


@dataclass(frozen=True)
class CalendarPage:
    """A week. `now`: share of the week that has passed in percent, None in other weeks."""

    first: date
    days: list[CalendarDay]
    rows: list[CalendarRow]
    now: float | None
    is_cut: bool

    @property
    def previous(self) -> date:
        return self.first - timedelta(days=DAYS)

    @property
    def following(self) -> date:
        return self.first + timedelta(days=DAYS)

    @property
    def last(self) -> date:
        return self.following - timedelta(days=1)


def first_day(text: str) -> date | None:
    """Return an ISO day, today without one; None for other text."""
    day = in_zone(timezone.now()).date()
    if text:
        try:
            day = date.fromisoformat(text)
        except ValueError:
            return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def calendar_page(first: date, name: str = "") -> CalendarPage:
    """Return a week from its first day on, of the hosts whose name contains a text."""
    starts = [_midnight(first + timedelta(days=number)) for number in range(DAYS + 1)]
    shown = Interval(starts[0], starts[-1])
    hosts = calendar_hosts(name)
    entries = calendar_entries(hosts, shown)
    now = timezone.now()
    return CalendarPage(
        first=first,
        days=[_day(first + timedelta(days=n), starts, n, now) for n in range(DAYS)],
        rows=[_row(host, calendar_bars(entries[host.pk], shown)) for host in hosts],
        now=_percent(now, shown) if shown.start <= now < shown.end else None,
        is_cut=len(hosts) == MAX_HOSTS,
    )


def _midnight(day: date) -> datetime:
    zone = ZoneInfo(preferences().time_zone)
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _percent(timestamp: datetime, shown: Interval) -> float:
    return 100.0 * ((timestamp - shown.start) / (shown.end - shown.start))


def _day(day: date, starts: list[datetime], number: int, now: datetime) -> CalendarDay:
    shown = Interval(starts[0], starts[-1])
    left = _percent(starts[number], shown)
    width = _percent(starts[number + 1], shown) - left
    return CalendarDay(day, left, width, day == in_zone(now).date())


def _row(host: Host, bars: list[CalendarBar]) -> CalendarRow:
    shown = [ShownBar(bar, _url(bar)) for bar in bars]
    return CalendarRow(host, shown, lanes_of(bars))


def _url(bar: CalendarBar) -> str:
    entry = bar.entry
    if entry.kind in ("running", "forecast"):
        return reverse("run_detail", args=[entry.key])
    return reverse("booking_list") + "?ended=on"
