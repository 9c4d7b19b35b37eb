"""Plans: create, change, clone, archive, delete. Each service is one transaction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.database.locks import advisory_lock
from apps.common.services import names_touch
from apps.inventory.models import HostPair
from apps.inventory.services.pairs import pair_ensure
from apps.plans.domain.advice import take_advice
from apps.plans.domain.preview import preview_of
from apps.plans.models import PlanTarget, TestPlan
from apps.plans.schemas.errors import PlanError, invalid, problems_error
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import plan_draft, unused_name
from apps.plans.selectors.target_names import targets_named
from apps.plans.services.schedules import schedule_clear


@transaction.atomic
def plan_create(*, user: User, draft: PlanDraft, copy_of: TestPlan | None = None) -> TestPlan:
    """Create a plan owned by `user`. `copy_of`: the plan whose authors are authors of this one.

    Raises: PermissionDenied for a viewer; PlanError for an invalid draft.
    """
    require_role(user, Role.OPERATOR)
    plan = TestPlan(owner=user)
    _keep(plan, draft, user)
    origin: dict[str, Any] = {"copy_of": copy_of.pk} if copy_of else {}
    audit_record(user=user, action="create", subject=plan, **origin)
    names_touch()
    return plan


@transaction.atomic
def plan_update(*, plan: TestPlan, user: User, draft: PlanDraft) -> TestPlan:
    """Change a plan to the draft. Runs keep their own copy."""
    locked = lock_editable(plan, user)
    if locked.archived_at:
        raise PlanError(_("This plan is archived: restore it before changing it."))
    _keep(locked, draft, user)
    audit_record(user=user, action="change", subject=locked)
    names_touch()
    return locked


@transaction.atomic
def plan_clone(*, plan: TestPlan, user: User, name: str = "") -> TestPlan:
    """Create a copy owned by `user`, under `name` or the first free "... (copy)"."""
    advisory_lock("name a copy of a plan")
    draft = replace(plan_draft(plan), name=name or unused_name(plan.name), team=None)
    return plan_create(user=user, draft=draft, copy_of=plan)


@transaction.atomic
def plan_take_advice(*, plan: TestPlan, user: User, step: int | None, field: str) -> TestPlan:
    """Store the advised value of a parameter, or of the plan's `field` without a step.

    Raises: PermissionDenied; PlanError (409) if the advice does not apply any more.
    """
    plan = lock_editable(plan, user)
    draft = plan_draft(plan)
    for advice in preview_of(draft.data()).advice:
        if advice.key == (step, field):
            spec = take_advice(draft.spec, advice)
            return plan_update(plan=plan, user=user, draft=replace(draft, spec=spec))
    raise PlanError(_("This advice does not apply to the plan any more."))


@transaction.atomic
def plan_archive(*, plan: TestPlan, user: User, archived: bool = True) -> TestPlan:
    """Archive the plan, or restore it. Its runs stay."""
    plan = lock_editable(plan, user)
    if archived:
        schedule_clear(plan=plan, user=user)
    plan.archived_at = timezone.now() if archived else None
    plan.save(update_fields=["archived_at", "updated_at"])
    audit_record(user=user, action="archive" if archived else "restore", subject=plan)
    return plan


@transaction.atomic
def plan_delete(*, plan: TestPlan, user: User) -> None:
    """Delete a plan that was never launched.

    Raises: PlanError for one with runs.
    """
    plan = lock_editable(plan, user)
    if plan.runs.exists():
        raise PlanError(_("This plan has runs. Archive it instead: its runs stay in the lists."))
    schedule_clear(plan=plan, user=user)
    audit_record(user=user, action="delete", subject=plan)
    plan.delete()


def _keep(plan: TestPlan, draft: PlanDraft, user: User) -> None:
    """Store the draft in the plan's rows.

    Raises: PlanError with every problem.
    """
    _check(plan, draft, user)
    plan.save()
    plan.tunings.set(draft.tunings)
    plan.targets.all().delete()
    targets = dict.fromkeys(row.pk for row in map(_stored, draft.targets))
    PlanTarget.objects.bulk_create(PlanTarget(plan=plan, target_id=pk) for pk in targets)
    for row in targets_named(step.target for step in draft.spec.steps if step.target):
        _stored(row)


def _check(plan: TestPlan, draft: PlanDraft, user: User) -> None:
    team_error = team_fault(draft.team, user, plan)
    plan.name, plan.description, plan.spec = draft.name, draft.description, draft.spec
    plan.team, plan.baseline = draft.team, draft.baseline_tuning
    try:
        plan.full_clean()
    except ValidationError as error:
        raise invalid(error) from error
    if team_error:
        raise PlanError(team_error, {"team": team_error}, status=400)
    stops = [problem for problem in preview_of(draft.data()).problems if problem.saving]
    if stops:
        raise problems_error(stops)


def _stored(target: Model) -> Model:
    """Return the target with a row; a new host pair is stored.

    Raises: ServiceError.
    """
    if not isinstance(target, HostPair) or target.pk is not None:
        return target
    return pair_ensure(client=target.client, server=target.server)
