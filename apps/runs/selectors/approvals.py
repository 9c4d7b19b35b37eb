"""Which runs need an approval, and which approvals count for them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.inventory.models import Host
from apps.runs.domain.remaining_effects import is_part_of
from apps.runs.models import ApprovalPolicy, Run, RunApproval, RunState
from apps.runs.schemas import Effects
from apps.runs.selectors.approvers import approver_fault, took_part
from apps.runs.selectors.effects import RunEffects

REUSE = timedelta(days=7)
"""So long an approval counts for another run of the same plan with equal effects."""
TERABYTE = 10**12


def policies_listed() -> QuerySet[ApprovalPolicy]:
    return ApprovalPolicy.objects.select_related("team").order_by("name")


@dataclass(frozen=True)
class RunScope:
    """What the scopes of policies compare of a run, or of a plan that a user may launch."""

    team_id: int | None
    owner_id: int
    host_ids: Collection[int]
    disturbs: bool


def policies_in_scope(run: Run) -> list[ApprovalPolicy]:
    """Return the enabled policies whose scope includes the run. An imported run has none."""
    if run.is_imported:
        return []
    hosts = run.targets.values_list("members__host", flat=True)
    return _policies(RunScope(run.team_id, run.owner_id, hosts, bool(run.spec.disturbance)))


def _policies(scope: RunScope) -> list[ApprovalPolicy]:
    """Return the enabled policies of a scope.

    A team's policy covers the runs of its members as well: a clone of a plan has no team.
    """
    teams = Q(team=None) | Q(team=scope.team_id) | Q(team__members=scope.owner_id)
    policies = list(ApprovalPolicy.objects.filter(teams, enabled=True).distinct())
    policies += [disturbance_policy()] if scope.disturbs else []
    if not any(policy.host_tag for policy in policies):
        return policies
    hosts = Host.objects.filter(pk__in=scope.host_ids)
    tags = {tag for row in hosts.values_list("tags", flat=True) for tag in row}
    return [policy for policy in policies if not policy.host_tag or policy.host_tag in tags]


def policies_of_effects(scope: RunScope, effects: RunEffects) -> list[ApprovalPolicy]:
    """Return the policies that require an approval of these effects in a scope."""
    return [policy for policy in _policies(scope) if _asks(policy, effects)]


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
    faults: dict[int, str] = {}
    for row in rows.exclude(run=run).order_by("-decided_at")[:20]:
        if (user := row.decided_by) is None:
            continue
        if user.pk not in faults:
            faults[user.pk] = approver_fault(run, user)
        if not faults[user.pk]:
            return row
    return None


def still_counts(run: Run, row: RunApproval) -> bool:
    """Return True if an approval of equal effects counts for the next start of its run.

    The start of a run that has started before, as after a retry, is another act: the approval is
    not too old, and its approver has not retried or extended the run.
    """
    if run.started_at is None or row.decided_at is None or row.decided_by is None:
        return True
    return row.decided_at > timezone.now() - REUSE and not took_part(run, row.decided_by)
