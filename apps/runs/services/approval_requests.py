"""Requests for approvals: made and made void before a run starts."""

from __future__ import annotations

from django.db.models import (
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Greatest
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.domain.effects import effects_digest
from apps.runs.models import ApprovalPolicy, Run, RunApproval, RunEvent
from apps.runs.selectors.approvals import (
    approval_of_paused_run,
    policies_in_scope,
    policies_of,
    reusable_approval,
    still_counts,
)
from apps.runs.selectors.effects import RunEffects, run_effects
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

MAX_NOTE_CHARACTERS = 2_000


def approval_request(run: Run) -> str:
    """Return why a queued, locked run waits for an approval, from the request that it has.

    Without a request or an approval it is the same as `approval_blocker`. This is cheap for a run
    that waits for long; a decision computes the effects anew, and a change of policies makes
    requests void.
    """
    open_ = [RunApproval.State.WAITING, RunApproval.State.APPROVED]
    row = run.approvals.filter(state__in=open_).first()
    if row is None:
        return approval_blocker(run)
    if row.state != RunApproval.State.WAITING:
        return ""
    if not policies_in_scope(run):  # the tag of a host or the team of a policy can be gone
        _void(run, "")
        return ""
    return _waits(row)


def approval_blocker(run: Run) -> str:
    """Return why a queued, locked run waits for an approval; "" if it needs none or has one.

    The effects are computed anew: an approval of other effects is void.
    """
    if not policies_in_scope(run):
        _void(run, "")
        return ""
    effects = run_effects(run)
    policies = policies_of(run, effects)
    if not policies:
        _void(run, "")
        return ""
    row = approval_ensure(run, effects, policies)
    if row.state == RunApproval.State.APPROVED:
        return ""
    return _waits(row)


def _waits(row: RunApproval) -> str:
    return message("waits for an approval: %(policies)s", policies=", ".join(row.policies))


def approval_ensure(run: Run, effects: RunEffects, policies: list[ApprovalPolicy]) -> RunApproval:
    """Return the approval or the request for these effects; create it. The run is locked."""
    if approval := approval_of_paused_run(run, effects.effects):
        _void(run, approval.digest)
        return approval
    digest = effects_digest(effects.effects)
    _void(run, digest)
    names = [policy.name for policy in policies]
    open_ = [RunApproval.State.WAITING, RunApproval.State.APPROVED]
    row = run.approvals.filter(digest=digest, state__in=open_).first()
    if row is not None and still_counts(run, row):
        return row
    if row is not None:
        RunApproval.objects.filter(pk=row.pk).update(state=RunApproval.State.VOID)
    new = RunApproval(run=run, digest=digest, effects=effects.effects, policies=names)
    if earlier := reusable_approval(run, digest):
        new.state, new.reused = RunApproval.State.APPROVED, earlier
        new.decided_by, new.decided_at = earlier.decided_by, earlier.decided_at
    new.save()
    if new.state == RunApproval.State.WAITING and run.started_at is None:
        # The first forecast did not know of the request: the error of forecasts leaves it out.
        Run.objects.filter(pk=run.pk).update(forecast_start_at=None)
    words = (
        message("approval of run %(run)d counts", run=earlier.run_id)
        if earlier
        else message("waits for an approval: %(policies)s", policies=", ".join(names))
    )
    RunEvent.objects.create(run=run, kind="approval", text=words)
    runs_touch([run.pk])
    return new


def _void(run: Run, digest: str) -> None:
    """Make requests and approvals of other effects void."""
    open_ = run.approvals.filter(state__in=[RunApproval.State.WAITING, RunApproval.State.APPROVED])
    others = open_.exclude(digest=digest)
    _waits_end(others)
    others.update(state=RunApproval.State.VOID)


def _waits_end(requests: QuerySet[RunApproval]) -> None:
    """Move the begin of waiting of runs whose requests are about to end.

    What a run waited for an approval, it did not wait for a host.
    """
    waiting = requests.filter(state=RunApproval.State.WAITING)
    began = Subquery(waiting.filter(run=OuterRef("pk")).order_by().values("created_at")[:1])
    waited = ExpressionWrapper(
        Value(timezone.now(), DateTimeField()) - Greatest(began, F("waiting_since")),
        output_field=DurationField(),
    )
    since = ExpressionWrapper(F("waiting_since") + waited, output_field=DateTimeField())
    runs = list(waiting.order_by("run").values_list("run", flat=True))
    if runs:
        Run.objects.filter(pk__in=runs).update(waiting_since=since)


def request_decide(row: RunApproval, user: User, *, approve: bool, note: str) -> None:
    """Store the decision about a request, whose run is locked."""
    _waits_end(RunApproval.objects.filter(pk=row.pk))
    row.state = RunApproval.State.APPROVED if approve else RunApproval.State.REFUSED
    row.decided_by, row.decided_at = user, timezone.now()
    row.note = note.strip()[:MAX_NOTE_CHARACTERS]
    row.save(update_fields=["state", "decided_by", "decided_at", "note"])


def requests_void() -> None:
    """Make all requests void after a change of policies; runs that need one get a new one."""
    waiting = RunApproval.objects.filter(state=RunApproval.State.WAITING)
    _waits_end(waiting)
    waiting.update(state=RunApproval.State.VOID)
