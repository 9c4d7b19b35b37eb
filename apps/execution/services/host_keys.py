"""Write changes of host keys seen while an attempt runs."""

from __future__ import annotations

from django.utils import timezone

from apps.execution.domain.lease import RunLease
from apps.execution.services.attempts import fenced_attempt
from apps.inventory.models import Host
from apps.inventory.services.asking import check_ask
from apps.runs.models import (
    Attempt,
)
from apps.runs.services.runs import event_record


def host_key_changed(lease: RunLease, attempt: Attempt, host_id: int, reason: str) -> None:
    """Store that a host presents another key than the confirmed one.

    The pages of the host and the run show it; the connection was refused before any data was sent.
    """
    with fenced_attempt(lease, attempt) as run:
        Host.objects.filter(pk=host_id).update(
            health=Host.Health.UNREACHABLE,
            health_kind="key_changed",
            health_text=reason,
            checked_at=timezone.now(),
        )
        # An attempt that loses contact at this time gets an event with the same reason.
        if Attempt.objects.filter(pk=attempt.pk, contact_lost_since__isnull=False).exists():
            event_record(run, "contact", reason, case=attempt.case)


def host_key_again(lease: RunLease, attempt: Attempt, host_id: int) -> None:
    """Request a check of a host that presents its confirmed key again."""
    with fenced_attempt(lease, attempt):
        check_ask(Host.objects.get(pk=host_id))
