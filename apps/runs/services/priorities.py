"""Priorities of runs in the queue."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.domain.messages import label
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.runs.models import Priority, Run, RunEvent
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message


def require_priority(user: User, priority: int) -> None:
    """Require that the user may give a run this priority.

    Raises:
        ServiceError: (403) for a high priority below admin; (400) for an unknown one.
    """
    if priority not in Priority.values:
        words = _("There is no such priority.")
        raise ServiceError(words, {"priority": words}, status=400)
    if not _may_give(user, priority):
        raise ServiceError(_("Only an admin may give a run a high priority."), status=403)


def _may_give(user: User, priority: int) -> bool:
    return priority != Priority.HIGH or user.is_admin


def priority_again(user: User, priority: int) -> Priority:
    """Return the priority of a run that the user queues again: normal if it may not stay high."""
    return Priority(priority) if _may_give(user, priority) else Priority.NORMAL


@transaction.atomic
def run_prioritise(*, run: Run, user: User, priority: int) -> Run:
    """Set the priority of a run that has not ended; it counts while the run waits.

    Raises:
        PermissionDenied: for users who may not edit the run.
        ServiceError: for an ended run, or a priority that the user may not give.
    """
    run = lock_editable(run, user)
    if run.is_final:
        raise ServiceError(_("This run has ended: its priority has no effect."))
    if run.priority == priority:
        return run
    require_priority(user, priority)
    before = Priority(run.priority)
    run.priority = priority
    run.save(update_fields=["priority", "updated_at"])
    words = label(Priority(priority).label)
    text = message("%(who)s sets the priority to %(priority)s", who=user.username, priority=words)
    RunEvent.objects.create(run=run, kind="priority", text=text)
    audit_record(
        user=user,
        action="prioritise",
        subject=run,
        before=before.name.lower(),
        after=Priority(priority).name.lower(),
    )
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return run
