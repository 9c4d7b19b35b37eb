"""Advice about failed cases, by failure cause."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.runs.models import CaseState, FailureCause

_ADVICE: dict[str, str | Promise] = {
    FailureCause.PLAN: _("Change the plan, then launch it again."),
    FailureCause.HOST: _("Repair the host (its page can check it), then retry the failed cases."),
    FailureCause.HARDWARE: _(
        "What was read back is not what was written. Look at the disk, its cables and controller "
        "before anything is measured on it again."
    ),
    FailureCause.TOOL: _("Read the stderr below; change the plan or the tool, then retry."),
    FailureCause.BENCHLAB: _(
        "This is a defect of benchlab: the worker's log has details. Retrying is safe."
    ),
}
_NOBODY: dict[str, str | Promise] = {
    CaseState.CANCELLED: _("Somebody ended it. Retry the run to measure it after all."),
    CaseState.UNCONFIRMED: _(
        "Its host did not answer and an admin abandoned the attempt. When the host is back and has "
        "ended the test, retry the run."
    ),
    CaseState.LOST: _("Its result cannot be determined. Retry the run to measure it again."),
}


def advice(state: str, failure_cause: str) -> str:
    """Return the advice for a state; empty for pending, running and successful cases."""
    if state in (CaseState.SUCCEEDED, CaseState.SKIPPED, CaseState.PENDING, CaseState.RUNNING):
        return ""
    if state == CaseState.UNCONFIRMED:
        return str(_NOBODY[state])
    return str(_ADVICE.get(failure_cause) or _NOBODY.get(state, ""))


def failure_cause_text(failure_cause: str) -> str:
    """Return the label of a failure cause; empty without one."""
    return (
        str(FailureCause(failure_cause).label)
        if failure_cause and failure_cause in FailureCause.values
        else ""
    )
