"""Create, change and end bookings and maintenance windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.bookings.models import Booking
from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import closures_between, closures_of
from apps.bookings.selectors.limits import booked_shares, limit_faults
from apps.bookings.selectors.resources import names_within
from apps.common.database.locks import advisory_lock
from apps.common.domain.preferences import zones
from apps.common.errors import ServiceError
from apps.inventory.models import Host, Pool

HAND_OUT = "hand out hosts and disks"
"""The lock under which runs claim resources: a run and a booking never take one at once."""
MAX_MAINTENANCE = timedelta(days=365)
MAX_WEEKLY = timedelta(days=6)
MAX_AHEAD = timedelta(days=365)
MAX_ENTRIES = 200
MAX_REASON = 200
MAX_NAMED = 10
COPIED = (
    *("starts_at", "ends_at", "kind", "team", "weekly", "time_zone", "repeat_until", "extends"),
)
GRACE = timedelta(minutes=5)
"""A begin this long ago counts as now: the form was open meanwhile."""


@dataclass(frozen=True)
class BookingDraft:
    """The editable fields of a booking."""

    starts_at: datetime
    ends_at: datetime
    reason: str
    hosts: Sequence[Host] = ()
    pools: Sequence[Pool] = ()
    kind: str = Booking.Kind.BOOKING
    team: Team | None = None
    weekly: bool = False
    time_zone: str = "UTC"
    repeat_until: date | None = None
    extends: bool = False


@transaction.atomic
def booking_save(*, user: User, draft: BookingDraft, booking: Booking | None = None) -> Booking:
    """Create or change a booking; running cases of others are not ended.

    Raises:
        PermissionDenied: below operator; for a maintenance window below admin.
        ServiceError: (400) for invalid fields or more bookings than one person may have; (409) if
            another booking overlaps.
    """
    is_admin = Booking.Kind.MAINTENANCE in (draft.kind, booking.kind if booking else "")
    require_role(user, Role.ADMIN if is_admin else Role.OPERATOR)
    advisory_lock(HAND_OUT)
    now = timezone.now()
    if booking is None:
        row, action = Booking(owner=user), "create"
    else:
        row, action = lock_editable(booking, user), "change"
        if row.state_at(now) == "ended":
            raise ServiceError(_("This booking has ended. Create another one."))
    before = row.starts_at if booking else None
    if wrong := _faults(row, draft, user, now, before):
        raise ServiceError(" ".join(dict.fromkeys(wrong.values())), wrong, status=400)
    shares = booked_shares(row.owner_id, now)
    saved = _store(row, draft, user, action)
    is_limited = not (saved.is_maintenance or user.is_admin)
    if is_limited and (wrong := limit_faults(shares, booked_shares(saved.owner_id, now))):
        raise ServiceError(" ".join(wrong.values()), wrong, status=400)
    return saved


@transaction.atomic
def booking_end(*, booking: Booking, user: User) -> Booking:
    """End a booking now, or cancel one that has not begun.

    Raises:
        PermissionDenied: for users who may not change it.
        ServiceError: it has ended.
    """
    row = lock_editable(booking, user)
    now = timezone.now()
    if row.state_at(now) == "ended":
        raise ServiceError(_("This booking has ended already."))
    row.ended_at = now
    row.save(update_fields=["ended_at", "updated_at"])
    audit_record(user=user, action="end", subject=row, reason=row.reason)
    return row


def booking_draft(booking: Booking) -> BookingDraft:
    """Return a booking as a draft."""
    return BookingDraft(
        starts_at=booking.starts_at,
        ends_at=booking.ends_at,
        reason=booking.reason,
        hosts=tuple(booking.hosts.all()),
        pools=tuple(booking.pools.all()),
        kind=booking.kind,
        team=booking.team,
        weekly=booking.weekly,
        time_zone=booking.time_zone,
        repeat_until=booking.repeat_until,
        extends=booking.extends,
    )


def booking_extend(booking: Booking, end: datetime) -> None:
    """Move the end of a locked booking for which nobody waits."""
    booking.extended_from = booking.extended_from or booking.ends_at
    booking.ends_at = end
    booking.save(update_fields=["extended_from", "ends_at", "updated_at"])
    audit_record(user=None, action="extend", subject=booking, ends_at=_utc(end))


def _store(row: Booking, draft: BookingDraft, user: User, action: str) -> Booking:
    if row.ends_at != draft.ends_at:
        row.extended_from = None
    for name in COPIED:
        setattr(row, name, getattr(draft, name))
    row.reason = draft.reason.strip()
    row.save()
    row.hosts.set(draft.hosts)
    row.pools.set(draft.pools)
    _require_free(row)
    names = [*(host.name for host in draft.hosts), *map(str, draft.pools)]
    audit_record(
        user=user,
        action=action,
        subject=row,
        entries=names,
        starts_at=_utc(row.starts_at),
        ends_at=_utc(row.ends_at),
        reason=row.reason,
    )
    return row


def _require_free(row: Booking) -> None:
    """Require that no other booking closes a resource at the same time.

    Maintenance may overlap anything: it is announced, and bookings give way.
    """
    if row.is_maintenance:
        return
    own = closures_of([row], row.starts_at, row.ends_at)
    for other in closures_between(row.starts_at, row.ends_at):
        if other.booking_id != row.pk and any(_overlap(one, other) for one in own):
            raise ServiceError(_taken(other, names_within(row, other.resources)))


def _overlap(one: Closure, other: Closure) -> bool:
    together = one.interval.start < other.interval.end and other.interval.start < one.interval.end
    return together and bool(one.resources & other.resources)


def _taken(other: Closure, names: Sequence[str]) -> str:
    left = len(names) - MAX_NAMED
    what = ", ".join(names[:MAX_NAMED])
    values = {
        "what": _("%(names)s and %(count)d more") % {"names": what, "count": left}
        if left > 0
        else what,
        "who": other.holder,
        "start": _utc(other.interval.start),
        "end": _utc(other.interval.end),
        "reason": other.reason,
    }
    if other.is_maintenance:
        text = _(
            "Maintenance of %(what)s from %(start)s to %(end)s (%(reason)s). Choose another time."
        )
    else:
        text = _(
            "%(who)s has booked %(what)s from %(start)s to %(end)s (%(reason)s). Choose another "
            "time."
        )
    return text % values


def _utc(timestamp: datetime) -> str:
    return f"{timestamp.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _faults(
    row: Booking, draft: BookingDraft, user: User, now: datetime, before: datetime | None
) -> dict[str, str]:
    """Return the faults by field. `before`: the begin of a booking that is changed."""
    wrong = entry_faults(draft.hosts, draft.pools) | reason_faults(draft.reason)
    wrong |= _time_faults(draft, now, before) | _repeat_faults(draft)
    if draft.extends and draft.kind == Booking.Kind.MAINTENANCE:
        wrong["extends"] = _("Only a booking is extended. Choose a later end of the window.")
    if fault := team_fault(draft.team, user, row):
        wrong["team"] = fault
    return wrong


def reason_faults(reason: str) -> dict[str, str]:
    """Return the faults of a reason by field."""
    if not reason.strip():
        return {"reason": _("Enter a reason. It is shown to others whose runs wait.")}
    if len(reason) > MAX_REASON:
        return {"reason": _("At most %(count)d characters.") % {"count": MAX_REASON}}
    return {}


def entry_faults(hosts: Sequence[Host], pools: Sequence[Pool]) -> dict[str, str]:
    """Return the faults of what is booked by field."""
    if not hosts and not pools:
        return {"hosts": _("Choose at least one host or pool.")}
    if len(hosts) + len(pools) > MAX_ENTRIES:
        return {"hosts": _("At most %(count)d hosts and pools.") % {"count": MAX_ENTRIES}}
    for host in hosts:
        if not host.is_reachable_kind:
            text = _("%(name)s is only in the archive: no test runs on it.")
            return {"hosts": text % {"name": host.name}}
    return {}


def _time_faults(draft: BookingDraft, now: datetime, before: datetime | None) -> dict[str, str]:
    wrong = {}
    if draft.ends_at <= draft.starts_at:
        wrong["ends_at"] = _("The end is after the begin.")
    elif draft.ends_at - draft.starts_at > (limit := _max_length(draft)):
        text = ngettext("At most %(days)d day.", "At most %(days)d days.", limit.days)
        wrong["ends_at"] = text % {"days": limit.days}
    elif draft.ends_at <= now and not draft.weekly:
        wrong["ends_at"] = _("This time is over.")
    if draft.starts_at != before and draft.starts_at < now - GRACE:
        wrong["starts_at"] = _("The start is in the past.")
    elif draft.starts_at > now + MAX_AHEAD:
        wrong["starts_at"] = _("At most a year ahead.")
    return wrong


def _max_length(draft: BookingDraft) -> timedelta:
    if draft.weekly:
        return MAX_WEEKLY
    if draft.kind == Booking.Kind.MAINTENANCE:
        return MAX_MAINTENANCE
    return timedelta(days=settings.BENCHLAB_BOOKING_MAX_DAYS)


def _repeat_faults(draft: BookingDraft) -> dict[str, str]:
    wrong = {}
    if draft.time_zone not in zones():
        wrong["time_zone"] = _("There is no such time zone.")
    if draft.weekly and draft.kind != Booking.Kind.MAINTENANCE:
        wrong["weekly"] = _("Only a maintenance window repeats each week.")
    if draft.repeat_until is None:
        return wrong
    if not draft.weekly:
        wrong["repeat_until"] = _("Only a weekly window has a last day.")
    elif not wrong and draft.repeat_until < _local_day(draft):
        wrong["repeat_until"] = _("The last day is after the begin.")
    return wrong


def _local_day(draft: BookingDraft) -> date:
    return draft.starts_at.astimezone(ZoneInfo(draft.time_zone)).date()
