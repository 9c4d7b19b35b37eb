"""Request hosts and pools as soon as they are free; a request becomes a booking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.selectors.limits import booked_shares, limit_faults
from apps.bookings.services.bookings import HAND_OUT, entry_faults, reason_faults
from apps.common.database.locks import advisory_lock
from apps.common.errors import ServiceError
from apps.inventory.models import Host, Pool
from apps.tools.messages import TranslatableMessage

DAY_HOURS = 24


@dataclass(frozen=True)
class RequestDraft:
    """Fields of a request. `hours`: length of the booking."""

    hours: int
    reason: str
    hosts: Sequence[Host] = ()
    pools: Sequence[Pool] = ()
    team: Team | None = None


@transaction.atomic
def request_create(*, user: User, draft: RequestDraft) -> BookingRequest:
    """Queue a request; it becomes a booking when its turn has come and all of it is free.

    Raises:
        PermissionDenied: below operator.
        ServiceError: (400) for invalid fields or more than one person may have.
    """
    require_role(user, Role.OPERATOR)
    advisory_lock(HAND_OUT)
    if wrong := _faults(draft, user):
        raise ServiceError(" ".join(dict.fromkeys(wrong.values())), wrong, status=400)
    now = timezone.now()
    shares = booked_shares(user.pk, now)
    row = BookingRequest.objects.create(
        owner=user,
        team=draft.team,
        hours=draft.hours,
        reason=draft.reason.strip(),
        waiting_since=now,
    )
    row.hosts.set(draft.hosts)
    row.pools.set(draft.pools)
    wrong = {} if user.is_admin else limit_faults(shares, booked_shares(user.pk, now))
    if wrong:
        wrong = {"hours" if name == "ends_at" else name: text for name, text in wrong.items()}
        raise ServiceError(" ".join(wrong.values()), wrong, status=400)
    audit_record(
        user=user,
        action="request",
        subject=row,
        entries=_names(row),
        hours=row.hours,
        reason=row.reason,
    )
    return row


@transaction.atomic
def request_cancel(*, request: BookingRequest, user: User) -> None:
    """Delete a request that waits. Raises: PermissionDenied; DoesNotExist if it has begun."""
    row = lock_editable(request, user)
    audit_record(user=user, action="cancel", subject=row, entries=_names(row), reason=row.reason)
    row.delete()


def request_drop(request: BookingRequest) -> None:
    """Delete a locked request of which nothing is left, as its pools were deleted."""
    audit_record(user=None, action="cancel", subject=request, reason=request.reason)
    request.delete()


def request_begin(request: BookingRequest, now: datetime) -> Booking:
    """Make a locked request, whose resources are free, a booking that begins now."""
    booking = Booking.objects.create(
        owner=request.owner,
        team=request.team,
        reason=request.reason,
        starts_at=now,
        ends_at=now + request.length,
        was_requested=True,
    )
    booking.hosts.set(request.hosts.all())
    booking.pools.set(request.pools.all())
    audit_record(
        user=None,
        action="begin",
        subject=booking,
        entries=_names(request),
        request=request.pk,
        owner=request.owner.username,
    )
    request.delete()
    return booking


def request_blocker_store(request: BookingRequest, blocker: str | TranslatableMessage) -> None:
    """Store why a request waits."""
    rows = BookingRequest.objects.filter(pk=request.pk).exclude(blocker=blocker)
    rows.update(blocker=blocker, updated_at=timezone.now())


def _faults(draft: RequestDraft, user: User) -> dict[str, str]:
    wrong = entry_faults(draft.hosts, draft.pools) | reason_faults(draft.reason)
    most = settings.BENCHLAB_BOOKING_MAX_DAYS * DAY_HOURS
    if not 1 <= draft.hours <= most:
        text = ngettext("From 1 to %(hours)d hour.", "From 1 to %(hours)d hours.", most)
        wrong["hours"] = text % {"hours": most}
    if fault := team_fault(draft.team, user):
        wrong["team"] = fault
    return wrong


def _names(row: BookingRequest) -> list[str]:
    return [*(host.name for host in row.hosts.all()), *map(str, row.pools.all())]
