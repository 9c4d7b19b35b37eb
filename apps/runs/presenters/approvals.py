"""Values of the pages and the API of approvals."""

from __future__ import annotations

from typing import Any

from django.db.models import Min
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.bookings.presenters import Tab, queue_tabs
from apps.common.domain.value_format import format_value
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.runs.domain.effect_texts import (
    bytes_text,
    disturbance_text,
    target_texts,
    tuning_texts,
    workload_texts,
)
from apps.runs.domain.effects import differences, effects_digest
from apps.runs.domain.further_rules import further_lines
from apps.runs.models import Run, RunApproval, RunState
from apps.runs.schemas import Effects
from apps.runs.selectors.approvals import (
    approval_of,
    approval_of_paused_run,
    last_approved,
    policies_in_scope,
    policies_of,
    still_counts,
)
from apps.runs.selectors.approvers import approver_fault
from apps.runs.selectors.effects import run_effects

MAX_ROWS = 100


def approval_tabs(user: User) -> list[Tab]:
    """Return the tabs of the pages about the queue; only an admin sees policies."""
    policies: list[Tab] = [(reverse("approval_policy_list"), _("Policies"), None)]
    return [*queue_tabs(), *(policies if user.is_admin else [])]


def approval_values(run: Run) -> dict[str, Any]:
    """Return state, digest, policies, effects and differences of a run now.

    State: not_needed, waiting, approved, refused. A queued run is computed anew; of others the
    newest decision is shown.
    """
    row = approval_of(run)
    if run.state != RunState.QUEUED or not policies_in_scope(run):
        return _values(row.state if row else "not_needed", row, row.effects if row else None, [])
    computed = run_effects(run)
    names = [policy.name for policy in policies_of(run, computed)]
    if not names:
        return _values("not_needed", None, None, [])
    digest = effects_digest(computed.effects)
    is_equal = row is not None and row.digest == digest and row.state == "approved"
    is_equal = is_equal and row is not None and still_counts(run, row)
    is_decided = is_equal or approval_of_paused_run(run, computed.effects) is not None
    values = _values("approved" if is_decided else "waiting", row, computed.effects, names)
    values["digest"] = digest
    before = last_approved(run)
    values["differs_from"] = before if before and before.digest != digest else None
    if values["differs_from"] is not None and before is not None:
        values["differences"] = differences(before.effects, computed.effects)
    values["duration"] = format_value(computed.seconds, "s")
    values["bytes_limit"] = format_value(computed.bytes_limit, "bytes")
    return values


def _values(
    state: str, row: RunApproval | None, effects: Effects | None, policies: list[str]
) -> dict[str, Any]:
    return {
        "state": state,
        "digest": row.digest if row else "",
        "policies": policies or (row.policies if row else []),
        "effects": effects,
        "decided_by": row.decided_by.username if row and row.decided_by else "",
        "decided_at": row.decided_at if row else None,
        "note": row.note if row else "",
        "differs_from": None,
        "differences": [],
        "duration": "",
        "bytes_limit": "",
    }


def approval_page(run: Run, user: User) -> dict[str, Any]:
    """Return the values of a run's approval page."""
    values = approval_values(run)
    effects = values["effects"]
    lines = effects_lines(run, effects) if effects is not None else []
    waits = values["state"] == RunApproval.State.WAITING
    return {
        "approval": values,
        "lines": lines,
        "fault": approver_fault(run, user) if waits else "",
        "history": list(run.approvals.select_related("decided_by", "reused")[:MAX_ROWS]),
    }


def effects_lines(run: Run, effects: Effects) -> list[tuple[str, list[str]]]:
    """Return all effects as titles with lines of text, and the names of the tests and targets.

    Nothing is cut: nobody approves what a page does not show.
    """
    disturbance = [disturbance_text(effects.disturbance)] if effects.disturbance else []
    return [
        (_("Names of the tests"), _names_of_tests(run)),
        (_("Names of the targets"), [row.name for row in run.targets.all()]),
        (_("Tests"), workload_texts(effects.workloads)),
        (_("Targets"), target_texts(effects.targets)),
        (_("Tunings"), tuning_texts(effects.tunings)),
        (_("Rules that add cases"), further_lines(effects.further)),
        (_("Cases"), [str(effects.cases)]),
        (_("Repeats"), [str(effects.repeats)]),
        (_("Bytes written"), [bytes_text(effects)]),
        (_("File systems may be destroyed"), [_("yes") if effects.wipe else _("no")]),
        *([(_("Disturbance"), disturbance)] if disturbance else []),
    ]


def _names_of_tests(run: Run) -> list[str]:
    """Return the names of the run's workloads in the order of its cases."""
    workloads = Workload.objects.filter(cases__run=run).annotate(first=Min("cases__sequence"))
    return list(workload_names(workloads.order_by("first")).values())
