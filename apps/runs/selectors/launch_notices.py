"""What a launch of a plan would wait for: approvals, and hosts or pools that are closed.

A preview decides, because no run exists. The start of the run computes both exactly.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.bookings.schemas import Closure
from apps.bookings.selectors.bookings import closures_between
from apps.common.domain.messages import localize_message
from apps.inventory.models import Disk, Host
from apps.inventory.selectors.host_identity import machines_of
from apps.plans.models import TestPlan
from apps.plans.schemas.planned import PlannedPlan, Preview
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors.plans import plan_data, plan_preview
from apps.runs.domain.closures import closed_to
from apps.runs.models import RunApproval
from apps.runs.schemas import Effects
from apps.runs.selectors.approvals import REUSE, RunScope, policies_of_effects
from apps.runs.selectors.closure_reasons import HORIZON, name_of
from apps.runs.selectors.effect_rules import BYTES_A_SECOND
from apps.runs.selectors.effects import RunEffects
from apps.tuning.schemas.settings import CEPH, CEPH_CONF

MAX_CLOSURES = 5


@dataclass(frozen=True)
class LaunchClosure:
    """A booking of others or a maintenance window. `what`: names of hosts or pools of the plan."""

    what: str
    closure: Closure
    has_begun: bool


@dataclass(frozen=True)
class LaunchNotices:
    """`policies`: names of those that need an approval. `may_reuse`: an earlier one may count.

    `closures`: now or within the expected time, the first ones; `more_closures`: number of others.
    """

    policies: tuple[str, ...] = ()
    may_reuse: bool = False
    closures: tuple[LaunchClosure, ...] = ()
    more_closures: int = 0

    def __bool__(self) -> bool:
        return bool(self.policies or self.closures)


def launch_notices(plan: TestPlan, user: User) -> LaunchNotices:
    """Return what a run would wait for if this user launched the plan now."""
    data, preview, now = plan_data(plan), plan_preview(plan), timezone.now()
    if not preview.cases:
        return LaunchNotices()
    targets = _targets(data)
    hosts = frozenset(host.id for target in targets for host in target.hosts)
    scope = RunScope(plan.team_id, user.pk, hosts, bool(data.spec.disturbance))
    policies = policies_of_effects(scope, planned_effects(data, preview))
    closures = _closures(user, planned_resources(data), preview.seconds, now)
    return LaunchNotices(
        tuple(policy.name for policy in policies),
        bool(policies) and _has_recent_approval(plan, now),
        tuple(closures[:MAX_CLOSURES]),
        len(closures[MAX_CLOSURES:]),
    )


def planned_effects(plan: PlannedPlan, preview: Preview) -> RunEffects:
    """Return what policies compare, estimated from the preview."""
    most = preview.max_totals or preview.totals
    rounds = plan.spec.steady_state.max_rounds if plan.spec.steady_state else 1
    devices = max((len(target.parts) for target in _targets(plan)), default=1)
    kinds = {setting.kind for tuning in plan.all_tunings for setting in tuning.settings}
    disturbance = plan.spec.disturbance.kind if plan.spec.disturbance else ""
    return RunEffects(
        effects=Effects(cases=most.cases, disturbance=disturbance),
        writes_disks=preview.writes_disks,
        sets_ceph=bool(kinds & {CEPH, CEPH_CONF}),
        bytes_limit=rounds * (most.bytes_written + most.timed_seconds * devices * BYTES_A_SECOND),
        seconds=rounds * most.seconds,
    )


def planned_resources(plan: PlannedPlan) -> frozenset[str]:
    """Return the resources that a run of the plan claims, as `resources_of` names them."""
    targets = _targets(plan)
    ids = {host.id for target in targets for host in target.hosts}
    disks = {part.id for target in targets for part in target.parts if part.kind == "disk"}
    result = {f"host:{pk}" for pk in ids}
    result |= {f"machine:{name}" for names in machines_of(ids).values() for name in names}
    result |= {f"disk:{disk.claim}" for disk in Disk.objects.filter(target__in=disks)}
    pools = [target for target in targets if target.kind == "pool"]
    result |= {f"pool:{target.identity}@{target.host_id}" for target in pools}
    sets_ceph = any(one.kind == CEPH for tuning in plan.all_tunings for one in tuning.settings)
    clients = {host.id for target in pools for host in target.hosts}
    clients |= {target.host_id for target in targets} if sets_ceph else set()
    rows = Host.objects.filter(pk__in=clients).exclude(cluster=None).select_related("cluster")
    return frozenset(result | {host.cluster.claim for host in rows if host.cluster})


def _targets(plan: PlannedPlan) -> list[PlannedTarget]:
    return [*plan.targets, *(one for one in plan.background_targets.values() if one is not None)]


def _closures(
    user: User, resources: Collection[str], seconds: float, now: datetime
) -> list[LaunchClosure]:
    until = now + min(timedelta(seconds=max(seconds, 1.0)), HORIZON)
    closed = closed_to(user.pk, resources, closures_between(now, until))
    return [
        LaunchClosure(_names(one.resources & frozenset(resources)), one, one.interval.start <= now)
        for one in closed
    ]


def _names(resources: Collection[str]) -> str:
    """Return the hosts that are closed; without a host, the name of the pool, cluster or disk."""
    ids = [int(one.removeprefix("host:")) for one in resources if one.startswith("host:")]
    hosts = Host.objects.filter(pk__in=ids).order_by("name").values_list("name", flat=True)
    return ", ".join(hosts) if ids else localize_message(name_of(resources))


def _has_recent_approval(plan: TestPlan, now: datetime) -> bool:
    is_recent = Q(state=RunApproval.State.APPROVED, decided_at__gt=now - REUSE, reused=None)
    return RunApproval.objects.filter(is_recent, run__plan=plan).exists()
