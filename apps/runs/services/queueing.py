"""Queue an ended run again."""

from __future__ import annotations

from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import Run, RunState
from apps.runs.services.priorities import priority_again
from apps.runs.services.transitions import run_transition


def run_queue_again(run: Run, user: User) -> None:
    """Queue an ended, locked run for a user; clear its cancellation and wipe confirmation.

    A high priority stays only if the user may give it.
    """
    run_transition(
        run,
        RunState.QUEUED,
        reason="",
        finished_at=None,
        cancel_requested_at=None,
        cancel_requested_by=None,
        wipe_confirmed_by=None,
        priority=priority_again(user, run.priority),
        waiting_since=timezone.now(),
        paused_at=None,
    )
