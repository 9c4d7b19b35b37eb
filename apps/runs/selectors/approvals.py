"""Which runs need an approval, and who may give it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import AuditEntry, User
from apps.inventory.models import Host
from apps.runs.domain.remaining_effects import is_part_of
from apps.runs.models import ApprovalPolicy, Run, RunApproval, RunState
from apps.runs.schemas import Effects
from apps.runs.selectors.effects import RunEffects

REUSE = timedelta(days=7)
"""So long an approval counts for another run of the same plan with equal effects."""
TERABYTE = 10**12
DECISIONS = ("approve", "refuse approval", "attempt approval")
"""Audited actions on runs that change nothing of them."""


def policies_listed() -> QuerySet[ApprovalPolicy]:
    return ApprovalPolicy.objects.select_related("team").order_by("name")


def policies_in_scope(run: Run) -> list[ApprovalPolicy]:
    """Return the enabled policies whose scope includes the run. An imported run has none.

    A team's policy covers the runs of its members as well: a clone of a plan has no team.
    """
    if run.is_imported:
        return []
    teams = Q(team=None) | Q(team=run.team_id) | Q(team__members=run.owner_id)
    policies = list(ApprovalPolicy.objects.filter(teams, enabled=True).distinct())
    policies += [disturbance_policy()] if run.spec.disturbance else []
    if not any(policy.host_tag for policy in policies):
        return policies
    hosts = Host.objects.filter(pk__in=run.targets.values("members__host"))
    tags = {tag for row in hosts.values_list("tags", flat=True) for tag in row}
    return [policy for policy in policies if not policy.host_tag or policy.host_tag in tags]


def disturbance_policy() -> ApprovalPolicy:
    """Return the rule that has no row: each disturbance of a cluster needs an approval."""
    return ApprovalPolicy(name="disturbance of a cluster", on_ceph=True)


def policies_of(run: Run, effects: RunEffects) -> list[ApprovalPolicy]:
    """Return the policies that ask for an approval of these effects."""
    return [policy for policy in policies_in_scope(run) if _asks(policy, effects)]


def _asks(policy: ApprovalPolicy, effects: RunEffects) -> bool:
    over_bytes, over_hours = policy.over_terabytes, policy.over_hours
    return (
        (policy.on_wipe and effects.writes_disks)
        or (policy.on_ceph and (effects.sets_ceph or bool(effects.effects.disturbance)))
        or (over_bytes is not None and effects.bytes_limit > over_bytes * TERABYTE)
        or (over_hours is not None and effects.seconds > over_hours * 3600)
    )


def approval_of(run: Run) -> RunApproval | None:
    """Return the newest approval or request of a run."""
    return run.approvals.select_related("decided_by").first()


def has_approval() -> Q:
    """Return the condition of a run with a request, or that is queued while there are policies."""
    requests = Exists(RunApproval.objects.filter(run=OuterRef("pk")))
    policies = Exists(ApprovalPolicy.objects.filter(enabled=True))
    return Q(requests) | (Q(state=RunState.QUEUED) & Q(policies))


def approvals_waiting() -> QuerySet[RunApproval]:
    """Return the requests of queued runs, oldest first."""
    rows = RunApproval.objects.filter(state=RunApproval.State.WAITING, run__state=RunState.QUEUED)
    return rows.select_related("run__owner", "run__team").order_by("pk")


def last_approved(run: Run) -> RunApproval | None:
    """Return the newest approval of the run, else of its plan."""
    rows = RunApproval.objects.filter(state=RunApproval.State.APPROVED).order_by("-decided_at")
    of_plan = Q(run__plan=run.plan_id) if run.plan_id else Q()
    own = rows.filter(run=run).first()
    return own or (rows.filter(of_plan).first() if run.plan_id else None)


def approval_of_paused_run(run: Run, effects: Effects) -> RunApproval | None:
    """Return the approval that a paused run keeps: the remaining effects are part of it.

    Its age does not count, as the run that was approved goes on.
    """
    if run.state != RunState.QUEUED or run.paused_at is None:
        return None
    row = run.approvals.filter(state=RunApproval.State.APPROVED).first()
    return row if row is not None and is_part_of(effects, row.effects) else None


def reusable_approval(run: Run, digest: str) -> RunApproval | None:
    """Return a recent approval of equal effects by somebody who may approve this run.

    A run that runs again needs a new approval, because a start is what was approved.
    """
    if run.plan_id is None or run.started_at is not None:
        return None
    rows = RunApproval.objects.filter(
        state=RunApproval.State.APPROVED,
        digest=digest,
        run__plan=run.plan_id,
        reused=None,
        decided_at__gt=timezone.now() - REUSE,
    ).select_related("decided_by")
    return next(
        (
            row
            for row in rows.exclude(run=run).order_by("-decided_at")[:20]
            if row.decided_by is not None and not approver_fault(run, row.decided_by)
        ),
        None,
    )


def approver_fault(run: Run, user: User) -> str:
    """Return why a user may not approve a run; empty for a disk owner without a part in it.

    Whoever launched or continued the run, or changed its plan, a tuning profile, a group or a pool
    since the last approval, approves no own work.
    """
    if not user.is_disk_owner:
        return _("Only a disk owner may approve a run.")
    wipes = run.wipe_confirmed_by_id
    if user.pk in (run.owner_id, wipes) or _acted(user, "run", [run.pk]):
        return _("You launched or changed this run. Somebody else approves it.")
    since = _approved_since(run)
    tunings = [row.tuning_id for row in run.tunings.all() if row.tuning_id]
    plans = [run.plan_id] if run.plan_id else []
    if _acted(user, "testplan", plans, since) or _acted(user, "tuningprofile", tunings, since):
        return _("You changed the plan or a tuning profile. Somebody else approves it.")
    targets = [row.target_id for row in run.targets.all() if row.target_id]
    if any(_acted(user, kind, targets, since) for kind in ("targetgroup", "pool")):
        return _("You changed a group or a pool of this run. Somebody else approves it.")
    return ""


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


def _acted(user: User, kind: str, keys: list[int], since: object = None) -> bool:
    """Return True if the audit record has an action of the user on these rows."""
    if not keys:
        return False
    rows = AuditEntry.objects.filter(
        user=user, object_type=kind, object_id__in=[str(key) for key in keys]
    ).exclude(action__in=DECISIONS)
    if since is not None:
        rows = rows.filter(timestamp__gt=since)
    return rows.exists()
