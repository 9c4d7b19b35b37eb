"""Begin requested bookings whose turn has come, and extend bookings for which nobody waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.bookings.models import Booking, BookingRequest
from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import bookings_visible, closures_between, closures_of
from apps.bookings.selectors.requests import requests_visible
from apps.bookings.services.bookings import HAND_OUT, booking_extend
from apps.bookings.services.requests import request_begin, request_blocker_store, request_drop
from apps.common.database.locks import advisory_lock
from apps.runs.models import Run, RunState
from apps.runs.selectors.closure_reasons import HORIZON, conflicting
from apps.runs.selectors.host_holds import hold_blocker
from apps.runs.selectors.queue import giving_way_left_out
from apps.runs.selectors.queue_requests import (
    QueuedRequest,
    request_blocker,
    requests_queued,
    touching,
)

EXTEND_BEFORE = timedelta(minutes=10)
"""So long before its end a booking is extended."""
EXTEND_BY = timedelta(hours=1)


def requests_begin() -> list[int]:
    """Begin the requests whose turn has come; return the ids of their bookings.

    Bookings and runs are handed out under one lock, so a run and a booking never begin at once.
    """
    begun = []
    for pk in requests_visible().values_list("pk", flat=True):
        with transaction.atomic():
            advisory_lock(HAND_OUT)
            if (booking := _try_begin(pk)) is not None:
                begun.append(booking.pk)
    return begun


def _try_begin(pk: int) -> Booking | None:
    request = BookingRequest.objects.select_for_update(of=("self",)).filter(pk=pk).first()
    if request is None:  # cancelled meanwhile
        return None
    now = timezone.now()
    closures = closures_between(now, now + HORIZON)
    queued = requests_queued(now, closures)
    own = next((one for one in queued if one.pk == pk), None)
    blocker = _blocker(request, own, queued, closures, now)
    if own is not None and not own.waiting.resources:
        request_drop(request)
        return None
    if blocker or own is None:
        request_blocker_store(request, blocker)
        return None
    return request_begin(request, now)


def _blocker(
    request: BookingRequest,
    own: QueuedRequest | None,
    queued: list[QueuedRequest],
    closures: list[Closure],
    now: datetime,
) -> str:
    if own is None:  # a host on hold, or an account that may not book any more
        return hold_blocker({host.pk for host in request.hosts.all()})
    return request_blocker(own, queued, closures, now)


def bookings_extend() -> list[int]:
    """Extend the bookings that end soon and for which nobody waits; return their ids.

    Their length stays within the longest that is allowed, and they end before the next closure.
    """
    now = timezone.now()
    rows = Booking.objects.filter(
        extends=True, ended_at__isnull=True, ends_at__gt=now, ends_at__lte=now + EXTEND_BEFORE
    )
    extended = []
    for pk in rows.filter(owner__is_active=True).values_list("pk", flat=True):
        with transaction.atomic():
            advisory_lock(HAND_OUT)
            booking = bookings_visible().select_for_update(of=("self",)).get(pk=pk)
            end = _extended_end(booking, now)
            if end > booking.ends_at and not somebody_waits(booking, now):
                booking_extend(booking, end)
                extended.append(pk)
    return extended


def _extended_end(booking: Booking, now: datetime) -> datetime:
    longest = booking.starts_at + timedelta(days=settings.BENCHLAB_BOOKING_MAX_DAYS)
    end = min(booking.ends_at + EXTEND_BY, longest)
    if booking.ended_at is not None or booking.ends_at <= now or end <= booking.ends_at:
        return booking.ends_at
    own = closures_of([booking], booking.starts_at, booking.ends_at)
    resources = {name for one in own for name in one.resources}
    for other in touching(resources, closures_between(booking.ends_at, end)):
        if other.booking_id != booking.pk:
            end = min(end, other.interval.start)
    return end


def somebody_waits(booking: Booking, now: datetime) -> bool:
    """Return True if a run or a request of others waits for a resource of this booking.

    What waits for an approval or a host on hold does not count.
    """
    own = closures_of([booking], booking.starts_at, booking.ends_at)
    users = {user for one in own for user in one.owner_ids}
    resources = sorted({name for one in own for name in one.resources})
    runs = giving_way_left_out(Run.objects.filter(state=RunState.QUEUED))
    if conflicting(runs, resources).exclude(owner__in=users).exists():
        return True
    return any(
        one.waiting.resources & set(resources) and one.waiting.request.owner_id not in users
        for one in requests_queued(now, ())
    )
