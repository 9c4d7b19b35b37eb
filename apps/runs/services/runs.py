"""Launch, cancel, finish and retry runs."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.services import audit_record
from apps.common.domain.messages import label
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.plans.domain.advice import advice_notes
from apps.plans.models import TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.planned import PlannedCase
from apps.plans.selectors.plans import Snapshot, plan_snapshot
from apps.plans.services.workloads import workloads_ensure
from apps.runs.models import FINAL_RUN, Case, CaseState, Priority, Run, RunEvent, RunState
from apps.runs.services.disturbances import require_disturbance_confirmed
from apps.runs.services.extension_rows import launch_record
from apps.runs.services.host_faults import host_faults_after
from apps.runs.services.leases import claims_release
from apps.runs.services.priorities import require_priority
from apps.runs.services.queueing import run_queue_again
from apps.runs.services.snapshot import backgrounds_snapshot, targets_snapshot, tunings_snapshot
from apps.runs.services.snapshot_expectations import expectations_snapshot
from apps.runs.services.transitions import cases_transition, preconditioning_reset, run_transition
from apps.runs.services.versions import runs_touch
from apps.tools.messages import TranslatableMessage, message, plural_message

# What the keys of launches by the clock begin with; people's own may not.
SCHEDULE_KEYS = "schedule:"
# Columns of a run that are rows which its launch has just read.
RELATIONS = frozenset({"plan", "owner", "team", "wipe_confirmed_by"})


def event_record(run: Run, kind: str, text: str, *, case: Case | None = None) -> RunEvent:
    """Add an event to the log of a run."""
    return RunEvent.objects.create(run=run, case=case, kind=kind, text=text)


def run_launch(
    *,
    plan: TestPlan,
    user: User,
    note: str = "",
    confirm_wipe: bool = False,
    idempotency_key: str | None = None,
    priority: int = Priority.NORMAL,
    confirm_disturbance: str = "",
) -> Run:
    """Create a queued run with all cases from a plan. An `idempotency_key` returns its earlier run.

    `confirm_wipe`: file systems on the plan's disks may be destroyed; only for disk owners.
    `confirm_disturbance`: the name of the pool whose cluster the plan disturbs, or the identity of
    the disk that fails.

    Raises:
        PermissionDenied: for viewers.
        ServiceError: for a wipe or a high priority without the role, or a key of another plan.
        PlanError: the plan has problems.
    """
    require_role(user, Role.OPERATOR)
    if idempotency_key and (earlier := _earlier(idempotency_key, plan, user)):
        return earlier
    if confirm_wipe and not user.is_disk_owner:
        raise ServiceError(_("Only a disk owner may confirm a wipe."), status=403)
    require_priority(user, priority)
    try:
        return _run_create(
            plan, user, note, confirm_wipe, idempotency_key, priority, confirm_disturbance
        )
    except (IntegrityError, ValidationError):
        # The same request twice at once: the other one was first.
        if idempotency_key and (earlier := _earlier(idempotency_key, plan, user)):
            return earlier
        raise


def _earlier(key: str, plan: TestPlan, user: User) -> Run | None:
    """Return the user's run of an idempotency key, if any. Each user has keys of their own.

    Raises:
        ServiceError: the user launched another plan with the key.
    """
    run = Run.objects.filter(idempotency_key=key, owner=user).first()
    if run is not None and run.plan_id != plan.pk:
        raise ServiceError(
            _("This idempotency key was used for another launch; choose a fresh one.")
        )
    return run


@transaction.atomic
def _run_create(
    plan: TestPlan,
    user: User,
    note: str,
    wipe: bool,
    key: str | None,
    priority: int,
    typed: str,
) -> Run:
    """Create the run. The plan is locked, so that it cannot change meanwhile."""
    plan = TestPlan.objects.select_for_update().get(pk=plan.pk)
    data, preview, seed = _launchable(plan)
    require_disturbance_confirmed(data, typed)
    run = Run(
        name=plan.name,
        plan=plan,
        spec=data.spec,
        seed=seed,
        advice_not_taken=advice_notes(preview.advice),
        note=note,
        owner=user,
        team=plan.team,
        idempotency_key=key or None,
        priority=priority,
        wipe_confirmed_by=user if wipe else None,
        case_count=len(preview.cases),
        expected_seconds=preview.seconds,
    )
    # What people wrote: the rest was just read, and the tables have their constraints.
    run.full_clean(exclude=RELATIONS, validate_unique=False, validate_constraints=False)
    run.save()
    cases = _rows(run, preview.cases, data.baseline_tuning.name)
    Case.objects.bulk_create(cases, batch_size=2_000)
    expectations_snapshot(cases, preview.cases, data.spec.steps)
    launch_record(run, cases, data.spec.stopping_rule, user)
    count = cases_words(run.case_count)
    text = message("launched by %(who)s, %(cases)s", who=user.username, cases=count)
    event_record(run, "queued", text)
    audit_record(user=user, action="launch", subject=run, cases=run.case_count, wipe=wipe)
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return run


def _launchable(plan: TestPlan) -> Snapshot:
    """Return a snapshot of the plan.

    Raises:
        PlanError: the plan is archived or has problems.
    """
    if plan.archived_at is not None:
        raise PlanError(_("This plan is archived: restore it before launching it."))
    snapshot = plan_snapshot(plan)
    if problems := snapshot.preview.problems:
        raise PlanError(
            _("This plan cannot be launched yet: %(first)s") % {"first": problems[0].message}
        )
    return snapshot


def cases_words(number: int) -> TranslatableMessage:
    """Return "1 case", "6 cases" ..."""
    return plural_message("%(count)d case", "%(count)d cases", number)


def _rows(run: Run, cases: Sequence[PlannedCase], baseline: str = "") -> list[Case]:
    """Return unsaved cases; create the rows that they share."""
    workloads = workloads_ensure(cases)
    tuned = {kind for case in cases for kind in case.tuning.daemon_kinds}
    loads = [case.background for case in cases if case.background is not None]
    loaded = [load.target for load in loads if load.target is not None]
    targets = targets_snapshot(run, [*(case.target for case in cases), *loaded], tuned=tuned)
    tunings = tunings_snapshot(run, [case.tuning for case in cases], baseline)
    backgrounds = backgrounds_snapshot(run, loads, targets)
    return [
        Case(
            run=run,
            sequence=planned.sequence,
            block=planned.block,
            repeat=planned.repeat,
            workload=workloads[planned.workload_key],
            run_target=targets[planned.target.key],
            run_tuning=tunings[planned.tuning.id],
            background=backgrounds[planned.background.value] if planned.background else None,
            purpose=planned.purpose,
            step_name=planned.step_name,
            expected_seconds=planned.seconds,
        )
        for planned in cases
    ]


@transaction.atomic
def run_cancel(*, run: Run, user: User) -> Run:
    """Cancel a run. A queued run and pending cases end at once.

    Running attempts end when the worker has confirmed it on the host.

    Raises:
        PermissionDenied: for users who may not edit the run.
    """
    run = lock_editable(run, user)
    if run.is_final or run.cancel_requested_at is not None:
        return run
    run.cancel_requested_at, run.cancel_requested_by = timezone.now(), user
    run.save(update_fields=["cancel_requested_at", "cancel_requested_by"])
    if run.state == RunState.QUEUED:
        run_finish(
            run,
            RunState.CANCELLED,
            message("cancelled by %(who)s before it started", who=user.username),
        )
    else:
        waiting = run.cases.filter(state=CaseState.PENDING)
        cases_transition(
            waiting, CaseState.CANCELLED, reason=message("cancelled by %(who)s", who=user.username)
        )
    event_record(run, "cancel", message("%(who)s requested the cancellation", who=user.username))
    audit_record(user=user, action="cancel", subject=run)
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return run


def run_finish(run: Run, state: RunState, reason: str) -> None:
    """End a run: release its claims, cancel pending cases.

    The caller locks the run and bumps its results version.
    """
    run_transition(run, state, reason=reason, finished_at=timezone.now(), lease_until=None)
    left = run.cases.filter(state=CaseState.PENDING)
    cases_transition(
        left, CaseState.CANCELLED, reason=reason or message("the run ended before this case")
    )
    claims_release(run)
    host_faults_after(run)
    ended = label(state.label)
    text = message("%(state)s: %(reason)s", state=ended, reason=reason) if reason else ended
    event_record(run, "finished", text)


@transaction.atomic
def run_retry(*, run: Run, user: User) -> Run:
    """Queue the cases without success again; each gets a new attempt.

    The run loses its wipe confirmation, which was for the disks at the launch.

    Raises:
        PermissionDenied: for users who may not edit the run.
        ServiceError: for a run that has not ended, was imported, or has nothing to retry.
    """
    run = lock_editable(run, user)
    if run.state not in FINAL_RUN:
        raise ServiceError(_("This run has not ended yet; cancel it first, or wait."))
    if run.is_imported:
        raise ServiceError(_("These results were imported: there is nothing to run again."))
    left = run.cases.exclude(state=CaseState.SKIPPED)
    count = cases_transition(left, CaseState.PENDING, reason="", failure_cause="")
    if not count:
        raise ServiceError(_("Every case of this run succeeded; there is nothing to retry."))
    waiting = run.cases.filter(state=CaseState.PENDING).values("run_target")
    preconditioning_reset(run.cases.filter(run_target__in=waiting))
    run_queue_again(run, user)
    text = message("%(who)s retries %(cases)s", who=user.username, cases=cases_words(count))
    event_record(run, "retry", text)
    audit_record(user=user, action="retry", subject=run, cases=count)
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return run
