"""Read requests of bookings that wait in the queue."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet

from apps.accounts.models import Role
from apps.bookings.models import BookingRequest
from apps.bookings.selectors.resources import closed_resources

HOUR = 3600.0


@dataclass(frozen=True)
class WaitingRequest:
    """A request with its resources. `steps`: levels that it gained by waiting."""

    request: BookingRequest
    resources: frozenset[str]
    steps: int


def requests_visible() -> QuerySet[BookingRequest]:
    """Return all requests with their owner, team, hosts and pools, the oldest first."""
    rows = BookingRequest.objects.select_related("owner", "team").order_by("pk")
    return rows.prefetch_related("hosts", "pools__host__cluster", "pools__cluster")


def requests_waiting(now: datetime) -> list[WaitingRequest]:
    """Return the requests that may become bookings, the oldest first.

    A request of a disabled account waits for nothing, nor does one of an account that may not book.
    One for a host on hold gives way, as its release may take long.
    """
    allowed = [role for role in Role.values if role != Role.VIEWER]
    rows = requests_visible().filter(owner__is_active=True, owner__role__in=allowed)
    free = [row for row in rows if all(host.held_since is None for host in row.hosts.all())]
    resources = closed_resources(free)
    step = settings.BENCHLAB_QUEUE_AGING_HOURS * HOUR
    return [
        WaitingRequest(
            row,
            resources[row.pk],
            int(max(0.0, (now - row.waiting_since).total_seconds()) // step),
        )
        for row in free
    ]


def request_users(request: BookingRequest) -> frozenset[int]:
    """Return the users for whom the booking of a request will be."""
    members = request.team.members.values_list("pk", flat=True) if request.team else ()
    return frozenset({request.owner_id, *members})
