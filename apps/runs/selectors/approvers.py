"""Who may approve a run: a disk owner without a part in it, as the audit record shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db.models import Max
from django.utils.translation import gettext as _

from apps.accounts.models import AuditEntry, User
from apps.runs.models import Run, RunApproval

COPY_OF = "copy_of"
"""Key in the detail of an audited creation: the id of the row that was copied."""
HARMLESS = (
    *("approve", "refuse approval", "attempt approval"),
    *("annotate", "tag", "prioritise", "cancel"),
)
"""Audited actions that change nothing of what a run does, and do not start it."""


def approver_fault(run: Run, user: User) -> str:
    """Return why a user may not approve a run; empty for a disk owner without a part in it.

    Whoever launched or continued the run, or changed its plan, a tuning profile, a group or a pool
    since the last approval, approves no own work. Changes of an original count until the copy.
    """
    if not user.is_disk_owner:
        return _("Only a disk owner may approve a run.")
    if user.pk in (run.owner_id, run.wipe_confirmed_by_id) or took_part(run, user):
        return _("You launched or changed this run. Somebody else approves it.")
    since = _approved_since(run)
    tunings = [row.tuning_id for row in run.tunings.all() if row.tuning_id]
    plans = [run.plan_id] if run.plan_id else []
    if _changed(user, "testplan", plans, since) or _changed(user, "tuningprofile", tunings, since):
        return _("You changed the plan or a tuning profile. Somebody else approves it.")
    targets = [row.target_id for row in run.targets.all() if row.target_id]
    if any(_changed(user, kind, targets, since) for kind in ("targetgroup", "pool")):
        return _("You changed a group or a pool of this run. Somebody else approves it.")
    return ""


def took_part(run: Run, user: User) -> bool:
    """Return True if the user launched, retried or extended the run."""
    return _acted(user, "run", run.pk)


def _approved_since(run: Run) -> datetime | None:
    """Return the moment from which changes of the plan are not approved yet; None without one.

    An approval of another run covers the plan as that run was launched with it, whenever the
    decision was made.
    """
    approved = RunApproval.objects.filter(state=RunApproval.State.APPROVED)
    own = approved.filter(run=run).order_by("-decided_at").first()
    if own is not None:
        return own.decided_at
    if run.plan_id is None:
        return None
    earlier = approved.filter(run__plan=run.plan_id, run__lt=run.pk)
    last: datetime | None = earlier.aggregate(last=Max("run__queued_at"))["last"]
    return last


def _changed(user: User, kind: str, keys: Iterable[int], since: datetime | None) -> bool:
    """Return True if the user changed one of these rows, or before a copy what was copied."""
    return any(
        _acted(user, kind, origin, since, until)
        for key in keys
        for origin, until in _origins(kind, key)
    )


def _origins(kind: str, key: int) -> Iterator[tuple[int, datetime | None]]:
    """Yield the row, then what it is a copy of, each with the time of the copy."""
    until: datetime | None = None
    while True:
        yield key, until
        created = AuditEntry.objects.filter(
            action="create", object_type=kind, object_id=str(key), detail__has_key=COPY_OF
        ).first()
        if created is None:
            return
        key, until = int(created.detail[COPY_OF]), created.timestamp


def _acted(
    user: User,
    kind: str,
    key: int,
    since: datetime | None = None,
    until: datetime | None = None,
) -> bool:
    """Return True if the audit record has an action of the user on a row in this time."""
    rows = AuditEntry.objects.filter(user=user, object_type=kind, object_id=str(key))
    rows = rows.exclude(action__in=HARMLESS)
    if since is not None:
        rows = rows.filter(timestamp__gt=since)
    if until is not None:
        rows = rows.filter(timestamp__lte=until)
    return rows.exists()
