"""Bookings, running runs and forecasts of hosts within some days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils import timezone

from apps.bookings.domain.occurrences import occurrences
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.schemas import Interval
from apps.bookings.selectors.bookings import bookings_visible
from apps.bookings.selectors.requests import requests_visible
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import hosts_reachable
from apps.runs.domain.calendar import CalendarEntry
from apps.runs.domain.forecast import Segment, simulate
from apps.runs.models import Run, RunState, RunTargetMember
from apps.runs.selectors.forecasts import closures_ahead, queue_items

MAX_HOSTS = 100


def calendar_hosts(name: str = "") -> list[Host]:
    """Return the hosts whose name contains a text, by name."""
    rows = hosts_reachable().order_by("name")
    return list((rows.filter(name__icontains=name) if name else rows)[:MAX_HOSTS])


def calendar_entries(hosts: Sequence[Host], shown: Interval) -> dict[int, list[CalendarEntry]]:
    """Return the entries of each host that overlap a time."""
    result: dict[int, list[CalendarEntry]] = {host.pk: [] for host in hosts}
    rows = bookings_visible().filter(starts_at__lt=shown.end)
    for booking in rows.exclude(weekly=False, ends_at__lte=shown.start):
        entries = _of_booking(booking, shown)
        for host in booked_hosts(booking) & result.keys():
            result[host] += entries
    for host, entry in _of_runs(timezone.now(), shown.end):
        if host in result:
            result[host].append(entry)
    return result


def booked_hosts(booking: Booking | BookingRequest) -> set[int]:
    """Return the hosts of a booking or request; of a pool that it names the first client."""
    hosts = {host.pk for host in booking.hosts.all()}
    return hosts | {pool.host_id for pool in booking.pools.all()}


def _of_booking(booking: Booking, shown: Interval) -> list[CalendarEntry]:
    kind = str(booking.kind)
    who = booking.team.name if booking.team else booking.owner.username
    label = booking.reason if booking.is_maintenance else f"{who}: {booking.reason}"
    return [
        CalendarEntry(kind, booking.pk, interval, label)
        for interval in occurrences(booking.window, shown.start, shown.end)
    ]


def _of_runs(now: datetime, before: datetime) -> Iterable[tuple[int, CalendarEntry]]:
    """Yield the present and forecast times of runs by host."""
    if before <= now:
        return
    closures = closures_ahead(now)
    segments = simulate(queue_items(now, closures, also_running=True), closures, now)
    yield from _of_requests({-pk: rows for pk, rows in segments.items() if pk < 0})
    runs = Run.objects.only("name", "state", "started_at").in_bulk(segments)
    hosts = _hosts_of(list(runs))
    for pk, run in runs.items():
        is_running = run.state == RunState.RUNNING
        for number, segment in enumerate(segments[pk]):
            begun = is_running and number == 0
            start = run.started_at if begun and run.started_at else segment.interval.start
            kind = "running" if begun else "forecast"
            entry = CalendarEntry(kind, pk, Interval(start, segment.interval.end), str(run))
            yield from ((host, entry) for host in hosts[pk])


def _of_requests(
    segments: Mapping[int, Sequence[Segment]],
) -> Iterable[tuple[int, CalendarEntry]]:
    """Yield the expected times of requested bookings by host."""
    for request in requests_visible().filter(pk__in=segments):
        who = request.team.name if request.team else request.owner.username
        for segment in segments[request.pk]:
            label = f"{who}: {request.reason}"
            entry = CalendarEntry("requested", request.pk, segment.interval, label)
            yield from ((host, entry) for host in booked_hosts(request))


def _hosts_of(runs: Sequence[int]) -> Mapping[int, set[int]]:
    result: dict[int, set[int]] = defaultdict(set)
    rows = RunTargetMember.objects.filter(run_target__run__in=runs).order_by()
    for run, host in rows.values_list("run_target__run_id", "host_id").distinct():
        result[run].add(host)
    return result
