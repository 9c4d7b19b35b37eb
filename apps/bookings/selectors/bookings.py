"""Read bookings, and the closures that they are for runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.bookings.domain.occurrences import WEEK, occurrences
from apps.bookings.models import Booking
from apps.bookings.schemas import Closure, Interval
from apps.bookings.selectors.resources import closed_resources


def bookings_visible() -> QuerySet[Booking]:
    """Return all bookings with their owner, team, hosts and pools."""
    rows = Booking.objects.select_related("owner", "team")
    return rows.prefetch_related("hosts", "pools__host__cluster", "pools__cluster")


def unended(now: datetime) -> Q:
    """Return the filter of bookings that may still close something."""
    is_open = Q(ended_at__isnull=True) | Q(ended_at__gt=now)
    # A window may last six days after its last begin.
    goes_on = Q(repeat_until__isnull=True) | Q(repeat_until__gte=(now - WEEK).date())
    return is_open & (Q(ends_at__gt=now) | Q(weekly=True) & goes_on)


def bookings_of_host(host_id: int) -> list[Booking]:
    """Return the present and later bookings of a host, by their begin."""
    now = timezone.now()
    rows = bookings_visible().filter(unended(now), hosts=host_id).order_by("starts_at")
    return [row for row in rows if row.state_at(now) != "ended"]


def closures_between(after: datetime, before: datetime) -> list[Closure]:
    """Return the closures that overlap the time between two timestamps, by begin."""
    rows = list(bookings_visible().filter(unended(after), starts_at__lt=before))
    return closures_of(rows, after, before)


def closures_of(rows: list[Booking], after: datetime, before: datetime) -> list[Closure]:
    """Return the closures of these bookings in a time, by begin."""
    resources, users = closed_resources(rows), _users(rows)
    result = [
        _closure(row, one, resources[row.pk], users[row.pk])
        for row in rows
        for one in occurrences(row.window, after, before)
    ]
    return sorted(result, key=lambda closure: (closure.interval, closure.booking_id))


def _closure(
    row: Booking, interval: Interval, resources: frozenset[str], users: frozenset[int]
) -> Closure:
    return Closure(
        row.pk,
        interval,
        resources,
        users,
        row.is_maintenance,
        row.team.name if row.team and not row.is_maintenance else row.owner.username,
        row.reason,
    )


def _users(rows: Iterable[Booking]) -> Mapping[int, frozenset[int]]:
    """Return the users for whom each booking is; nobody for maintenance."""
    teams = {row.team_id for row in rows if row.team_id and not row.is_maintenance}
    members: dict[int, set[int]] = {}
    if teams:
        links = User.teams.through.objects.filter(team_id__in=teams)
        for team, user in links.values_list("team_id", "user_id"):
            members.setdefault(team, set()).add(user)
    return {
        row.pk: frozenset()
        if row.is_maintenance
        else frozenset({row.owner_id} | members.get(row.team_id or 0, set()))
        for row in rows
    }
