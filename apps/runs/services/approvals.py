"""Decide approvals; create, change and delete policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.runs.models import ApprovalPolicy, Run, RunApproval, RunState
from apps.runs.selectors.approvals import policies_of
from apps.runs.selectors.approvers import approver_fault
from apps.runs.selectors.effects import run_effects
from apps.runs.services.approval_requests import approval_ensure, request_decide, requests_void
from apps.runs.services.runs import event_record, run_finish
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

MAX_REASON = 300
"""Characters of a note in the reason of a refused run; the approval has the whole note."""
POLICY_FIELDS = (
    *("name", "enabled", "team", "host_tag", "on_wipe", "on_ceph", "over_terabytes", "over_hours"),
)


def approval_decide(
    *, run: Run, user: User, digest: str, approve: bool, note: str = ""
) -> RunApproval:
    """Approve or refuse the effects with this digest. A refused run is cancelled.

    A refused attempt is audited. Raises: PermissionDenied for users who may not approve this run;
    ServiceError if no approval is wanted, or (409) if the effects have another digest.
    """
    try:
        return _decide(run, user, digest, approve, note)
    except (PermissionDenied, ServiceError) as error:
        audit_record(user=user, action="attempt approval", subject=run, reason=str(error)[:200])
        raise


@transaction.atomic
def _decide(run: Run, user: User, digest: str, approve: bool, note: str) -> RunApproval:
    require_role(user, Role.DISK_OWNER)
    run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if fault := approver_fault(run, user):
        raise PermissionDenied(fault)
    effects = run_effects(run)
    policies = policies_of(run, effects) if run.state == RunState.QUEUED else []
    row = approval_ensure(run, effects, policies) if policies else None
    if row is None or row.state != RunApproval.State.WAITING:
        raise ServiceError(_("This run waits for no approval."))
    if row.digest != digest:
        raise ServiceError(_("The effects of the run changed. Read them again, then decide."))
    request_decide(row, user, approve=approve, note=note)
    action = "approve" if approve else "refuse approval"
    audit_record(user=user, action=action, subject=run, digest=digest)
    if approve:
        event_record(run, "approval", message("approved by %(who)s", who=user.username))
        run.reason = ""  # it waited for this approval; what it waits for next is found anew
        run.save(update_fields=["reason"])
    else:
        run_finish(run, RunState.CANCELLED, _refusal(user, row.note))
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return row


def _refusal(user: User, note: str) -> str:
    """Return the reason of a refused run, with the note of the user who refused it."""
    if note:
        return message("refused by %(who)s: %(note)s", who=user.username, note=note[:MAX_REASON])
    return message("refused by %(who)s", who=user.username)


@transaction.atomic
def approval_policy_save(
    *, user: User, fields: Mapping[str, Any], policy: ApprovalPolicy | None = None
) -> ApprovalPolicy:
    """Create or change a policy. Raises: PermissionDenied; ServiceError (400)."""
    require_role(user, Role.ADMIN)
    row = (
        ApprovalPolicy.objects.select_for_update(of=("self",)).get(pk=policy.pk)
        if policy
        else (ApprovalPolicy())
    )
    for name in POLICY_FIELDS:
        if name in fields:
            setattr(row, name, fields[name])
    if not (row.on_wipe or row.on_ceph) and row.over_terabytes is None and row.over_hours is None:
        text = _("Choose at least one act that needs an approval.")
        raise ServiceError(text, {"on_wipe": text}, status=400)
    for name in ("over_terabytes", "over_hours"):
        limit = getattr(row, name)
        if limit is not None and not 0 <= limit < 1e9:
            text = _("A limit is a number from 0.")
            raise ServiceError(text, {name: text}, status=400)
    row.save()
    requests_void()
    details = {name: str(getattr(row, name)) for name in POLICY_FIELDS}
    audit_record(user=user, action="change" if policy else "create", subject=row, **details)
    return row


@transaction.atomic
def approval_policy_delete(*, user: User, policy: ApprovalPolicy) -> None:
    """Delete a policy. Raises: PermissionDenied."""
    require_role(user, Role.ADMIN)
    audit_record(user=user, action="delete", subject=policy)
    policy.delete()
    requests_void()
