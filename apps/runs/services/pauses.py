"""Pause a run between its blocks, so that a booking or maintenance finds its hosts free."""

from __future__ import annotations

from django.utils import timezone

from apps.runs.models import FINAL_CASE, CaseState, Run, RunEvent, RunState
from apps.runs.services.leases import claims_release, fenced
from apps.runs.services.transitions import preconditioning_reset, run_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message


def run_pause(*, run_id: int, fence: int, reason: str) -> bool:
    """Queue a running run again and release its claims. Return False if it must go on or end.

    The wipe confirmation was for the disks as they were: others may use them meanwhile, and the
    next write checks their content against what the run wrote. Preconditioning counts only if the
    disks are still in that state.

    Raises:
        LeaseLost: the fencing token is stale.
    """
    with fenced(run_id, fence) as run:
        cases = run.cases
        if run.cancel_requested_at is not None or run.state != RunState.RUNNING:
            return False
        pending = cases.filter(state=CaseState.PENDING)
        if cases.filter(state=CaseState.RUNNING).exists() or not pending.exists():
            return False
        preconditioning_reset(cases.filter(run_target__in=pending.values("run_target")))
        claims_release(run)
        _store(run, reason)
        return True


def _store(run: Run, reason: str) -> None:
    done = run.cases.filter(state__in=FINAL_CASE).count()
    text = message(
        "is paused after %(done)d of %(total)d cases: %(why)s",
        done=done,
        total=run.case_count,
        why=reason,
    )
    run_transition(
        run,
        RunState.QUEUED,
        reason=text,
        paused_at=timezone.now(),
        yields_at=None,
        worker="",
        fence=run.fence + 1,
        lease_until=None,
        wipe_confirmed_by=None,
    )
    RunEvent.objects.create(run=run, kind="pause", text=text)
    runs_touch([run.pk])
